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
#include "host/initrds.hpp"
#include "host/links.hpp"
#include "host/modules.hpp"
#include "host/network_manager.hpp"
#include "host/networkd.hpp"
#include "host/nfsd.hpp"
#include "host/rdma.hpp"
#include "host/timers.hpp"
#include "host/udev.hpp"
#include "host/units.hpp"

namespace rdmastate {

struct Facts;

/// The doors to one host. A tree has files and a clock only; its other pointers are null, and every kind that needs
/// them is not observable there: its live column is "-", never "missing".
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
  Udev* udev = nullptr;  ///< null on a recorded host too: it has no rules to obey
  Accounts* accounts = nullptr;
  Initrds* initrds = nullptr;
  /// Of a tree: what somebody says of the hardware and programs that it is for (given_facts.hpp); may be null.
  const Facts* given = nullptr;
  Timers* timers = nullptr;
  Units* units = nullptr;
  Nfsd* nfsd = nullptr;
  /// Of a recorded host: kinds of resources of which it does not hold all. May be null: none.
  const std::set<std::string>* unseen_kinds = nullptr;
  /// A recorded host: nobody is there to do what an apply tells the daemons that own interfaces.
  bool is_rehearsal = false;

  bool is_tree() const { return links == nullptr; }
};

}  // namespace rdmastate
