// SPDX-License-Identifier: Apache-2.0
// Receive buffers of kind `qos_port`: between what the kernel has and `priority_buffers` and `buffers` of its State. A
// State has them only where the spec asks for one of them: until somebody sets them, the firmware of mlx5 changes them
// itself with flow control, and once set they are the driver's until the firmware's next reset (buffer ownership,
// mlx5e_dcbnl_ieee_setpfc).
#pragma once

#include <vector>

#include "resources/qos_port/drivers.hpp"

namespace rdmastate {

/// Puts the device's buffers into `priority_buffers` and `buffers` of the state.
void observe_buffers(const PortBuffers& now, QosPortState& state);
/// Takes them out of the state.
void forget_buffers(QosPortState& state);
/// Whether the state has some of them.
bool has_buffers(const QosPortState& state);

/// The sets that lead from `now` to the state's `priority_buffers` and `buffers`, in this order; none: it is there. A
/// buffer has its size before a priority comes to it, and as long as one has it: mlx5 judges a buffer with flow control
/// by both (mlx5e_port_manual_buffer_config).
std::vector<PortBuffers> sets_of_buffers(const PortBuffers& now, const QosPortState& wanted);

/// Takes buffers that the port cannot have out of `to`, and `gap` says why.
void hold_back_buffers(const DcbPort& port, const QosPortState& asked, const QosPortState& from, QosPortState& to,
                       Gap& gap);

}  // namespace rdmastate
