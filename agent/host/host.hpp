// SPDX-License-Identifier: Apache-2.0
// One host, whichever kind it is: live, an offline tree, or recorded.
#pragma once

#include <set>
#include <string>

#include "host/accounts.hpp"
#include "host/clock.hpp"
#include "host/connections.hpp"
#include "host/dcb.hpp"
#include "host/files.hpp"
#include "host/firewall.hpp"
#include "host/ifupdown.hpp"
#include "host/initrds.hpp"
#include "host/links.hpp"
#include "host/modules.hpp"
#include "host/netplan.hpp"
#include "host/network_manager.hpp"
#include "host/networkd.hpp"
#include "host/nfsd.hpp"
#include "host/rdma.hpp"
#include "host/timers.hpp"
#include "host/udev.hpp"
#include "host/units.hpp"

namespace rdmastate {

struct Facts;

/// The interfaces to one host. A tree has files and a clock only; its other pointers are null. A kind that needs them
/// cannot be observed there: a plan shows "-" for what is live, never "missing".
struct Host {
  std::string description;  ///< "this host", "tree at /mnt", "recorded host guide.json"
  Files& files;
  Clock& clock;
  Links* links = nullptr;
  Rdma* rdma = nullptr;
  Modules* modules = nullptr;
  NetworkManager* networkmanager = nullptr;
  Networkd* networkd = nullptr;
  Connections* connections = nullptr;
  Dcb* dcb = nullptr;
  Udev* udev = nullptr;  ///< null on a recorded host too: udev is not modelled
  Accounts* accounts = nullptr;
  Initrds* initrds = nullptr;
  /// Of a tree: the given facts of the host that it is for (given_facts.hpp); null: none are given.
  const Facts* given = nullptr;
  Timers* timers = nullptr;
  Units* units = nullptr;
  Nfsd* nfsd = nullptr;
  Ifupdown* ifupdown = nullptr;
  Firewall* firewall = nullptr;
  Netplan* netplan = nullptr;
  /// Of a recorded host: the kinds of which the record may not hold all resources. null: there is no such kind.
  const std::set<std::string>* unseen_kinds = nullptr;
  /// A record opened with --host: no daemons run there, so an apply itself does what the owners would do.
  bool is_rehearsal = false;

  bool is_tree() const { return links == nullptr; }
};

}  // namespace rdmastate
