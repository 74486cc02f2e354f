// SPDX-License-Identifier: Apache-2.0
// What every implementation of Dcb does with a network device whose driver behaves as mlx5's: one priority for each
// DSCP.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

/// Puts the device back as it was: flow control on no priority, no DSCP, its traffic classes and buffers.
class DcbContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;
  Dcb& dcb() { return *host.dcb; }
  std::set<DscpEntry> table() { return dcb().dcb(netdev)->dscp; }
  std::uint8_t priorities() { return dcb().dcb(netdev)->flow_control->priorities; }
  void set(std::uint8_t priorities);

  PortBuffers buffers() { return *dcb().dcb(netdev)->buffers; }

  std::optional<TrafficClasses> classes_before;
  std::optional<PortBuffers> buffers_before;
  std::string netdev = bed->dcb_netdev();
};

}  // namespace rdmastate
