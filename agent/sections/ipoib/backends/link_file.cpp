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

// Type= is compared with the kernel's type of an interface, and alternative names are given, since systemd 245; before,
// Type= is udev's DEVTYPE, which an IPoIB interface has none of.
constexpr Version reads_type{245};
constexpr const char* by_rule = "take named_by out: the udev rule tells ports apart by their GUID";

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

// Every other port on the port's PCI function that is or, by this spec, becomes what Path= and Type= cannot tell apart.
std::string double_of(const Spec& spec, const Facts& facts, const FoundPort& found, bool with_type) {
  const auto becomes_infiniband = [&](const RdmaDevice& device, unsigned port) {
    return std::any_of(spec.devices.begin(), spec.devices.end(), [&](const DeviceRecord& record) {
      const auto meant = meant_by(record, facts.devices);
      const auto asked = record.ports.find(PortNumber{port});
      return asked != record.ports.end() && asked->second.link_type == LinkType::infiniband &&
             std::find(meant.begin(), meant.end(), &device) != meant.end();
    });
  };
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (device.pci == found.device->pci && &port != found.port &&
          (!with_type || port.link_layer == LinkLayer::infiniband || becomes_infiniband(device, port.number)))
        return fmt::format("{} port {}", device.name, port.number);
  return {};
}

// Why no .link file can name the interface; empty where one can.
std::string why_not(const Spec& spec, const Facts& facts, const FoundPort& found, Version systemd) {
  const std::string self = fmt::format("{} port {}", found.device->name, found.port->number);
  if (found.device->pci.empty())
    return fmt::format("{} is on no PCI function, and a .link file finds an IPoIB interface by that alone", self);
  const bool with_type = systemd >= reads_type;
  const std::string other = double_of(spec, facts, found, with_type);
  if (other.empty()) return {};
  if (with_type)
    return fmt::format(
        "{} and {} are on one PCI function, {}, and a .link file cannot tell their interfaces apart: it knows the function, "
        "and a hardware address of 20 bytes of which only the last 8 stay the same",
        self, other, found.device->pci);
  return fmt::format(
      "{} and {} are on one PCI function, {}, and systemd {} here knows an interface by that alone: Type=infiniband matches "
      "since systemd 245",
      self, other, found.device->pci, systemd.major);
}

}  // namespace

std::string link_file_path(const IpoibRecord& record) { return networkd_path(record.interface_name(), ".link"); }

void add_link_file(const Spec& spec, std::size_t index, Guid guid, const Facts& facts, Desired& desired,
                   Report& report) {
  const std::string path = ipoib_path(index, "named_by");
  const FoundPort found = find_port(facts, guid);
  if (found.device == nullptr)
    return complain(
        report, path,
        fmt::format("a .link file needs the PCI function of port {}, and no such port is known {}", to_text(guid),
                    facts.live ? "here" : "of this tree"),
        facts.live ? by_rule : "give the hardware with --facts, or take named_by out: the udev rule goes by the GUID");
  const Version systemd = platform_of(facts).versions.systemd;
  if (const std::string reason = why_not(spec, facts, found, systemd); !reason.empty())
    return complain(report, path, reason, by_rule);
  const Template text("ipoib.link", escape_line);
  const std::string name = spec.ipoib[index].interface_name();
  const Values values{{{"pci", found.device->pci}, {"with_type", systemd >= reads_type}, {"name", name}}};
  desired.add({&file_kind,
               link_file_path(spec.ipoib[index]),
               State(file_kind, regular_file(text.render(values))),
               ipoib_path(index),
               "",
               {}});
}

bool is_named_by_link_file(const IpoibRecord& record) {
  return !record.is_child() && record.match && record.named_by == NamedBy::link_file;
}

std::optional<Guid> port_of_link_file(const Snapshot& snapshot, const Facts& facts, const std::string& name) {
  constexpr std::string_view bus = "pci-";
  const ini::File file(ini::systemd, snapshot.read(networkd_path(name, ".link")).value_or(""));
  const std::string path = file.value("Match", "Path");
  if (!path.starts_with(bus)) return std::nullopt;
  const std::string pci = path.substr(bus.size());
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (device.pci == pci && port.link_layer == LinkLayer::infiniband) return port.guid;
  return Guid{};
}

}  // namespace rdmastate
