// SPDX-License-Identifier: Apache-2.0
// The udev rules that start rdmastate-event@.service when a port's network device appears or rdma_cm is loaded again: a
// new device or module does not have the port's settings, and the service applies them.
#include <set>

#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "sections/devices/devices.hpp"

namespace rdmastate {
namespace {

using Parent = std::pair<std::string, std::string>;

// How a rule finds the network devices of an RDMA device: by their PCI function, else by their driver. A network device
// does not have the RDMA device's GUIDs, so where only these are known the rule takes any network device that has a
// driver (a container's veth has none).
Parent parent_of(const MatchedDevice& one) {
  if (one.device != nullptr && !one.device->pci.empty()) return {"KERNELS", one.device->pci};
  if (one.id.pci) return {"KERNELS", one.id.pci->value};
  return {"DRIVERS", one.id.driver.value_or("?*")};
}

}  // namespace

void add_port_rules(const std::vector<MatchedDevice>& watched, bool has_roce, Desired& desired) {
  std::set<Parent> parents;
  for (const auto& one : watched) parents.insert(parent_of(one));
  std::vector<Values> devices;
  for (const auto& [key, value] : parents) devices.push_back(Values{{{"key", key}, {"value", value}}});
  const Template rules("port.rules", escape_udev);
  desired.add(
      {&file_kind, std::string(common_layout().port_rules),
       State(file_kind, regular_file(rules.render(
                            {{{"has_devices", !devices.empty()}, {"devices", devices}, {"has_roce", has_roce}}}))),
       "devices"});
}

}  // namespace rdmastate
