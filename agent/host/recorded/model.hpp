// SPDX-License-Identifier: Apache-2.0
// A whole host as plain values: what a recorded host is loaded from, saved to, and works on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/accounts.hpp"
#include "host/connections.hpp"
#include "host/dcb.hpp"
#include "host/files.hpp"
#include "host/firewall.hpp"
#include "host/links.hpp"
#include "host/modules.hpp"
#include "host/network_manager.hpp"
#include "host/nfsd.hpp"
#include "host/rdma.hpp"
#include "host/units.hpp"

namespace rdmastate {

/// Stands in a record before a file's name that is no UTF-8: the name's bytes follow in hexadecimal digits.
inline constexpr std::string_view hex_name = "hex:";

/// What decides the MTU of IPoIB interfaces on one port, as InfiniBand MTUs in bytes (256 to 4096; 10240 on Omni-Path).
struct PortMtu {
  std::uint32_t max = 4096;    ///< the port's max_mtu; an interface's MTU is at most 4 less (IPOIB_UD_MTU, ipoib.h)
  std::uint32_t group = 2048;  ///< of the IPoIB broadcast groups: what a partition without `mtu=` has (opensm)
  std::map<std::uint16_t, std::uint32_t> partitions;  ///< groups of another MTU, by full-member P_Key
  bool operator==(const PortMtu&) const = default;
};

/// A link, and what the kernel knows of it but does not show.
struct RecordedLink {
  Link link;
  std::uint32_t mcast_mtu = 0;        ///< IPoIB: what the last join of the broadcast group allowed
  std::uint32_t admin_mtu = 0;        ///< IPoIB: what was asked for in datagram mode
  std::uint32_t mtu_alone = 0;        ///< of a bond's port: the MTU that it gets again when it leaves
  bool cable = true;                  ///< has carrier when up; IPoIB asks its port instead
  std::optional<DcbState> dcb{};      ///< nullopt: its driver has none
  std::optional<PauseState> pause{};  ///< nullopt: its driver has none
  FlowCounters flow_counters{};
  bool operator==(const RecordedLink&) const = default;
};

/// A port's RoCE modes, and rdma_cm's defaults for it.
struct RecordedRoce {
  std::vector<RoceMode> modes;  ///< those it supports; all have GIDs
  RoceDefaults defaults;        ///< lost when rdma_cm is unloaded
  bool operator==(const RecordedRoce&) const = default;
};

/// A virtual function that is there.
struct RecordedVf {
  VfSettings settings;
  std::string driver;  ///< empty: none has it
  bool operator==(const RecordedVf&) const = default;
};
/// A PCI function that can have virtual ones. What a driver keeps of those that are gone is no part of a record.
struct RecordedSriov {
  std::uint32_t total = 0;
  bool autoprobe = true;
  std::vector<RecordedVf> functions;
  std::uint32_t offset = 1;  ///< as Sriov::offset
  std::uint32_t stride = 1;
  bool operator==(const RecordedSriov&) const = default;
};

/// What systemd has been given to start later.
struct RecordedTimer {
  std::uint32_t seconds = 0;           ///< from when it was armed
  std::vector<std::string> arguments;  ///< what it starts rdmastate with: "rollback", ...
  bool operator==(const RecordedTimer&) const = default;
};
/// A unit that is active.
struct RecordedUnit {
  std::uint32_t main_pid = 0;             ///< of a service with a main process; 0: none
  std::optional<MemlockLimit> memlock{};  ///< of that process
  bool needs_reload = false;              ///< its files had changed since systemd read them when this was recorded
  bool lost_device = false;               ///< as UnitLook has it
  std::optional<OlderProcesses> older{};  ///< as UnitLook has it
  bool operator==(const RecordedUnit&) const = default;
};
/// What a record keeps of an active unit that was looked at.
inline RecordedUnit recorded_unit(const UnitLook& look) {
  return {look.main_pid, look.memlock, look.needs_reload, look.lost_device, look.older};
}
/// What systemd holds: its transient timers and active units, both by name.
struct RecordedSystemd {
  std::map<std::string, RecordedTimer> timers;
  std::map<std::string, RecordedUnit> units;  ///< those that are active, as far as the record tells of them
  bool operator==(const RecordedSystemd&) const = default;
};

/// The kernel's NFS server.
struct RecordedNfsd {
  NfsdState state;
  std::vector<NfsdClient> clients;
  bool operator==(const RecordedNfsd&) const = default;
};

/// firewalld that runs: its zones, by name, as its rules are and as it would read them anew.
struct RecordedFirewalld {
  using Zones = std::map<std::string, FirewallZone>;
  Zones runtime;
  Zones permanent;
  Zones& zones_of(FirewallStore store) { return store == FirewallStore::runtime ? runtime : permanent; }
  bool operator==(const RecordedFirewalld&) const = default;
};

/// A whole host as values: what a record's file holds and a recorded host works on. Plain data, copied by value.
struct HostModel {
  std::string origin;              ///< "recorded in the guest", "reconstructed from ..."
  std::vector<std::string> notes;  ///< for people: which values were filled in
  std::map<std::string, FileContent> files;
  /// Patterns (place.hpp) of the paths that the record tells of: what they name and `files` has not is absent, what
  /// they do not name is unseen. nullopt: it tells of all.
  std::optional<std::vector<std::string>> holds;
  std::set<std::string> unseen_kinds;  ///< kinds of which the record's maker was not allowed to see all resources
  std::set<std::string> unseen;        ///< paths that the record's maker was not allowed to read, with all below them
  std::map<std::uint32_t, RecordedLink> links;  ///< by ifindex
  std::uint32_t next_index = 1;                 ///< the kernel never gives an ifindex twice
  std::vector<Address> addresses;               ///< in the kernel's order: of a subnet the first is primary
  std::vector<Route> routes;
  std::vector<RdmaDevice> devices;
  std::map<std::string, SoftDevice> soft;              ///< those of `devices` that a driver made, by name
  std::map<std::string, std::vector<RdmaUser>> users;  ///< who has what open, by device
  using Port = std::pair<std::string, std::uint32_t>;  ///< device and number
  std::map<Port, RecordedRoce> roce;                   ///< of ports that are not as kernel::usual_roce() says
  std::map<Port, std::string> netdevs;         ///< of ports that have a network device; soft ones' are in `soft`
  std::map<std::string, RecordedSriov> sriov;  ///< by PCI address, of functions of `devices`
  NetnsMode netns_mode = NetnsMode::shared;
  std::vector<std::string> other_namespaces;  ///< who has a network namespace of its own
  std::vector<Connection> connections;
  std::map<std::uint64_t, PortMtu> port_mtus;  ///< by port GUID; a port that is not here has the defaults
  ModuleTable modules;
  Directory directory;
  std::optional<NmState> networkmanager;      ///< nullopt: it does not run
  bool networkd = false;                      ///< it runs
  std::optional<RecordedSystemd> systemd;     ///< nullopt: it does not answer on the bus
  std::optional<RecordedNfsd> nfsd;           ///< nullopt: nobody has mounted its file system
  bool ipv6 = true;                           ///< false: the kernel runs with ipv6.disable=1
  std::optional<RecordedFirewalld> firewall;  ///< nullopt: it does not run

  // Compiled once, in the .cpp of this name: at -O0 each source that ends or copies one takes a second or more for it.
  HostModel();
  HostModel(const HostModel& other);
  HostModel(HostModel&& other) noexcept;
  HostModel& operator=(const HostModel& other);
  HostModel& operator=(HostModel&& other) noexcept;
  ~HostModel();

  bool operator==(const HostModel&) const = default;

  /// By ifindex or by name; nullptr where there is none. Belongs to the model.
  RecordedLink* find(std::uint32_t index);
  RecordedLink* find(std::string_view name);
  /// Adds the link, with the next ifindex unless it has one; replaces a link of the same ifindex.
  RecordedLink& add(RecordedLink link);
};

/// Adds to `files` the directories above them that it lacks, "/" too: mode 0755, owned by root.
void add_parents(std::map<std::string, FileContent>& files);

/// Reads a record. Anything that is unknown, missing, of the wrong type or contradictory is an Error that
/// names its place: "guide.json: links[2].mtu: expected a whole number, got \"big\"".
HostModel read_host_model(std::string_view json, const std::string& name);
/// The one text of a model: keys sorted, two spaces. read_host_model(write_host_model(x)) == x.
std::string write_host_model(const HostModel& model);
/// Text that is equal for hosts between which no kind sees a difference. It leaves out ifindexes, queue pair numbers,
/// hidden MTUs, running duplicate address detection, the order of lists, process numbers, whether systemd has to read
/// files again, clients of the NFS server, notes, and of modules all but those that are loaded and what they were
/// given.
std::string comparable_text(const HostModel& model);

}  // namespace rdmastate
