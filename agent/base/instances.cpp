// SPDX-License-Identifier: Apache-2.0
// The containers that pch.hpp declares as compiled elsewhere.
#include <map>
#include <set>
#include <string>
#include <vector>

template class std::vector<std::string>;
template class std::set<std::string>;
template class std::map<std::string, std::string>;
template class std::map<std::string, std::set<std::string>>;
