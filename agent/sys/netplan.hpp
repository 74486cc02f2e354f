// SPDX-License-Identifier: Apache-2.0
// The netplan of the live host: runs netplan(8), and reads the files that it generates.
#pragma once

#include "host/netplan.hpp"

namespace rdmastate {

/// The netplan of this machine. `netplan generate` would write the files of every interface anew, and networkd regards
/// a rewritten file as changed, even if its content is the same. So it runs on a copy of netplan's files below /run,
/// which is removed afterwards. A netplan(8) that takes longer than 5 minutes is ended, and the call throws Error with
/// what it wrote. Contract: host/netplan.hpp.
class ProgramNetplan final : public Netplan {
 public:
  explicit ProgramNetplan(Files& files) : files_(files) {}
  bool is_here() override;
  GeneratedFiles generated() override;

 private:
  Files& files_;  ///< of this machine
};

}  // namespace rdmastate
