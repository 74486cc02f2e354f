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

/// Lays the asked sizes over those of `to`. A size that the device may show for the asked one stays.
void ask_sizes(const QosPortState& asked, QosPortState& to);
/// Whether the sizes that are there can be what a step to `to` has left: the device may have rounded them.
bool may_be_sizes(const QosPortState& there, const QosPortState& to);

/// The sets that lead from `now` to the state's `priority_buffers` and `buffers`, in this order, while the priorities
/// of `flow` (bits) have flow control; none: it is there. mlx5 judges a buffer of such a priority by the size that it
/// has before the priority comes, and by the new one (mlx5e_port_manual_buffer_config); so buffers get sizes that do
/// for both, then priorities move, then buffers get their last sizes.
std::vector<PortBuffers> sets_of_buffers(const PortBuffers& now, const QosPortState& wanted, std::uint8_t flow);

/// Takes buffers that the port cannot have out of `to`, and `gap` says why.
void hold_back_buffers(const DcbPort& port, const QosPortState& asked, const QosPortState& from, QosPortState& to,
                       Gap& gap);

}  // namespace rdmastate
