// SPDX-License-Identifier: Apache-2.0
#include "base/instances.hpp"

template class std::vector<std::string>;
template class std::set<std::string>;
template class std::map<std::string, std::string>;
template class std::map<std::string, std::set<std::string>>;
