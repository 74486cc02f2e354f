// SPDX-License-Identifier: Apache-2.0
// The one list of checks: a new family is a line here.
#include "doctor/check.hpp"

namespace rdmastate::doctor {

std::span<const CheckFamily> all_families() {
  static const CheckFamily families[] = {adapter_checks,  verbs_checks, port_checks,    ipoib_checks,  subnet_checks,
                                         roce_checks,     speed_checks, service_checks, system_checks, counter_checks,
                                         leftover_checks, spec_checks,  rc_checks};
  return families;
}

std::vector<const Check*> all_checks() {
  std::vector<const Check*> checks;
  for (const auto& family : all_families())
    for (const auto& check : family.checks) checks.push_back(&check);
  return checks;
}

const Check* check_named(std::string_view id) {
  for (const Check* check : all_checks())
    if (check->id == id) return check;
  return nullptr;
}

FilePlaces places() {
  FilePlaces all;
  for (const auto& family : all_families()) append(all, family.places());
  return all;
}

}  // namespace rdmastate::doctor
