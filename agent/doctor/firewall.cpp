// SPDX-License-Identifier: Apache-2.0
// Flow of look_for_closed_port(): each rxe device -> its network device -> the zone of firewalld that this is in -> the
// zone's file -> does the zone let UDP 4791 in? The files are read and firewalld(1) is not asked, so changes that last
// only until its next reload are not seen. While firewalld does not run, nftables' file is read instead (nftables).
#include "doctor/firewall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/one_of.hpp"
#include "doctor/nftables.hpp"
#include "host/firewall_files.hpp"
#include "platform/firewall.hpp"

namespace rdmastate::doctor {
namespace {

const FirewallPorts roce_port{roce_v2_port, roce_v2_port, "udp"};
constexpr std::string_view settings = "/etc/firewalld/firewalld.conf";
constexpr std::string_view usual_zone = "public";  // firewalld's FALLBACK_ZONE

/// The text of a zone's or service's file that counts, and its path.
struct Definition {
  std::string path;
  std::string text;
};

// The first of the directories that has the file counts (firewalld.zone(5)). nullopt: there is no such file, or it
// cannot be read.
std::optional<Definition> definition_of(Examination& look, std::span<const std::string_view> directories,
                                        std::string_view name) {
  if (name.find('/') != std::string_view::npos) return std::nullopt;
  for (const auto directory : directories) {
    std::string path = fmt::format("{}/{}.xml", directory, name);
    if (auto text = look.text(path)) return Definition{std::move(path), std::move(*text)};
    if (look.exists(path)) return std::nullopt;
  }
  return std::nullopt;
}

// The zone whose file names the interface; else the default zone. A zone that a connection profile of NetworkManager
// names is in no file of firewalld.
std::string zone_of(Examination& look, const std::string& netdev) {
  const std::string own(common_layout().firewall_zones);
  for (const auto& file : look.names(own)) {
    if (!file.ends_with(".xml")) continue;  // NAME.xml.old is firewalld's copy of before a change
    const std::string text = look.text(fmt::format("{}/{}", own, file)).value_or("");
    const auto interfaces = firewall_zone_interfaces(text);
    if (is_one_of(netdev, interfaces)) return file.substr(0, file.rfind('.'));
  }
  std::string zone(usual_zone);
  const std::string text = look.text(std::string(settings)).value_or("");
  for_lines(text, [&](std::string_view line) {
    constexpr std::string_view key = "DefaultZone=";
    if (line.starts_with(key)) zone = trimmed(line.substr(key.size()));
  });
  return zone;
}

// What the zone lets in, by the text of its file and those of its services.
FirewallZone zone_from(Examination& look, std::string_view text) {
  return read_firewall_zone(text, [&](const std::string& service) -> std::optional<std::string> {
    auto found = definition_of(look, firewall_services, service);
    if (!found) return std::nullopt;
    return std::move(found->text);
  });
}

/// What a zone lets in, and the path of the file that says so.
struct SeenZone {
  std::string path;
  FirewallZone zone;
};

// The zone of this name. nullopt: its file cannot be read, or firewalld would not take it, and that is noted as unseen.
std::optional<SeenZone> see_zone(Examination& look, const std::string& name) {
  const std::array directories{common_layout().firewall_zones, vendor_firewall_zones};
  const auto file = definition_of(look, directories, name);
  std::string reason = "its file could not be read";
  try {
    if (file) return SeenZone{file->path, zone_from(look, file->text)};
  } catch (const Error& error) {
    reason = fmt::format("{}: {}", file->path, error.what());
  }
  look.unseen("zone " + name + " of firewalld", reason);
  return std::nullopt;
}

bool lets_in(const FirewallZone& zone) { return zone.has(roce_port) || !zone.let_in_by(roce_port).empty(); }

void look_at_zone(Examination& look, const SoftDevice& device) {
  const std::string name = zone_of(look, device.netdev);
  const auto seen = see_zone(look, name);
  if (!seen || lets_in(seen->zone)) return;
  look.found(
      {About::device, device.name},
      fmt::format("the zone {} of firewalld, in which {} is, does not open UDP 4791", name, device.netdev),
      std::string(why_roce_needs_the_port),
      fmt::format("`firewall-cmd --permanent --zone={} --add-port=4791/udp`, then `firewall-cmd --reload`.", name),
      {{seen->path, "no port 4791 of udp"}, {"systemd: firewalld.service", "active"}});
}

}  // namespace

void look_for_closed_port(Examination& look) {
  std::vector<SoftDevice> devices;
  for (const auto& device : look.snapshot.soft_devices())
    if (device.type == SoftType::rxe) devices.push_back(device);
  if (devices.empty()) return;
  const UnitLook* firewalld = look.snapshot.unit(std::string(firewall_unit));
  if (firewalld == nullptr || !firewalld->active) return look_for_dropping_rules(look, devices);
  for (const auto& device : devices) look_at_zone(look, device);
}

FilePlaces firewall_places() {
  FilePlaces places = nftables_places();
  append(places, whole_files({settings, "/etc/firewalld/zones/*.xml", "/usr/lib/firewalld/zones/*.xml",
                              "/etc/firewalld/services/*.xml", "/usr/lib/firewalld/services/*.xml"}));
  return places;
}

}  // namespace rdmastate::doctor
