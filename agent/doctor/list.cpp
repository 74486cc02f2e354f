// SPDX-License-Identifier: Apache-2.0
// The one list of checks: a new family is a line here.
#include "doctor/check.hpp"

namespace rdmastate::doctor {

std::span<const CheckFamily> all_families() {
  static const CheckFamily families[] = {adapter_checks,  stack_checks,   verbs_checks,  port_checks,
                                         ipoib_checks,    subnet_checks,  roce_checks,   speed_checks,
                                         manager_checks,  service_checks, system_checks, counter_checks,
                                         leftover_checks, node_checks,    spec_checks,   rc_checks};
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

std::string_view why_it_did_not_look(Looks looks) {
  switch (looks) {
    case Looks::one:
      break;
    case Looks::two:
      return "there was no earlier look to compare with: --interval and --since say one";
    case Looks::plans:
      return "there was no spec to compare with: `doctor SPEC` takes one";
    case Looks::sends:
      return "nothing was sent: --active and --listen do, where a port is ready";
    case Looks::meets:
      return "there was no peer to compare with: --peer and --listen meet one";
  }
  return "";
}

FilePlaces places() {
  FilePlaces all;
  for (const auto& family : all_families()) append(all, family.places());
  return all;
}

}  // namespace rdmastate::doctor
