// SPDX-License-Identifier: Apache-2.0
#include "host/network_manager.hpp"

#include <algorithm>

#include "base/ini.hpp"

namespace rdmastate {
namespace {

// A pointer to the first element that fits; nullptr: none does.
template <class List, class Fits>
auto first(const List& list, Fits&& fits) -> decltype(list.data()) {
  const auto found = std::find_if(list.begin(), list.end(), fits);
  return found == list.end() ? nullptr : &*found;
}

bool is_off(const ini::File& keyfile, std::string_view section) {
  const std::string method = keyfile.value(section, "method");
  return method == "disabled" || method == "ignore";
}

bool is_port_or_bond(const ini::File& keyfile) {
  return keyfile.value("connection", "type") == "bond" || !keyfile.value("connection", "master").empty() ||
         !keyfile.value("connection", "controller").empty();
}

}  // namespace

bool needs_carrier(const ini::File& keyfile) {
  if (is_port_or_bond(keyfile)) return false;
  if (is_off(keyfile, "ipv6")) return !is_off(keyfile, "ipv4") && keyfile.value("ipv4", "method") != "manual";
  return keyfile.value("ipv4", "method") != "manual" || keyfile.value("ipv6", "may-fail") == "false";
}

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
