// SPDX-License-Identifier: Apache-2.0
// A port's interface named by a .link file (systemd.link(5)), where systemd can tell it from every other one.
#include "sections/ipoib/backends/link_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ini.hpp"
#include "base/template.hpp"
#include "platform/layout.hpp"
#include "platform/platform.hpp"
#include "resources/file/file.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/devices/match.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// Since systemd 245, Type= matches the kernel's type of an interface (infiniband). Before, it matches udev's DEVTYPE,
// and an IPoIB interface has none.
constexpr Version type_matches_since{245};
constexpr const char* hint_of_rule = "take named_by out: the udev rule tells ports apart by their GUID";

struct FoundPort {
  const RdmaDevice* device = nullptr;
  const RdmaPort* port = nullptr;
};

FoundPort find_port(const Facts& facts, Guid guid) {
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (port.guid == guid) return {&device, &port};
  return {};
}

// Whether the spec makes this port of the device InfiniBand.
bool becomes_infiniband(const Spec& spec, const Facts& facts, const RdmaDevice& device, std::uint32_t port) {
  return std::any_of(spec.devices.begin(), spec.devices.end(), [&](const DeviceRecord& record) {
    const auto settings = record.ports.find(PortNumber{port});
    if (settings == record.ports.end() || settings->second.link_type != LinkType::infiniband) return false;
    const auto meant = meant_by(record, facts.devices);
    return std::find(meant.begin(), meant.end(), &device) != meant.end();
  });
}

// Another port that the .link file would match too, as "mlx5_0 port 2"; empty where there is none. It is on the same
// PCI function, and is InfiniBand, or becomes so by this spec; without `with_type` (before systemd 245) its type does
// not matter.
std::string other_match(const Spec& spec, const Facts& facts, const FoundPort& found, bool with_type) {
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports) {
      if (device.pci != found.device->pci || &port == found.port) continue;
      const bool is_infiniband =
          port.link_layer == LinkLayer::infiniband || becomes_infiniband(spec, facts, device, port.number);
      if (!with_type || is_infiniband) return fmt::format("{} port {}", device.name, port.number);
    }
  return {};
}

// Why no .link file can name the interface; empty where one can.
std::string why_no_link_file(const Spec& spec, const Facts& facts, const FoundPort& found, Version systemd) {
  const std::string self = fmt::format("{} port {}", found.device->name, found.port->number);
  if (found.device->pci.empty())
    return fmt::format("{} is on no PCI function, and a .link file finds an IPoIB interface by its PCI function alone",
                       self);
  const bool with_type = systemd >= type_matches_since;
  const std::string other = other_match(spec, facts, found, with_type);
  if (other.empty()) return {};
  if (with_type)
    return fmt::format(
        "{} and {} are on one PCI function, {}, and a .link file cannot tell their interfaces apart: it matches by the PCI "
        "function, or by a hardware address of 20 bytes of which only the last 8 stay the same",
        self, other, found.device->pci);
  return fmt::format(
      "{} and {} are on one PCI function, {}, and systemd {} matches an IPoIB interface by that alone: Type=infiniband "
      "works since systemd 245",
      self, other, found.device->pci, systemd.major);
}

}  // namespace

std::string link_file_path(const IpoibRecord& record) { return networkd_path(record.interface_name(), ".link"); }

void add_link_file(const Spec& spec, std::size_t index, Guid guid, const Facts& facts, Desired& desired,
                   Report& report) {
  const std::string path = ipoib_path(index, "named_by");
  const FoundPort found = find_port(facts, guid);
  if (found.device == nullptr)
    return complain_of_absent(
        facts, report, path,
        fmt::format("a .link file needs the PCI function of port {}, and no such port is known {}", to_text(guid),
                    facts.live ? "here" : "of this tree"),
        facts.live ? hint_of_rule
                   : "give the hardware with --facts, or take named_by out: the udev rule matches by the GUID");
  const Version systemd = platform_of(facts).versions.systemd;
  if (const std::string reason = why_no_link_file(spec, facts, found, systemd); !reason.empty())
    return complain(report, path, reason, hint_of_rule);
  const Template text("ipoib.link", escape_line);
  const std::string name = spec.ipoib[index].interface_name();
  const Values values{{{"pci", found.device->pci}, {"with_type", systemd >= type_matches_since}, {"name", name}}};
  desired.add({&file_kind, link_file_path(spec.ipoib[index]), State(file_kind, regular_file(text.render(values))),
               ipoib_path(index)});
}

bool is_named_by_link_file(const IpoibRecord& record) {
  return !record.is_child() && record.match && record.named_by == NamedBy::link_file;
}

std::optional<Guid> port_of_link_file(const Snapshot& snapshot, const Facts& facts, const std::string& name) {
  constexpr std::string_view head = "pci-";
  const ini::File file(ini::systemd, snapshot.read(networkd_path(name, ".link")).value_or(""));
  const std::string path = file.value("Match", "Path");
  if (!path.starts_with(head)) return std::nullopt;
  const std::string pci = path.substr(head.size());
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (device.pci == pci && port.link_layer == LinkLayer::infiniband)
        return port.guid;  // the only one: add_link_file() refuses a function with two such ports
  return Guid{};
}

}  // namespace rdmastate
