// SPDX-License-Identifier: Apache-2.0
// Flow of look_for_closed_port(): each rxe device -> its network device -> the zone of firewalld that this is in -> the
// zone's file -> does the zone let UDP 4791 in? The files are read and firewalld(1) is not asked, so changes that last
// only until its next reload are not seen.
#include "doctor/firewall.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/lines.hpp"

namespace rdmastate::doctor {
namespace {

constexpr unsigned roce_port = 4791;  // ROCE_V2_UDP_DPORT, include/rdma/ib_verbs.h
constexpr std::string_view settings = "/etc/firewalld/firewalld.conf";
constexpr std::string_view usual_zone = "public";  // firewalld's FALLBACK_ZONE

// firewalld.zone(5): a file in /etc takes the place of the one of that name in /usr/lib.
constexpr std::string_view homes[] = {"/etc/firewalld", "/usr/lib/firewalld"};

/// The elements of that name, each from its name to its end: `port port="4791" protocol="udp"/`.
std::vector<std::string_view> elements(std::string_view xml, std::string_view name) {
  std::vector<std::string_view> all;
  for (std::size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    const std::string_view one = xml.substr(at + 1, xml.find('>', at) - at - 1);
    if (one.starts_with(name) && one.substr(name.size()).find_first_of(" \t\n/") == 0) all.push_back(one);
  }
  return all;
}

// The value of an attribute, without its quotes, which may be either kind; empty: the element does not have it.
std::string_view attribute(std::string_view element, const std::string& name) {
  const std::size_t at = element.find(" " + name + "=");
  if (at == std::string_view::npos) return {};
  const std::string_view rest = element.substr(at + name.size() + 2);
  if (rest.empty()) return {};
  return rest.substr(1, rest.find(rest.front(), 1) - 1);
}

// Whether UDP 4791 is among the ports: "4791", "4700-4800".
bool holds_port(std::string_view ports) {
  unsigned first = 0;
  const char* end = ports.data() + ports.size();
  const auto read = std::from_chars(ports.data(), end, first);
  if (read.ec != std::errc{}) return false;
  unsigned last = first;
  if (read.ptr != end && *read.ptr == '-') std::from_chars(read.ptr + 1, end, last);
  return first <= roce_port && roce_port <= last;
}

// Whether a <port> of the zone or service is UDP 4791.
bool names_port(std::string_view xml) {
  for (const auto& one : elements(xml, "port"))
    if (attribute(one, "protocol") == "udp" && holds_port(attribute(one, "port"))) return true;
  return false;
}

/// The text of zones/NAME.xml or services/NAME.xml that counts, and its path.
struct Definition {
  std::string path;
  std::string text;
};

// `kind`: "zones" or "services". nullopt: there is no such file, or it cannot be read.
std::optional<Definition> definition_of(Examination& look, std::string_view kind, std::string_view name) {
  for (const auto home : homes) {
    Definition found{fmt::format("{}/{}/{}.xml", home, kind, name), {}};
    if (!look.is_file(found.path)) continue;
    const auto text = look.text(found.path);
    if (!text) return std::nullopt;
    found.text = *text;
    return found;
  }
  return std::nullopt;
}

// The zone whose file names the interface; else the default zone. A zone that a connection profile of NetworkManager
// names is in no file of firewalld.
std::string zone_of(Examination& look, const std::string& netdev) {
  for (const auto& file : look.names(fmt::format("{}/zones", homes[0]))) {
    const std::string text = look.text(fmt::format("{}/zones/{}", homes[0], file)).value_or("");
    for (const auto& one : elements(text, "interface"))
      if (attribute(one, "name") == netdev) return file.substr(0, file.rfind('.'));
  }
  std::string zone(usual_zone);
  const std::string text = look.text(std::string(settings)).value_or("");
  for_lines(text, [&](std::string_view line) {
    constexpr std::string_view key = "DefaultZone=";
    if (line.starts_with(key)) zone = trimmed(line.substr(key.size()));
  });
  return zone;
}

// Whether the zone, by the text of its file, accepts all packets, or opens UDP 4791 itself or by one of its services.
bool lets_in(Examination& look, std::string_view zone) {
  const auto zones = elements(zone, "zone");
  if (!zones.empty() && attribute(zones.front(), "target") == "ACCEPT") return true;
  if (names_port(zone)) return true;
  for (const auto& one : elements(zone, "service"))
    if (const auto service = definition_of(look, "services", attribute(one, "name"));
        service && names_port(service->text))
      return true;
  return false;
}

}  // namespace

void look_for_closed_port(Examination& look) {
  const UnitLook* firewalld = nullptr;
  for (const auto& device : look.snapshot.soft_devices()) {
    if (device.type != SoftType::rxe) continue;
    if (firewalld == nullptr) firewalld = look.snapshot.unit("firewalld.service");
    if (firewalld == nullptr || !firewalld->active) return;
    const std::string name = zone_of(look, device.netdev);
    const auto zone = definition_of(look, "zones", name);
    if (!zone) {
      look.unseen("zone " + name + " of firewalld", "its file could not be read");
      continue;
    }
    if (lets_in(look, zone->text)) continue;
    look.found(
        {About::device, device.name},
        fmt::format("the zone {} of firewalld, in which {} is, does not open UDP 4791", name, device.netdev),
        "RoCE v2 travels in UDP to port 4791, and software RoCE takes its packets from the host's network stack, "
        "behind the firewall.",
        fmt::format("`firewall-cmd --permanent --zone={} --add-port=4791/udp`, then `firewall-cmd --reload`.", name),
        {{zone->path, "no port 4791 of udp"}, {"systemd: firewalld.service", "active"}});
  }
}

FilePlaces firewall_places() {
  return whole_files({settings, "/etc/firewalld/zones/*.xml", "/usr/lib/firewalld/zones/*.xml",
                      "/etc/firewalld/services/*.xml", "/usr/lib/firewalld/services/*.xml"});
}

}  // namespace rdmastate::doctor
