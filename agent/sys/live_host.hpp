// SPDX-License-Identifier: Apache-2.0
// The live host: everything that it is asked through.
#pragma once

#include "host/host.hpp"
#include "sys/accounts.hpp"
#include "sys/bus.hpp"
#include "sys/clock.hpp"
#include "sys/connections.hpp"
#include "sys/dcb.hpp"
#include "sys/files.hpp"
#include "sys/firewall.hpp"
#include "sys/ifupdown.hpp"
#include "sys/initrds.hpp"
#include "sys/labels.hpp"
#include "sys/links.hpp"
#include "sys/modules.hpp"
#include "sys/netplan.hpp"
#include "sys/network_manager.hpp"
#include "sys/networkd.hpp"
#include "sys/nfsd.hpp"
#include "sys/programs.hpp"
#include "sys/rdma.hpp"
#include "sys/root.hpp"
#include "sys/timers.hpp"
#include "sys/units.hpp"

namespace rdmastate {

/// Owns what the live host is asked through. Cheap to make: sockets and libraries are opened on first use.
struct LiveHost {
  LiveHost();
  LiveHost(const LiveHost&) = delete;
  LiveHost& operator=(const LiveHost&) = delete;

  Root root;
  PolicyLabels labels;
  RootFiles files;
  SystemClock clock;
  NetlinkLinks links;
  KernelRdma rdma;
  KmodModules modules;
  Bus bus;
  BusNetworkManager networkmanager;
  BusNetworkd networkd;
  KernelConnections connections;
  KernelDcb dcb;
  ProgramUdev udev;
  NameServices accounts;
  BusTimers timers;
  BusUnits units;
  KernelNfsd nfsd;
  BusFirewall firewall;
  ProgramInitrds initrds;
  ProgramIfupdown ifupdown;
  ProgramNetplan netplan;
  Host host;  ///< refers to the members above
};

}  // namespace rdmastate
