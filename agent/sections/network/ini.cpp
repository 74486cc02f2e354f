// SPDX-License-Identifier: Apache-2.0
#include "sections/network/ini.hpp"

#include "sections/adopt.hpp"

namespace rdmastate {

std::string Ini::place(const ini::Entry& entry) const { return place_of(path_, entry.line); }

}  // namespace rdmastate
