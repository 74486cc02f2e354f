// SPDX-License-Identifier: Apache-2.0
// The netplan of the live host: runs netplan(8), and reads the files that it generates.
#pragma once

#include <functional>

#include "host/netplan.hpp"
#include "sys/programs.hpp"

namespace rdmastate {

/// The netplan of this machine. `netplan generate` would write the files of every interface anew, and networkd regards
/// a rewritten file as changed, even if its content is the same. So it runs on a copy of netplan's files below /run,
/// which is removed afterwards, and systemd, which would run netplan's generator, is not reloaded. A netplan(8) that
/// takes longer than 5 minutes is ended, and the call throws Error with what it wrote. Contract: host/netplan.hpp.
class ProgramNetplan final : public Netplan {
 public:
  /// As run_bounded().
  using Run = std::function<Ended(const std::vector<std::string>& words, std::chrono::seconds longest,
                                  const std::vector<std::string>& settings)>;
  /// Tests pass another function and another directory for the copies.
  explicit ProgramNetplan(Files& files, Run run = run_bounded, std::string copies = "/run")
      : files_(files), run_(std::move(run)), copies_(std::move(copies)) {}
  bool is_here() override;
  GeneratedFiles generated() override;

 private:
  Files& files_;  ///< of this machine
  Run run_;
  std::string copies_;
};

}  // namespace rdmastate
