// SPDX-License-Identifier: Apache-2.0
// Random specs that are valid for the guide's host, and random states of that host. They are built of small numbers,
// so that a failing one shrinks to few records, and shown as YAML.
#pragma once

#include <string>
#include <vector>

#include "support/property.hpp"
#include "support/scene.hpp"

namespace rdmastate {

struct IpPart {
  int v4 = 0;  ///< 0: no block, 1: disabled, 2: one address, 3: two and a route
  int v6 = 0;  ///< 0: no block, 1: disabled, 2: auto, 3: one address, 4: an address and a route
};

struct ChildPart {
  int partition = 0;  ///< 0 to 3: P_Key 0x8002 to 0x8005
  int mode = 0;       ///< 0: left alone, 1: datagram, 2: connected
  bool mtu = false;
  int umcast = 0;  ///< 0: left alone, 1: true, 2: false
  bool absent = false;
  bool named = false;
  IpPart ip;
};

struct PortPart {
  bool link_file = false;  ///< of the first port, the only one on its PCI function: named by a .link file
  int mode = 0;            ///< as a child's
  bool mtu = false;
  int umcast = 0;  ///< as a child's
  IpPart ip;
  std::vector<ChildPart> children;
};

struct SpecPart {
  std::vector<PortPart> ports;  ///< at most three
  bool with_umad = false;
  bool with_ipoib = true;
  bool with_block = false;
  int options = 0;  ///< 0: none, 1: what a module takes when it is loaded, 2: what the kernel changes too
  int devices = 0;  ///< 0: none, 1: expected, 2: named, 3: with each other's names
  int roce = 0;     ///< of the first device's Ethernet port; 0: left alone, 1: ToS, 2: mode and ToS
  bool with_soft = false;
  /// 0: none, 1: a server, 2: and two mounts, 3: the mounts, otherwise, 4: a server that is run, 5: on another port, 6:
  /// one that is not run
  int nfs = 0;
  int memlock = 0;    ///< 0: none, 1: a group, 2: a group, members, services, 3: services
  bool umad = false;  ///< a group may open the management nodes
  int netns = 0;      ///< 0: left alone, 1: shared, 2: exclusive
  int manager = 0;    ///< 0: not named, 1: does not run, 2: on one port, 3: on two with partitions
  std::string text() const;
};

/// Something that others did to the host before.
struct HostPart {
  bool loaded = false;   ///< ib_ipoib is loaded
  bool up = false;       ///< the first port's interface is up, in connected mode, with an address of another's
  bool child = false;    ///< somebody made partition 0x8002 on it, with an address
  bool promote = false;  ///< promote_secondaries
  bool initrd = false;   ///< the kernel boots with an image that initramfs-tools made
  bool nfs = false;      ///< systemd answers, and the NFS server is installed
  bool serving = false;  ///< and runs, with a client, since somebody else has started it
  int firewall = 0;      ///< 0: none, 1: firewalld is installed, 2: it runs
  HostModel model() const;
};

/// One draw each, shown as YAML and in words.
SpecPart any_spec(Case& drawn);
HostPart any_host(Case& drawn);
/// Before a call takes effect, or after.
When any_when(Case& drawn);

}  // namespace rdmastate
