// SPDX-License-Identifier: Apache-2.0
#include "host/claims.hpp"

#include <cerrno>

#include "base/error.hpp"
#include "base/ini.hpp"
#include "base/lines.hpp"
#include "host/look_at.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

constexpr ClaimSource sources[] = {
    {"networkmanager", "/etc/NetworkManager/system-connections", "", keyfile_interfaces},
    {"networkmanager", "/usr/lib/NetworkManager/system-connections", "", keyfile_interfaces},
    {"networkmanager", "/run/NetworkManager/system-connections", "", keyfile_interfaces},
    {"networkd", "/etc/systemd/network", ".network", networkd_interfaces},
    {"networkd", "/etc/systemd/network", ".netdev", networkd_interfaces},
    {"networkd", "/run/systemd/network", ".network", networkd_interfaces},
    {"networkd", "/run/systemd/network", ".netdev", networkd_interfaces},
    {"ifupdown", "/etc/network/interfaces.d", "", ifupdown_interfaces},
    {"netplan", "/etc/netplan", ".yaml", netplan_interfaces},
    {"networkmanager", "/etc/sysconfig/network-scripts", "", ifcfg_interfaces},
    {"wicked", "/etc/sysconfig/network", "", ifcfg_interfaces},
};

void add_claims(const Snapshot& snapshot, const ClaimSource& source, const std::string& path,
                std::string_view file_name, std::vector<Claim>& claims) {
  const auto& file = snapshot.file(path);
  if (!file || file->meta.type != FileType::regular) return;
  for (auto& interface : source.interfaces(file_name, file->bytes))
    claims.push_back({std::move(interface), std::string(source.manager), path});
}

bool runs(const std::vector<Manager>& managers, std::string_view name) {
  return std::any_of(managers.begin(), managers.end(), [&](const Manager& m) { return m.name == name && m.running; });
}

}  // namespace

std::vector<std::string> ifupdown_interfaces(std::string_view, std::string_view text) {
  std::vector<std::string> found;
  for_lines(text, [&](std::string_view line) {
    const auto parts = words(trimmed(line));
    if (parts.size() >= 2 && parts[0] == "iface") found.push_back(parts[1]);
  });
  return found;
}

// Of any section: older ones had the name in that of the interface's type, and [match] has a list of them.
std::vector<std::string> keyfile_interfaces(std::string_view, std::string_view text) {
  const ini::File file(ini::keyfile, text);
  std::vector<std::string> found;
  if (file.value(".nmmeta", "nm-generated") == "true") return found;  // which NetworkManager takes away by itself
  for (const auto& entry : file.entries()) {
    if (entry.key != "interface-name" || !entry.counts) continue;
    for (auto& name : split(entry.value, "; \t")) found.push_back(std::move(name));
  }
  return found;
}

std::vector<std::string> networkd_interfaces(std::string_view, std::string_view text) {
  const ini::File file(ini::systemd, text);
  std::vector<std::string> found;
  for (const char* section : {"Match", "NetDev"})
    for (const auto& value : file.values(section, "Name"))
      for (auto& word : words(value)) found.push_back(std::move(word));
  return found;
}

std::vector<std::string> netplan_interfaces(std::string_view, std::string_view text) {
  std::vector<std::string> found;
  for_lines(text, [&](std::string_view line) {
    const std::string_view key = trimmed(line);
    if (key.size() < 2 || key.back() != ':' || line.front() != ' ') return;
    std::string_view name = key.substr(0, key.size() - 1);
    if (name.size() >= 2 && (name.front() == '"' || name.front() == '\'')) name = name.substr(1, name.size() - 2);
    found.emplace_back(name);
  });
  return found;
}

std::vector<std::string> ifcfg_interfaces(std::string_view file_name, std::string_view) {
  constexpr std::string_view prefix = "ifcfg-";
  if (!file_name.starts_with(prefix)) return {};
  return {std::string(file_name.substr(prefix.size()))};
}

std::vector<Claim> read_claims(const Snapshot& snapshot, const std::vector<Manager>& managers,
                               std::vector<std::string>& unseen) {
  std::vector<Claim> claims;
  const auto read = [&](const ClaimSource& source, const std::string& path, std::string_view name) {
    look_at(path, unseen, [&] { add_claims(snapshot, source, path, name, claims); });
  };
  read({"ifupdown", "", "", ifupdown_interfaces}, "/etc/network/interfaces", "interfaces");
  for (const auto& source : sources) {
    if (source.place.starts_with("/run/") && !runs(managers, source.manager)) continue;
    const std::string place(source.place);
    std::vector<std::string> names;
    look_at(place, unseen, [&] { names = snapshot.list(place); });
    std::erase_if(names, [&](const std::string& name) { return !name.ends_with(source.suffix); });
    snapshot.preload(place, names);
    for (const auto& name : names) {
      std::string path = place;
      read(source, path.append("/").append(name), name);
    }
  }
  return claims;
}

}  // namespace rdmastate
