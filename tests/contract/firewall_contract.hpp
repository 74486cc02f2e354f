// SPDX-License-Identifier: Apache-2.0
// What every implementation of Firewall does while firewalld runs.
#pragma once

#include <gtest/gtest.h>

#include "host/firewall.hpp"
#include "links_contract.hpp"

namespace rdmastate {

/// On a host whose firewalld runs and has the zone internal of its package. The ports that it gets are closed again.
class FirewallContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;

  Firewall& firewall() { return *host.firewall; }
  FirewallZone zone(FirewallStore store) { return firewall().zone(store, name).value(); }
  void open(FirewallStore store, const FirewallPorts& one) { firewall().open(store, name, one); }
  void close(FirewallStore store, const FirewallPorts& one) { firewall().close(store, name, one); }

  const std::string name = "internal";
  const FirewallPorts port{20049, 20049, "tcp"};
  const FirewallPorts range{20040, 20060, "tcp"};
};

}  // namespace rdmastate
