// SPDX-License-Identifier: Apache-2.0
// Containers that nearly each source uses: compiled once, in instances.cpp, instead of in each unit.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

extern template class std::vector<std::string>;
extern template class std::set<std::string>;
extern template class std::map<std::string, std::string>;
extern template class std::map<std::string, std::set<std::string>>;
