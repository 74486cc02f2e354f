// SPDX-License-Identifier: Apache-2.0
// What is wrong with section `modules`, whatever the host, and on a host with NVIDIA's own drivers.
#pragma once

#include "host/facts.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// The section's check().
void check_modules(const Spec& spec, Report& report);

/// What would break MLNX_OFED or DOCA-OFED on a host that has it, and what only they have.
void check_ofed(const Spec& spec, const Facts& facts, Report& report);

/// "modules.options.ib_ipoib.recv_queue_size"
std::string option_path(const ModuleName& module, const ParameterName& parameter);

}  // namespace rdmastate
