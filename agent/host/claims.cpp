// SPDX-License-Identifier: Apache-2.0
// read_claims() goes through the directories of `sources` and hands each file to the extractor of its row. The
// extractors follow in the order of claims.hpp; those of netplan and udev have files of their own.
#include "host/claims.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <map>

#include "base/error.hpp"
#include "base/ini.hpp"
#include "base/lines.hpp"
#include "host/look_at.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

constexpr ClaimSource sources[] = {
    {"ifupdown", "/etc/network/interfaces", "", ifupdown_claims, /*is_file=*/true},
    {"networkmanager", "/etc/NetworkManager/system-connections", "", keyfile_claims},
    {"networkmanager", "/usr/lib/NetworkManager/system-connections", "", keyfile_claims},
    {"networkmanager", "/run/NetworkManager/system-connections", "", keyfile_claims},
    {"networkd", "/etc/systemd/network", ".network", networkd_claims},
    {"networkd", "/etc/systemd/network", ".netdev", networkd_claims},
    {"networkd", "/run/systemd/network", ".network", networkd_claims},
    {"networkd", "/run/systemd/network", ".netdev", networkd_claims},
    {"ifupdown", "/etc/network/interfaces.d", "", ifupdown_claims},
    {"netplan", "/etc/netplan", ".yaml", netplan_claims},
    {"networkmanager", "/etc/sysconfig/network-scripts", "", ifcfg_claims},
    {"wicked", "/etc/sysconfig/network", "", wicked_claims},
    {"udev", "/etc/systemd/network", ".link", link_file_claims},
    {"udev", "/etc/udev/rules.d", ".rules", udev_claims},
};

/// The text of networkd's drop-ins, by the name of the file that they extend (systemd.network(5)). A drop-in and its
/// file may be in different directories.
using DropIns = std::map<std::string, std::string, std::less<>>;

DropIns read_drop_ins(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  DropIns added;
  for (const std::string place : {"/etc/systemd/network", "/run/systemd/network", "/usr/lib/systemd/network"}) {
    std::vector<std::string> names;
    std::vector<std::string> not_told;  // read_claims() tells of /etc and /run; everybody may read /usr/lib
    look_at(place, not_told, [&] { names = snapshot.list(place); });
    for (const auto& name : names) {
      if (!name.ends_with(".network.d") && !name.ends_with(".netdev.d")) continue;
      const std::string folder = place + "/" + name;
      std::string& text = added[name.substr(0, name.size() - 2)];
      look_at(folder, unseen, [&] {
        for (const auto& file : snapshot.list(folder))
          if (file.ends_with(".conf")) text += "\n" + snapshot.read(folder + "/" + file).value_or("");
      });
    }
  }
  return added;
}

// Adds the claims of one regular file, for networkd together with its drop-ins.
void add_claims(const Snapshot& snapshot, const ClaimSource& source, const std::string& path,
                std::string_view file_name, const DropIns& drop_ins, std::vector<Claim>& claims) {
  const auto& file = snapshot.file(path);
  if (!file || file->meta.type != FileType::regular) return;
  const auto drop_in = source.claims == networkd_claims ? drop_ins.find(file_name) : drop_ins.end();
  const bool is_alone = drop_in == drop_ins.end();
  const std::string both = is_alone ? std::string() : file->bytes + drop_in->second;
  for (auto& claim : source.claims(file_name, is_alone ? std::string_view(file->bytes) : both)) {
    claim.manager = source.manager;
    claim.path = path;
    claims.push_back(std::move(claim));
  }
}

bool runs(const std::vector<Manager>& managers, std::string_view name) {
  return std::any_of(managers.begin(), managers.end(), [&](const Manager& m) { return m.name == name && m.running; });
}

// A claim of the interface that has this name. read_claims() adds manager and path, here and in asking().
Claim named(std::string name) { return {std::move(name), /*manager=*/"", /*path=*/""}; }

// A claim of the interfaces that fit all of `asks`. `name`: what the file calls them.
Claim asking(std::vector<Selector> asks, std::string name = {}) {
  return {text_of({std::move(name), std::move(asks)}), /*manager=*/"", /*path=*/""};
}

// A list in systemd's form: "!" in front of it inverts the whole list.
Selector list_of(std::string by, std::string_view value) {
  const bool none_of = value.starts_with('!');
  return {std::move(by), words(value.substr(none_of ? 1 : 0)), none_of};
}

// The conditions of a file's [Match] on the interface. Conditions on the host (Host=, KernelVersion=) are ignored.
// Lists of one key add up.
std::vector<Selector> asked_in_match(const ini::File& file) {
  constexpr std::array keys{"Name",     "OriginalName", "MACAddress", "PermanentMACAddress",
                            "Path",     "Driver",       "Type",       "Kind",
                            "Property", "SSID",         "BSSID",      "WLANInterfaceType"};
  std::vector<Selector> asks;
  for (const char* key : keys)
    for (const auto& value : file.values("Match", key)) {
      const std::string by = std::string_view(key) == "PermanentMACAddress" ? "MACAddress" : key;
      const auto same = std::find_if(asks.begin(), asks.end(), [&](const Selector& one) {
        return one.by == by && one.none_of == value.starts_with('!');
      });
      Selector one = list_of(by, value);
      if (same == asks.end()) {
        asks.push_back(std::move(one));
      } else {
        same->patterns.insert(same->patterns.end(), one.patterns.begin(), one.patterns.end());
      }
    }
  return asks;
}

bool is_one_list_of_names(const std::vector<Selector>& asks) {
  return asks.size() == 1 && asks[0].by == "Name" && !asks[0].none_of;
}

// Reads a list of NetworkManager's [match]: a word with '!' excludes, and any of the other words may fit. '|' (any) and
// '&' (all) in front of a word are dropped.
void ask_in_list(const ini::File& file, const char* key, const char* by, std::vector<Selector>& asks) {
  Selector wanted{by};
  Selector excluded{by, {}, /*none_of=*/true};
  for (auto word : split(file.value("match", key), "; \t")) {
    const std::size_t begin = word.find_first_not_of("|&");
    if (begin == std::string::npos) continue;
    const bool excludes = word[begin] == '!';
    (excludes ? excluded : wanted).patterns.push_back(word.substr(begin + (excludes ? 1 : 0)));
  }
  for (auto* selector : {&wanted, &excluded})
    if (!selector->patterns.empty()) asks.push_back(std::move(*selector));
}

// "auto mlx4_ib0=stanza", "auto /mlx4*=stanza", "auto /mlx4*/1=stanza" of interfaces(5): the interface before '=' is
// configured by the `iface` stanza of another name.
void claim_under_another_name(const std::string& word, std::vector<Claim>& found) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return;
  if (word.front() != '/') return found.push_back(named(word.substr(0, equals)));
  const std::string pattern = word.substr(1, std::min(word.find('/', 1), equals) - 1);
  if (!pattern.empty()) found.push_back(asking({{"Name", {pattern}}}));
}

}  // namespace

std::vector<Claim> ifupdown_claims(std::string_view, std::string_view text) {
  std::vector<Claim> found;
  for_lines(text, [&](std::string_view line) {
    const auto parts = words(trimmed(line));
    if (parts.size() >= 2 && parts[0] == "iface") found.push_back(named(parts[1]));
    if (!parts.empty() && (parts[0] == "auto" || parts[0].starts_with("allow-")))
      for (const auto& word : parts) claim_under_another_name(word, found);
  });
  return found;
}

namespace {

// The claims of an InfiniBand profile without interface-name: the child that parent and p-key name, else all InfiniBand
// interfaces that fit its further keys.
std::vector<Claim> infiniband_claims(const ini::File& file) {
  std::vector<Selector> asks;
  const std::string parent = file.value("infiniband", "parent");
  const std::string pkey = file.value("infiniband", "p-key");
  if (!parent.empty() && !pkey.empty()) {
    constexpr unsigned long full_member = 0x8000;
    return {named(fmt::format("{}.{:04x}", parent, std::strtoul(pkey.c_str(), nullptr, 0) | full_member))};
  }
  asks.push_back({"Type", {"infiniband"}});
  if (const std::string address = file.value("infiniband", "mac-address"); !address.empty())
    asks.push_back({"MACAddress", {address}});
  ask_in_list(file, "interface-name", "Name", asks);
  ask_in_list(file, "path", "Path", asks);
  ask_in_list(file, "driver", "Driver", asks);
  return {asking(std::move(asks))};
}

}  // namespace

// The key interface-name counts in any section: old profiles have it in the section of the interface's type, and in
// [match] it is a list, of which only plain names are taken here.
std::vector<Claim> keyfile_claims(std::string_view, std::string_view text) {
  const ini::File file(ini::keyfile, text);
  std::vector<Claim> found;
  if (file.value(".nmmeta", "nm-generated") == "true") return found;  // NetworkManager removes such a profile by itself
  for (const auto& entry : file.entries()) {
    if (entry.key != "interface-name" || !entry.counts) continue;
    for (auto& name : split(entry.value, "; \t"))
      if (name.find_first_of("|&!*?[") == std::string::npos) found.push_back(named(std::move(name)));
  }
  if (found.empty() && file.value("connection", "type") == "infiniband") return infiniband_claims(file);
  return found;
}

// A .network file claims the interfaces of its [Match], a .netdev file the one that it makes.
std::vector<Claim> networkd_claims(std::string_view, std::string_view text) {
  const ini::File file(ini::systemd, text);
  std::vector<Claim> found;
  auto asks = asked_in_match(file);
  if (is_one_list_of_names(asks)) {
    for (auto& name : asks[0].patterns) found.push_back(named(std::move(name)));
  } else if (!asks.empty()) {  // networkd ignores a .network file without them
    found.push_back(asking(std::move(asks)));
  }
  for (const auto& value : file.values("NetDev", "Name"))
    for (auto& word : words(value)) found.push_back(named(std::move(word)));
  return found;
}

// A .link file claims interfaces only where it gives them a name.
std::vector<Claim> link_file_claims(std::string_view, std::string_view text) {
  const ini::File file(ini::systemd, text);
  const std::string name = file.value("Link", "Name");
  if (name.empty()) return {};
  return {asking(asked_in_match(file), name)};
}

std::string_view interface_of_file(std::string_view file_name) {
  for (const std::string_view beginning : {"ifcfg-", "ifroute-", "ifsysctl-"})
    if (file_name.starts_with(beginning)) return file_name.substr(beginning.size());
  return {};
}

namespace {

// The name that rdmastate gives a child whose port and P_Key wicked's file says; empty: it says none.
std::string wicked_child(const ini::File& file) {
  const std::string parent = file.value("", "IPOIB_DEVICE");
  const unsigned long pkey = std::strtoul(file.value("", "IPOIB_PKEY").c_str(), nullptr, 16);
  return parent.empty() || pkey == 0 ? std::string() : fmt::format("{}.{:04x}", parent, pkey | 0x8000U);
}

}  // namespace

// DEVICE= names the interface; that the file's name has it too is only a custom. Both names are claimed. A file without
// DEVICE= may select by HWADDR=. A child that wicked makes under the file's name is claimed by the name of its own.
std::vector<Claim> ifcfg_claims(std::string_view file_name, std::string_view text) {
  const std::string_view interface = interface_of_file(file_name);
  if (interface.empty()) return {};
  const ini::File file(ini::shell, text);
  if (std::string child = wicked_child(file); !child.empty()) return {named(std::move(child))};
  std::vector<Claim> found{named(std::string(interface))};
  const std::string device = file.value("", "DEVICE");
  if (!device.empty() && device != found[0].interface) found.push_back(named(device));
  if (const std::string address = file.value("", "HWADDR"); device.empty() && !address.empty())
    found.push_back(asking({{"MACAddress", {address}}}));
  return found;
}

// As initscripts' files, and a bond's file claims its ports too: BONDING_SLAVE, BONDING_SLAVE_0 (ifcfg-bonding(5)).
// wicked passes over copies that editors and packages leave (client/suse/compat-suse.c).
std::vector<Claim> wicked_claims(std::string_view file_name, std::string_view text) {
  constexpr std::string_view copies[] = {"~",           ".old",    ".bak",     ".orig",
                                         ".scpmbackup", ".rpmnew", ".rpmsave", ".rpmorig"};
  const bool is_copy =
      std::any_of(std::begin(copies), std::end(copies), [&](std::string_view end) { return file_name.ends_with(end); });
  if (is_copy) return {};
  std::vector<Claim> found = ifcfg_claims(file_name, text);
  for (auto& port : wicked_bond_ports(text)) found.push_back(named(std::move(port)));
  return found;
}

std::vector<std::string> wicked_bond_ports(std::string_view text) {
  const ini::File file(ini::shell, text);
  std::vector<std::string> ports;
  for (const auto& line : file.entries())
    if (line.counts && line.key.starts_with("BONDING_SLAVE") && !line.value.empty()) ports.push_back(line.value);
  return ports;
}

std::span<const ClaimSource> claim_sources() { return sources; }

std::vector<Claim> read_claims(const Snapshot& snapshot, const std::vector<Manager>& managers,
                               std::vector<std::string>& unseen) {
  std::vector<Claim> claims;
  const DropIns drop_ins = read_drop_ins(snapshot, unseen);
  const auto read = [&](const ClaimSource& source, const std::string& path, std::string_view name) {
    look_at(path, unseen, [&] { add_claims(snapshot, source, path, name, drop_ins, claims); });
  };
  for (const auto& source : sources) {
    if (source.place.starts_with("/run/") && !runs(managers, source.manager)) continue;
    const std::string place(source.place);
    if (source.is_file) {
      read(source, place, place.substr(place.rfind('/') + 1));
      continue;
    }
    std::vector<std::string> names;
    look_at(place, unseen, [&] { names = snapshot.list(place); });
    // No owner reads hidden files; a killed apply leaves such files beside its targets.
    std::erase_if(names,
                  [&](const std::string& name) { return name.starts_with('.') || !name.ends_with(source.suffix); });
    for (const auto& name : names) {
      std::string path = place;
      read(source, path.append("/").append(name), name);
    }
  }
  return claims;
}

}  // namespace rdmastate
