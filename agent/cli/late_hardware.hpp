// SPDX-License-Identifier: Apache-2.0
// `apply --wait`: adapters come late at boot, seconds after everything else, and no target of systemd waits for them.
#pragma once

#include "cli/hosts.hpp"
#include "plan/planner.hpp"

namespace rdmastate {

/// Plans until the spec fits the host and no absent resource of its hardware is blocked, but no longer than
/// Options::wait; tells once, as soon as it waits, what is missing first. It holds no lock, since adapters that come
/// start runs of their own (rdmastate-event@.service). It waits for nothing in a chroot (throws Error), with a refused
/// step, or beside an open run; a spec that does not fit the host for another reason costs the whole time. What is
/// missing at the end the apply tells.
void await_hardware(OpenHost& open, const Wish& wish, const Options& options);

}  // namespace rdmastate
