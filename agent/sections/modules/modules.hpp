// SPDX-License-Identifier: Apache-2.0
// What the sources of section `modules` share: its check() and adopt(), and the checks about NVIDIA's own drivers
// (MLNX_OFED, DOCA-OFED).
#pragma once

#include "host/facts.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// The section's check() and adopt().
void check_modules(const Spec& spec, Report& report);
void adopt_modules(const Adoption& from, Adopted& to);

/// Reports what would break MLNX_OFED or DOCA-OFED on a host that has one of them; on any other host, a parameter that
/// only their drivers have.
void check_ofed(const Spec& spec, const Facts& facts, Report& report);

/// The path of a parameter in the spec: "modules.options.ib_ipoib.recv_queue_size".
std::string option_path(const ModuleName& module, const ParameterName& parameter);

}  // namespace rdmastate
