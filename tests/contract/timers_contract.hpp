// SPDX-License-Identifier: Apache-2.0
// What every implementation of Timers does.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

/// On a host where systemd answers; what it is given to start are runs that there are none of.
class TimersContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;

  Timers& timers() { return *host.timers; }
  bool is_taken(const std::string& name);

  const std::string name = "rdmastate-contract";
};

}  // namespace rdmastate
