// SPDX-License-Identifier: Apache-2.0
// One lazy pass over a host: each kernel table or file whose answer is kept is asked for once, and only when it is
// needed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/host.hpp"
#include "host/mounts.hpp"

namespace rdmastate {

class ExportTable;

/// Answers questions about one host. An answer that is kept stays the same whatever happens on the host: drop the
/// Snapshot after any move. A call that is marked "Not kept" asks the host each time. Each throws what the interfaces
/// of `Host` throw; EACCES is for the caller (look_at.hpp).
class Snapshot {
 public:
  explicit Snapshot(Host& host);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  /// The interface names that the spec leads to expect, told before any interface is asked for. Where they are few
  /// against the host's interfaces, each is asked for by name; a question about any other interface then costs one
  /// dump.
  void expect(std::vector<std::string> names);

  bool is_tree() const { return host_.is_tree(); }
  const std::string& description() const { return host_.description; }
  /// True where this is a record whose maker could not see all resources of this kind.
  bool is_unseen(std::string_view kind) const {
    return host_.unseen_kinds != nullptr && host_.unseen_kinds->contains(std::string(kind));
  }
  /// The end of a sentence that tells the user how to see what is unseen.
  std::string_view who_sees() const {
    return host_.is_rehearsal ? "make the record anew, as root" : "run as root to see it";
  }
  /// The facts given for a tree (--facts); nullptr: none.
  const Facts* given() const { return host_.given; }

  /// The path itself, whole; nullopt when absent. Kept: a second call costs nothing.
  const std::optional<FileContent>& file(const std::string& path) const;
  /// A regular file's bytes, symlinks followed; nullopt when absent, or when a directory stands there, which no program
  /// reads as a file. Not kept.
  std::optional<std::string> read(const std::string& path) const;
  /// As Files::stamp(), whether Files::meta() has something, and Files::list(). All three: not kept.
  std::optional<FileStamp> stamp(const std::string& path) const { return host_.files.stamp(path); }
  bool exists(const std::string& path) const { return host_.files.meta(path).has_value(); }
  std::vector<std::string> list(const std::string& directory) const { return host_.files.list(directory); }

  /// One interface, by its present name or its ifindex; nullptr: there is none. A Link lives as long as the Snapshot.
  const Link* link(std::string_view name) const;
  const Link* link(std::uint32_t index) const;
  /// The port's own IPoIB interface, never a child, by the port's GUID; nullptr: there is none.
  const Link* port_link(Guid guid) const;
  /// The child of the interface with ifindex `parent` in that partition; nullptr: there is none.
  const Link* child(std::uint32_t parent, PKey pkey) const;
  const std::vector<const Link*>& links() const;  ///< all of them: costs the dump
  /// Of one interface, by its ifindex. A tree has none.
  std::vector<Address> addresses(std::uint32_t link) const;
  std::vector<Route> routes(std::uint32_t link) const;
  const std::vector<Route>& routes() const;  ///< all of them: costs the dump
  /// The interfaces that default routes leave by.
  std::vector<std::uint32_t> default_route_links() const;

  /// Asked for once, then kept. In a tree: the devices of --facts, else none.
  const std::vector<RdmaDevice>& devices() const;
  /// Of a host that runs. Kept.
  ModuleStatus module(const ModuleName& name) const;
  /// Of a host that runs. Not kept.
  ModuleTable module_table() const { return host_.modules->table(); }
  /// As Modules::parameter(); nullopt in a tree. Not kept.
  std::optional<ModuleParameter> parameter(const ModuleName& module, const ParameterName& name) const;
  /// nullptr: NetworkManager does not run, or this is a tree.
  const NmState* networkmanager() const;
  /// Whether systemd-networkd answers on the bus; never in a tree.
  bool networkd_runs() const;
  /// Whether Debian's ifupdown is on this host (Ifupdown::is_here()); never in a tree.
  bool has_ifupdown() const;
  /// Whether netplan is on this host (Netplan::is_here()); never in a tree.
  bool has_netplan() const;
  /// Whether systemd answers on the bus; never in a tree.
  bool systemd_answers() const;
  /// nullptr: systemd does not answer; or the unit is not active, and there is none or it is masked.
  const UnitLook* unit(const std::string& name) const;
  /// The services that are active; none where systemd does not answer. Not kept.
  std::vector<std::string> services() const;
  /// nullptr: no NFS server can run, or this is a tree.
  const NfsdState* nfsd() const;
  /// Whether firewalld answers on the bus; never in a tree.
  bool firewall_runs() const;
  /// nullptr: firewalld does not run, or has no such zone.
  const FirewallZone* firewall_zone(FirewallStore store, const std::string& name) const;
  /// The names of its zones; none where it does not run. Not kept.
  std::vector<std::string> firewall_zones(FirewallStore store) const;
  /// What the NFS server exports now, by directory and client; nothing where none runs. Kept.
  const ExportTable& exports() const;
  /// As Nfsd::clients(); none in a tree. Asked for only when the server would stop. Not kept.
  std::vector<NfsdClient> nfs_clients() const;

  /// The next three are asked for only when a spec names what needs them. A tree has none of them.
  const std::vector<SoftDevice>& soft_devices() const;
  /// As Rdma::netns_mode() and Rdma::other_namespaces(). Not kept.
  std::optional<NetnsMode> netns_mode() const;
  std::vector<std::string> other_namespaces() const;
  /// Asked for only when something would be interrupted. A tree has none.
  const std::vector<Connection>& connections() const;
  /// In the order in which they were mounted. A tree has none.
  const std::vector<MountLine>& mounts() const;
  // Nothing below is kept.
  /// What the name services of a running host know; nothing in a tree, where only files are read.
  bool knows_user(const std::string& name) const;
  bool knows_group(const std::string& name) const;
  bool uses_id(std::uint32_t id) const;
  Directory directory() const { return host_.accounts != nullptr ? host_.accounts->directory() : Directory{}; }
  /// As the functions of Rdma, Links and Dcb of these names; nullopt or empty in a tree.
  std::vector<RdmaUser> users(const std::string& device) const;
  std::string netdev(const std::string& device, std::uint32_t port) const;
  std::optional<Sriov> sriov(const std::string& pci) const;
  std::vector<VfSettings> vf_settings(const Link& link) const;
  std::optional<DcbState> dcb(const std::string& netdev) const;
  std::optional<PauseState> pause(const std::string& netdev) const;
  FlowCounters flow_counters(const std::string& netdev) const;
  std::optional<RoceDefaults> roce_defaults(const std::string& device, std::uint32_t port) const;
  std::vector<RoceMode> roce_modes(const std::string& device, std::uint32_t port) const;

 private:
  struct Tables;
  /// Each fills in the tables of interfaces: with one, with all of them by one dump, and with those that are expected
  /// (or all, where a dump costs less).
  void add_link(Link link) const;
  void dump_links() const;
  void ask_for_expected() const;
  /// Whether expected interfaces are asked for one by one: that costs less than a dump.
  bool asks_one_by_one() const;

  Host& host_;
  std::vector<std::string> expected_;
  std::unique_ptr<Tables> tables_;
};

}  // namespace rdmastate
