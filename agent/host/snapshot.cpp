// SPDX-License-Identifier: Apache-2.0
// Interfaces: the first question asks the kernel for those that expect() named, one by one where they are few, else for
// all in one dump. A question about an interface that was not expected makes the dump too. Every other table that
// is kept is filled at its first question.
#include "host/snapshot.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "host/export_table.hpp"
#include "host/facts.hpp"

namespace rdmastate {

namespace {

// A kernel table grouped by interface: filled for one interface at a time, or whole by one dump.
template <class T>
struct PerLink {
  std::unordered_map<std::uint32_t, std::vector<T>> of;
  bool whole = false;

  /// Of one interface. `ask(ifindex)` asks the host, and ask(0) for all interfaces.
  template <class Ask>
  const std::vector<T>& get(std::uint32_t link, bool one_by_one, Ask&& ask) {
    if (const auto found = of.find(link); found != of.end()) return found->second;
    if (one_by_one && !whole) return of.emplace(link, ask(link)).first->second;
    fill(ask);
    return of[link];  // empty where the dump has nothing of it
  }
  template <class Ask>
  void fill(Ask&& ask) {
    if (std::exchange(whole, true)) return;
    of.clear();
    for (auto& one : ask(0)) of[one.link].push_back(std::move(one));
  }
};

}  // namespace

// The answers that are kept. Not asked yet: a key that is missing, or an outer optional without a value; an inner
// optional is the host's answer.
struct Snapshot::Tables {
  std::unordered_map<std::string, std::optional<FileContent>> files;
  std::deque<Link> store;  // owns the links; a deque does not move them, so the tables below may point to them
  std::vector<const Link*> links;
  std::unordered_map<std::string_view, const Link*> by_name;
  std::unordered_map<std::uint32_t, const Link*> by_index;
  std::unordered_map<std::uint64_t, const Link*> by_guid;       // parents only
  std::unordered_map<std::uint64_t, const Link*> by_partition;  // parent << 16 | P_Key
  bool asked = false;                                           // the expected interfaces were asked for
  bool dumped = false;                                          // all interfaces were asked for
  std::optional<bool> asks_one_by_one;
  PerLink<Address> addresses;
  PerLink<Route> routes;
  std::vector<Route> all_routes;
  std::optional<std::vector<RdmaDevice>> devices;
  std::optional<std::vector<SoftDevice>> soft;
  std::unordered_map<std::string, ModuleStatus> modules;
  std::optional<std::optional<NmState>> networkmanager;
  std::optional<bool> networkd_runs;
  std::optional<bool> has_ifupdown;
  std::optional<bool> has_netplan;
  std::optional<bool> systemd_answers;
  std::unordered_map<std::string, std::optional<UnitLook>> units;
  std::optional<std::optional<NfsdState>> nfsd;
  std::optional<bool> firewall_runs;
  std::map<std::pair<FirewallStore, std::string>, std::optional<FirewallZone>> firewall_zones;
  std::optional<ExportTable> exports;
  std::optional<std::vector<Connection>> connections;
  std::optional<std::vector<MountLine>> mounts;
};

namespace {

std::uint64_t partition_key(std::uint32_t parent, PKey pkey) { return std::uint64_t{parent} << 16U | pkey.value; }

// Asks a program of the host unless the answer is known; false where the host has no such program.
template <class Part, class Ask>
bool ask_once(std::optional<bool>& known, const Part& part, Ask ask) {
  if (part == nullptr) return false;
  if (!known) known = ask(*part);
  return *known;
}

template <class Map, class Key>
const Link* look(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

Snapshot::Snapshot(Host& host) : host_(host), tables_(std::make_unique<Tables>()) {}
Snapshot::~Snapshot() = default;

std::optional<std::string> Snapshot::read(const std::string& path) const { return host_.files.read(path); }

const std::optional<FileContent>& Snapshot::file(const std::string& path) const {
  const auto found = tables_->files.find(path);
  if (found != tables_->files.end()) return found->second;
  return tables_->files.emplace(path, host_.files.load(path)).first->second;
}

void Snapshot::add_link(Link link) const {
  auto& t = *tables_;
  if (t.by_index.contains(link.index)) return;
  const Link* kept = &t.store.emplace_back(std::move(link));
  t.links.push_back(kept);
  t.by_name.emplace(kept->name, kept);
  t.by_index.emplace(kept->index, kept);
  if (kept->is_child() && kept->ipoib) {
    t.by_partition.emplace(partition_key(kept->parent, kept->ipoib->pkey), kept);
  } else if (kept->is_ipoib()) {
    t.by_guid.emplace(kept->port_guid().value, kept);
  }
}

void Snapshot::expect(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  expected_ = std::move(names);
}

// A query for one interface is taken to cost as much as six interfaces in a dump, which shares its system calls: of 100
// and of 1000 bridges it cost 1.5 and 2.1 times as much in the kernel, before a reader does anything. So queries win
// only where the host has more than six times as many interfaces as are expected.
bool Snapshot::asks_one_by_one() const {
  constexpr std::size_t dumped_links_per_query = 6;
  auto& known = tables_->asks_one_by_one;
  if (!known) known = !expected_.empty() && expected_.size() * dumped_links_per_query < host_.links->count();
  return *known;
}

void Snapshot::dump_links() const {
  if (tables_->dumped || host_.is_tree()) return;
  tables_->dumped = true;
  for (auto& link : host_.links->dump()) add_link(std::move(link));
}

void Snapshot::ask_for_expected() const {
  if (tables_->asked || host_.is_tree()) return;
  tables_->asked = true;
  if (!asks_one_by_one()) return dump_links();
  for (const auto& name : expected_)
    if (auto link = host_.links->find(name)) add_link(std::move(*link));
}

const Link* Snapshot::link(std::string_view name) const {
  ask_for_expected();
  if (const Link* found = look(tables_->by_name, name)) return found;
  const bool was_asked = std::find(expected_.begin(), expected_.end(), name) != expected_.end();
  if (was_asked) return nullptr;
  dump_links();
  return look(tables_->by_name, name);
}

const Link* Snapshot::link(std::uint32_t index) const {
  ask_for_expected();
  if (const Link* found = look(tables_->by_index, index)) return found;
  dump_links();
  return look(tables_->by_index, index);
}

const Link* Snapshot::port_link(Guid guid) const {
  ask_for_expected();
  if (const Link* found = look(tables_->by_guid, guid.value)) return found;
  dump_links();
  return look(tables_->by_guid, guid.value);
}

const Link* Snapshot::child(std::uint32_t parent, PKey pkey) const {
  ask_for_expected();
  if (const Link* found = look(tables_->by_partition, partition_key(parent, pkey))) return found;
  dump_links();
  return look(tables_->by_partition, partition_key(parent, pkey));
}

const std::vector<const Link*>& Snapshot::links() const {
  dump_links();
  return tables_->links;
}

std::vector<Address> Snapshot::addresses(std::uint32_t link) const {
  if (host_.is_tree()) return {};
  return tables_->addresses.get(link, asks_one_by_one(),
                                [&](std::uint32_t which) { return host_.links->addresses(which); });
}

std::vector<Route> Snapshot::routes(std::uint32_t link) const {
  if (host_.is_tree()) return {};
  return tables_->routes.get(link, asks_one_by_one(), [&](std::uint32_t which) { return host_.links->routes(which); });
}

const std::vector<Route>& Snapshot::routes() const {
  auto& all = tables_->all_routes;
  if (host_.is_tree() || !all.empty()) return all;
  tables_->routes.fill([&](std::uint32_t which) { return host_.links->routes(which); });
  for (const auto& [link, routes] : tables_->routes.of) all.insert(all.end(), routes.begin(), routes.end());
  return all;
}

std::vector<std::uint32_t> Snapshot::default_route_links() const {
  std::vector<std::uint32_t> found;
  for (const auto& route : routes())
    if (route.to.is_default() && std::find(found.begin(), found.end(), route.link) == found.end())
      found.push_back(route.link);
  return found;
}

const std::vector<RdmaDevice>& Snapshot::devices() const {
  static const std::vector<RdmaDevice> none;
  if (host_.rdma == nullptr) return host_.given != nullptr ? host_.given->devices : none;
  if (!tables_->devices) tables_->devices = host_.rdma->devices();
  return *tables_->devices;
}

const std::vector<SoftDevice>& Snapshot::soft_devices() const {
  if (!tables_->soft) tables_->soft = host_.rdma != nullptr ? host_.rdma->soft_devices() : std::vector<SoftDevice>();
  return *tables_->soft;
}

std::optional<NetnsMode> Snapshot::netns_mode() const {
  return host_.rdma != nullptr ? host_.rdma->netns_mode() : std::nullopt;
}

std::vector<std::string> Snapshot::other_namespaces() const {
  return host_.rdma != nullptr ? host_.rdma->other_namespaces() : std::vector<std::string>();
}

bool Snapshot::knows_user(const std::string& name) const {
  return host_.accounts != nullptr && host_.accounts->knows_user(name);
}

bool Snapshot::knows_group(const std::string& name) const {
  return host_.accounts != nullptr && host_.accounts->knows_group(name);
}

bool Snapshot::uses_id(std::uint32_t id) const { return host_.accounts != nullptr && host_.accounts->uses_id(id); }

std::vector<RdmaUser> Snapshot::users(const std::string& device) const {
  return host_.rdma != nullptr ? host_.rdma->users(device) : std::vector<RdmaUser>();
}

std::string Snapshot::netdev(const std::string& device, std::uint32_t port) const {
  return host_.rdma != nullptr ? host_.rdma->netdev(device, port) : std::string();
}

std::optional<Sriov> Snapshot::sriov(const std::string& pci) const {
  return host_.rdma != nullptr ? host_.rdma->sriov(pci) : std::nullopt;
}

std::vector<VfSettings> Snapshot::vf_settings(const Link& link) const {
  return host_.links != nullptr ? host_.links->vf_settings(link) : std::vector<VfSettings>();
}

std::optional<DcbState> Snapshot::dcb(const std::string& netdev) const {
  return host_.dcb != nullptr ? host_.dcb->dcb(netdev) : std::nullopt;
}

std::optional<PauseState> Snapshot::pause(const std::string& netdev) const {
  return host_.dcb != nullptr ? host_.dcb->pause(netdev) : std::nullopt;
}

FlowCounters Snapshot::flow_counters(const std::string& netdev) const {
  return host_.dcb != nullptr ? host_.dcb->flow_counters(netdev) : FlowCounters();
}

std::optional<RoceDefaults> Snapshot::roce_defaults(const std::string& device, std::uint32_t port) const {
  return host_.rdma != nullptr ? host_.rdma->roce_defaults(device, port) : std::nullopt;
}

std::vector<RoceMode> Snapshot::roce_modes(const std::string& device, std::uint32_t port) const {
  return host_.rdma != nullptr ? host_.rdma->roce_modes(device, port) : std::vector<RoceMode>();
}

const NmState* Snapshot::networkmanager() const {
  if (host_.networkmanager == nullptr) return nullptr;
  auto& state = tables_->networkmanager;
  if (!state) state = host_.networkmanager->look();
  return *state ? &**state : nullptr;
}

bool Snapshot::networkd_runs() const {
  return ask_once(tables_->networkd_runs, host_.networkd, [](auto& program) { return program.runs(); });
}

bool Snapshot::has_ifupdown() const {
  return ask_once(tables_->has_ifupdown, host_.ifupdown, [](auto& program) { return program.is_here(); });
}

bool Snapshot::has_netplan() const {
  return ask_once(tables_->has_netplan, host_.netplan, [](auto& program) { return program.is_here(); });
}

bool Snapshot::systemd_answers() const {
  return ask_once(tables_->systemd_answers, host_.units, [](auto& program) { return program.answers(); });
}

const UnitLook* Snapshot::unit(const std::string& name) const {
  if (!systemd_answers()) return nullptr;
  auto found = tables_->units.find(name);
  if (found == tables_->units.end()) found = tables_->units.emplace(name, host_.units->look(name)).first;
  return found->second ? &*found->second : nullptr;
}

std::vector<std::string> Snapshot::services() const {
  return systemd_answers() ? host_.units->services() : std::vector<std::string>();
}

const NfsdState* Snapshot::nfsd() const {
  if (host_.nfsd == nullptr) return nullptr;
  auto& known = tables_->nfsd;
  if (!known) known = host_.nfsd->look();
  return *known ? &**known : nullptr;
}

bool Snapshot::firewall_runs() const {
  return ask_once(tables_->firewall_runs, host_.firewall, [](auto& program) { return program.runs(); });
}

const FirewallZone* Snapshot::firewall_zone(FirewallStore store, const std::string& name) const {
  if (!firewall_runs()) return nullptr;
  auto found = tables_->firewall_zones.find({store, name});
  if (found == tables_->firewall_zones.end())
    found = tables_->firewall_zones.emplace(std::pair(store, name), host_.firewall->zone(store, name)).first;
  return found->second ? &*found->second : nullptr;
}

std::vector<std::string> Snapshot::firewall_zones(FirewallStore store) const {
  return firewall_runs() ? host_.firewall->zones(store) : std::vector<std::string>();
}

std::vector<NfsdClient> Snapshot::nfs_clients() const {
  return host_.nfsd != nullptr ? host_.nfsd->clients() : std::vector<NfsdClient>();
}

const ExportTable& Snapshot::exports() const {
  auto& known = tables_->exports;
  if (!known) known.emplace(nfsd() == nullptr ? std::vector<NfsExport>() : nfsd()->exports);
  return *known;
}

const std::vector<Connection>& Snapshot::connections() const {
  auto& known = tables_->connections;
  if (!known) known = host_.connections != nullptr ? host_.connections->list() : std::vector<Connection>();
  return *known;
}

const std::vector<MountLine>& Snapshot::mounts() const {
  auto& known = tables_->mounts;
  if (!known) known = is_tree() ? std::vector<MountLine>() : mounts_from(read(mountinfo_path).value_or(""));
  return *known;
}

std::optional<ModuleParameter> Snapshot::parameter(const ModuleName& module, const ParameterName& name) const {
  return host_.modules != nullptr ? host_.modules->parameter(module, name) : std::nullopt;
}

ModuleStatus Snapshot::module(const ModuleName& name) const {
  const auto found = tables_->modules.find(name.value);
  if (found != tables_->modules.end()) return found->second;
  return tables_->modules.emplace(name.value, host_.modules->status(name)).first->second;
}

}  // namespace rdmastate
