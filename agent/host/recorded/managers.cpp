// SPDX-License-Identifier: Apache-2.0
// First NetworkManager, whose model is NmState; then networkd, whose model is the state files in /run.
#include "host/recorded/managers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/ini.hpp"
#include "base/lines.hpp"
#include "base/sha256.hpp"
#include "host/recorded/kernel.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t others_bits = 077;

/// What NetworkManager's keyfile plugin takes: a regular file, root's own, with a [connection] that has a type.
bool is_profile(const FileContent& file) {
  return file.meta.type == FileType::regular && file.meta.uid == 0 && (file.meta.mode & others_bits) == 0 &&
         !ini::File(ini::keyfile, file.bytes).value("connection", "type").empty();
}

// Takes the interface of this name up or down; does nothing where it is so already, or is not there.
void set_up(HostModel& model, const std::string& interface, bool up) {
  if (RecordedLink* link = model.find(interface); link != nullptr && link->link.up != up)
    kernel::set_up(model, *link, up);
}

/// NetworkManager takes an interface down that it runs nothing on any more (nm_device_deactivate).
template <class Fits>
void deactivate_where(HostModel& model, NmState& nm, Fits&& fits) {
  for (const auto& one : nm.devices)
    if (fits(one)) set_up(model, one.interface, /*up=*/false);
  std::erase_if(nm.devices, fits);
}

// NetworkManager drops a profile whose file is gone, and takes it off its interfaces.
void forget(HostModel& model, NmState& nm, const std::string& uuid) {
  std::erase_if(nm.profiles, [&](const NmProfile& one) { return one.uuid == uuid; });
  deactivate_where(model, nm, [&](const NmDevice& one) { return one.uuid == uuid; });
}

/// The interface that must be there before the profile can be activated: its own, of a child its parent, of a bond
/// none (empty).
std::string base_of(const HostModel& model, const NmProfile& profile, const std::string& interface) {
  const auto file = model.files.find(profile.path);
  if (file == model.files.end()) return interface;
  const ini::File text(ini::keyfile, file->second.bytes);
  if (text.value("connection", "type") == "bond") return {};
  const std::string parent = text.value("infiniband", "parent");
  return parent.empty() ? interface : parent;
}

// Takes the interface up, and throws Error where it then has no carrier and the profile needs one.
void check_carrier(HostModel& model, const NmProfile& profile, const std::string& interface, const std::string& doing) {
  const auto file = model.files.find(profile.path);
  if (file == model.files.end() || !needs_carrier(ini::File(ini::keyfile, file->second.bytes))) return;
  set_up(model, interface, /*up=*/true);
  if (const RecordedLink* link = model.find(interface); link != nullptr && !link->link.carrier)
    throw Error(doing + ": NetworkManager gave up: the interface has no carrier");
}

}  // namespace

// NetworkManager's state, for a call that changes it. Throws Error, which begins with `doing`, where it does not run.
NmState& RecordedNetworkManager::state(const std::string& doing) const {
  if (!model_.networkmanager) throw Error(doing + ": NetworkManager does not run");
  return *model_.networkmanager;
}

std::optional<NmState> RecordedNetworkManager::look() {
  ++log_.reads.managers;
  return model_.networkmanager;
}

void RecordedNetworkManager::load(const std::string& path) {
  const std::string doing = "making NetworkManager read " + path;
  NmState& nm = state(doing);
  log_.move(doing, [&] {
    const NmProfile* before = nm.from_file(path);
    const std::string old_uuid = before != nullptr ? before->uuid : std::string();
    const auto file = model_.files.find(path);
    if (file == model_.files.end()) return forget(model_, nm, old_uuid);
    if (!is_profile(file->second)) throw Error(doing + ": it finds no profile in there");
    const ini::File text(ini::keyfile, file->second.bytes);
    NmProfile read{text.value("connection", "uuid"), path, text.value("user", nm_digest_key), /*unsaved=*/false};
    if (read.uuid.empty()) read.uuid = path;  // NetworkManager makes one of the path
    if (read.uuid != old_uuid) forget(model_, nm, old_uuid);
    std::erase_if(nm.profiles, [&](const NmProfile& one) { return one.uuid == read.uuid; });
    nm.profiles.push_back(std::move(read));
  });
}

void RecordedNetworkManager::activate(const std::string& uuid, const std::string& interface) {
  const std::string doing = "activating profile " + uuid + " on " + interface;
  NmState& nm = state(doing);
  log_.move(doing, [&] {
    const NmProfile* profile = nm.profile(uuid);
    if (profile == nullptr) throw Error(doing + ": NetworkManager has not loaded it");
    const std::string base = base_of(model_, *profile, interface);
    if (!base.empty() && model_.find(base) == nullptr) throw Error(doing + ": there is no interface " + base);
    check_carrier(model_, *profile, interface, doing);
    std::erase_if(nm.devices, [&](const NmDevice& one) { return one.interface == interface; });
    nm.devices.push_back({interface, uuid, profile->digest, /*activated=*/true});
    set_up(model_, interface, /*up=*/true);
  });
}

// True for all changes of an active profile: which of them need an activation is not modelled.
bool RecordedNetworkManager::reapply(const std::string& interface) {
  const std::string doing = "reapplying the profile of " + interface;
  NmState& nm = state(doing);
  bool is_active = false;
  log_.move(doing, [&] {
    for (auto& device : nm.devices)
      if (const NmProfile* profile = nm.profile(device.uuid); profile != nullptr && device.interface == interface) {
        device.digest = profile->digest;
        is_active = true;
      }
  });
  return is_active;
}

void RecordedNetworkManager::deactivate(const std::string& interface) {
  const std::string doing = "deactivating " + interface;
  NmState& nm = state(doing);
  log_.move(doing,
            [&] { deactivate_where(model_, nm, [&](const NmDevice& one) { return one.interface == interface; }); });
}

namespace {

// networkd reads both; of two files with one name that in /etc counts.
constexpr std::array<std::string_view, 2> networkd_files{"/etc/systemd/network/", "/run/systemd/network/"};

// The name of a file right in one of networkd's directories; empty: it stands elsewhere.
std::string name_in_networkd(const std::string& path) {
  for (const std::string_view directory : networkd_files)
    if (path.starts_with(directory) && path.find('/', directory.size()) == std::string::npos)
      return path.substr(directory.size());
  return {};
}

// Whether Name= of this section has the interface's name. Patterns are not modelled.
bool is_named(const FileContent& file, std::string_view section, const std::string& interface) {
  for (const auto& value : ini::File(ini::systemd, file.bytes).values(section, "Name"))
    for (const auto& name : words(value))
      if (name == interface) return true;
  return false;
}

/// The file with this ending whose section names the interface: the first by name, as networkd takes it.
const std::pair<const std::string, FileContent>* file_for(const HostModel& model, std::string_view ending,
                                                          std::string_view section, const std::string& interface) {
  const std::pair<const std::string, FileContent>* first = nullptr;
  std::string first_name;
  for (const auto& file : model.files) {
    const std::string name = name_in_networkd(file.first);
    if (!name.ends_with(ending) || !is_named(file.second, section, interface)) continue;
    if (first == nullptr || name < first_name) first = &file, first_name = name;
  }
  return first;
}

/// The text of a .network file with that of its drop-ins behind it, as networkd reads it: sorted by their names,
/// whichever directory they are in (systemd.network(5)).
std::string with_drop_ins(const HostModel& model, const std::pair<const std::string, FileContent>& network) {
  std::map<std::string, std::string_view> by_name;
  for (const std::string_view directory : networkd_files) {
    const std::string drop_ins = std::string(directory) + name_in_networkd(network.first) + ".d/";
    for (const auto& [path, file] : model.files)
      if (path.starts_with(drop_ins) && path.ends_with(".conf"))
        by_name.try_emplace(path.substr(drop_ins.size()), file.bytes);  // that in /etc comes first
  }
  std::string text = network.second.bytes;
  for (const auto& [name, bytes] : by_name) text.append("\n").append(bytes);
  return text;
}

std::uint32_t number_of(const std::string& text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The state file of an interface that runs this .network file. The comment tells its next version, and that of its
// drop-ins.
std::string text_of_state(const HostModel& model, const std::pair<const std::string, FileContent>& network) {
  return "ADMIN_STATE=configured\nCARRIER_STATE=carrier\nNETWORK_FILE=" + network.first + "\n# " +
         sha256_hex(with_drop_ins(model, network)) + "\n";
}

// What a .netdev file says of a bond. Times are in milliseconds ("100ms"): other units are not modelled.
NewBond bond_of(const ini::File& text) {
  NewBond bond{{}, text.value("NetDev", "Name"), number_of(text.value("NetDev", "MTUBytes"))};
  bond.miimon = number_of(text.value("Bond", "MIIMonitorSec"));
  bond.arp_interval = number_of(text.value("Bond", "ARPIntervalSec"));
  bond.arp_targets.emplace();
  for (const auto& word : words(text.value("Bond", "ARPIPTargets")))
    if (IpAddress target; !Text<IpAddress>::read({word}, target)) bond.arp_targets->push_back(target);
  return bond;
}

}  // namespace

bool RecordedNetworkd::runs() {
  ++log_.reads.managers;
  return model_.networkd;
}

// Makes the children that the parent's .network file names by IPoIB=, each with the P_Key of its .netdev file.
void RecordedNetworkd::make_children(const std::string& parent) {
  const auto* network = file_for(model_, ".network", "Match", parent);
  const RecordedLink* link = model_.find(parent);
  if (network == nullptr || link == nullptr) return;
  const std::uint32_t index = link->link.index;
  const ini::File text(ini::systemd, with_drop_ins(model_, *network));
  for (const auto& child : text.values("Network", "IPoIB")) {
    const auto* netdev = file_for(model_, ".netdev", "NetDev", child);
    if (netdev == nullptr || model_.find(child) != nullptr) continue;
    const auto pkey = networkd_pkey(ini::File(ini::systemd, netdev->second.bytes).value("IPoIB", "PartitionKey"));
    if (pkey) kernel::create_child(model_, {{}, index, child, *pkey});
  }
}

// Makes the bonds whose .netdev files say so, but changes none that is there; give_masters() takes them up. networkd's
// request loads the driver.
void RecordedNetworkd::make_bonds() {
  for (const auto& [path, file] : model_.files) {
    const ini::File text(ini::systemd, file.bytes);
    const std::string name = text.value("NetDev", "Name");
    const bool is_bond = name_in_networkd(path).ends_with(".netdev") && text.value("NetDev", "Kind") == "bond";
    if (!is_bond || model_.find(name) != nullptr) continue;
    try {
      kernel::insert_module(model_, "bonding");
      kernel::create_bond(model_, bond_of(text));
    } catch (const Refusal&) {
      continue;  // networkd logs it
    }
  }
}

// Of an interface whose .network file is another or has changed: lets it join the bond that the file names, and leave
// one that it does not name.
void RecordedNetworkd::give_master(const std::string& port) {
  const auto* network = file_for(model_, ".network", "Match", port);
  RecordedLink* link = model_.find(port);
  if (network == nullptr || link == nullptr) return;
  const ini::File text(ini::systemd, with_drop_ins(model_, *network));
  const RecordedLink* bond = model_.find(text.value("Network", "Bond"));
  const std::uint32_t wanted = bond != nullptr && bond->link.bond ? bond->link.index : 0;
  if (link->link.master == wanted) return;
  if (wanted != 0 && link->link.up) kernel::set_up(model_, *link, /*up=*/false);
  kernel::set_master(model_, *link, wanted);
  if (wanted != 0 && is_yes(text.value("Network", "PrimarySlave")))
    kernel::set_bond(model_, *model_.find(wanted), {{}, link->link.index});
}

// Whether the interface's .network file is another than the one that was read last, or has changed.
bool RecordedNetworkd::is_news(const RecordedLink& link) const {
  const auto* network = file_for(model_, ".network", "Match", link.link.name);
  const auto state = model_.files.find(networkd_link_path(link.link.index));
  return network != nullptr && (state == model_.files.end() || state->second.bytes != text_of_state(model_, *network));
}

void RecordedNetworkd::give_masters() {
  std::vector<std::string> ports;
  for (const auto& [index, one] : model_.links)
    if (is_news(one)) ports.push_back(one.link.name);
  for (const auto& port : ports) give_master(port);
  for (auto& [index, one] : model_.links)
    if (one.link.bond && !one.link.up && file_for(model_, ".network", "Match", one.link.name) != nullptr)
      kernel::set_up(model_, one, /*up=*/true);
}

// What networkd writes in /run: an interface that has a .network file is configured at once, with carrier; every other
// one is unmanaged.
void RecordedNetworkd::write_state_files() {
  for (const auto& [index, one] : model_.links) {
    const auto* network = file_for(model_, ".network", "Match", one.link.name);
    FileContent state;
    state.meta.mode = 0644;
    state.bytes = network == nullptr ? "ADMIN_STATE=unmanaged\n" : text_of_state(model_, *network);
    model_.files[networkd_link_path(index)] = state;
  }
  add_parents(model_.files);
}

void RecordedNetworkd::reload() {
  if (!model_.networkd) throw Error("reloading systemd-networkd: it does not run");
  log_.move("reloading systemd-networkd", [&] {
    make_bonds();
    std::vector<std::string> parents;
    for (const auto& [index, one] : model_.links) parents.push_back(one.link.name);
    for (const auto& parent : parents) make_children(parent);
    give_masters();
    write_state_files();
  });
}

void RecordedNetworkd::reconfigure(std::uint32_t index) {
  if (!model_.networkd) throw Error("reconfiguring an interface: systemd-networkd does not run");
  log_.move("reconfiguring interface " + std::to_string(index), [&] {
    const RecordedLink* link = model_.find(index);
    if (link == nullptr) throw Error("reconfiguring interface " + std::to_string(index) + ": there is none");
    make_children(std::string(link->link.name));
    give_masters();
    write_state_files();
  });
}

}  // namespace rdmastate
