// SPDX-License-Identifier: Apache-2.0
// How much memory RDMA programs may pin: those that services start, and those of who logs in.
#pragma once

#include <span>
#include <string_view>

#include "doctor/examination.hpp"

namespace rdmastate::doctor {

/// A service that starts programs of users, which open RDMA devices.
struct Starter {
  std::string_view unit;
  Severity severity;  ///< of a low limit: how sure it is that what it starts uses RDMA
};
/// All of them.
std::span<const Starter> starters();

/// On a host with RDMA devices: finds services that start programs of users and have a low limit, and logins that have
/// one. It is the check memlock-low of services.cpp.
void look_for_limits(Examination& look);

/// What look_for_limits() reads beyond what kinds of resources name.
FilePlaces limits_places();

}  // namespace rdmastate::doctor
