// SPDX-License-Identifier: Apache-2.0
#include "sys/live_host.hpp"

namespace rdmastate {

LiveHost::LiveHost()
    : root("/"),
      labels(root, LabelsOf::this_host),
      files(root, &labels),
      links(root),
      rdma(root),
      modules(root),
      networkmanager(bus, clock),
      networkd(bus),
      connections(root),
      accounts(root),
      timers(root, bus, clock),
      units(root, bus, clock),
      nfsd(root),
      firewall(bus),
      netplan(files),
      // In the order of struct Host; nullptr: facts are given of a tree alone.
      host{"this host", files,        clock, &links,    &rdma,     &modules, &networkmanager,
           &networkd,   &connections, &dcb,  &udev,     &accounts, &initrds, nullptr,
           &timers,     &units,       &nfsd, &ifupdown, &firewall, &netplan} {}

}  // namespace rdmastate
