// SPDX-License-Identifier: Apache-2.0
// The link type of a device's ports, InfiniBand or Ethernet, where its driver (mlx4) can choose: what the section
// checks, and what it wants: a resource of kind link_types, and a line of mlx4.conf.
#include <fmt/format.h>

#include "platform/layout.hpp"
#include "platform/platform.hpp"
#include "resources/entry/entry.hpp"
#include "resources/link_types.hpp"
#include "sections/boot_file.hpp"
#include "sections/devices/devices.hpp"

namespace rdmastate {
namespace {

std::map<PortNumber, LinkType> types_of(const DeviceRecord& record) {
  std::map<PortNumber, LinkType> types;
  for (const auto& [number, port] : record.ports)
    if (port.link_type) types.emplace(number, *port.link_type);
  return types;
}

std::string path_of(std::size_t index, PortNumber port, const std::string& field = "link_type") {
  return devices_path(index, "ports." + to_text(port) + "." + field);
}

// Refuses roce and qos of a port that the spec makes InfiniBand.
void refuse_ethernet_settings(const DevicePort& port, PortNumber number, std::size_t index, Report& report) {
  if (port.link_type != LinkType::infiniband) return;
  for (const auto& [is_set, field] : {std::pair(port.roce.has_value(), "roce"), {port.qos.has_value(), "qos"}})
    if (is_set)
      complain(report, path_of(index, number, field),
               fmt::format("{} is of an Ethernet port, and link_type makes port {} InfiniBand", field, number.value),
               fmt::format("take {} out, or say link_type: ethernet", field));
}

}  // namespace

void check_link_types(const DeviceRecord& record, std::size_t index, Report& report) {
  const auto types = types_of(record);
  if (types.empty()) return;
  const PortNumber first = types.begin()->first;
  if (record.match.driver && *record.match.driver != choosing_driver)
    complain(report, path_of(index, first), no_choice_text(*record.match.driver, "such a device"),
             "take link_type out");
  if (const auto before = ethernet_before_infiniband(types))
    complain(report, path_of(index, *before),
             fmt::format("port {} Ethernet and a later one InfiniBand is what mlx4 cannot be", before->value),
             "make this one InfiniBand, or both Ethernet");
  for (const auto& [number, port] : record.ports) refuse_ethernet_settings(port, number, index, report);
}

namespace {

// The word for a port's type in /etc/rdma/mlx4.conf.
std::string_view mlx4_conf_word(LinkType type) {
  if (type == LinkType::infiniband) return "ib";
  return type == LinkType::ethernet ? "eth" : "auto";
}

// The types in a line of /etc/rdma/mlx4.conf, "PCI_ADDRESS PORT1 [PORT2]". rdma-core's mlx4-setup.sh reads it; RHEL and
// SUSE run that script when mlx4_core is loaded. nullopt where port 1 has no type: a line cannot give port 2 alone.
std::optional<std::string> mlx4_conf_line(const std::map<PortNumber, LinkType>& types) {
  std::string line;
  for (const PortNumber number : {PortNumber{1}, PortNumber{2}}) {
    const auto port = types.find(number);
    if (port == types.end()) break;
    line += (line.empty() ? "" : " ") + std::string(mlx4_conf_word(port->second));
  }
  return line.empty() ? std::nullopt : std::optional(line);
}

// The device's PCI address; empty where it is not known, or where the device is there with another driver.
std::string pci_address_of(const MatchedDevice& matched) {
  if (matched.device == nullptr) return matched.id.pci ? matched.id.pci->value : std::string();
  return matched.device->driver == choosing_driver ? matched.device->pci : std::string();
}

// Whether this host reads mlx4.conf. One with MLNX_OFED or DOCA-OFED (stack "ofed") is taken not to.
bool reads_mlx4_conf(const Facts& facts) {
  const DistroFamily family = platform_of(facts).family;
  return facts.stack != "ofed" && (family == DistroFamily::rhel || family == DistroFamily::suse);
}

// Wants the types in mlx4.conf too: then the ports have them as soon as the driver is loaded, before a program uses the
// ports with other types.
void add_mlx4_conf(const MatchedDevice& matched, const Facts& facts, Wanted& wanted, Desired& desired) {
  const std::string address = pci_address_of(matched);
  const auto line = mlx4_conf_line(wanted.state->as<LinkTypesState>().ports);
  if (address.empty() || !line || !reads_mlx4_conf(facts)) return;
  const auto path = common_layout().mlx4_ports;
  const std::string key = entry_key(path, address);
  wanted.twins.push_back({{entry_kind.name, key}, TwinForm::whole_file});  // the whole entry is about this device
  desired.add({&entry_kind, key, entry_of(path, address, *line), wanted.path});
}

}  // namespace

void add_link_types(const DeviceRecord& record, std::size_t index, const MatchedDevice& device, const Facts& facts,
                    Desired& desired) {
  auto types = types_of(record);
  if (types.empty()) return;
  std::string path = path_of(index, types.begin()->first);
  Wanted one{
      &link_types_kind,    to_text(device.id), State(link_types_kind, LinkTypesState{device.id, std::move(types)}),
      std::move(path),
      /*awaited_from=*/"", {boot_twin()}};
  one.optional = record.is_optional();
  add_mlx4_conf(device, facts, one, desired);
  desired.add(std::move(one));
}

}  // namespace rdmastate
