// SPDX-License-Identifier: Apache-2.0
// Debian's ifupdown on the live host: runs ifup(8) and ifdown(8).
#pragma once

#include "host/ifupdown.hpp"

namespace rdmastate {

/// The ifupdown of this machine. ifup(8) and ifdown(8) that take longer than 5 minutes are ended, and the call throws
/// Error with what they wrote.
/// Contract: host/ifupdown.hpp.
class ProgramIfupdown final : public Ifupdown {
 public:
  bool is_here() override;
  void up(const std::string& interface) override;
  void down(const std::string& interface) override;
  void force_down(const std::string& interface) override;
};

}  // namespace rdmastate
