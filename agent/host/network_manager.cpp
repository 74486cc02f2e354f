// SPDX-License-Identifier: Apache-2.0
#include "host/network_manager.hpp"

#include <algorithm>

namespace rdmastate {
namespace {

// A pointer to the first element that fits; nullptr: none does.
template <class List, class Fits>
auto first(const List& list, Fits&& fits) -> decltype(list.data()) {
  const auto found = std::find_if(list.begin(), list.end(), fits);
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

const NmProfile* NmState::from_file(std::string_view path) const {
  return first(profiles, [&](const NmProfile& one) { return one.path == path; });
}

const NmProfile* NmState::profile(std::string_view uuid) const {
  return first(profiles, [&](const NmProfile& one) { return one.uuid == uuid; });
}

const NmDevice* NmState::device(std::string_view interface) const {
  return first(devices, [&](const NmDevice& one) { return one.interface == interface; });
}

}  // namespace rdmastate
