// SPDX-License-Identifier: Apache-2.0
// The names that a spec gives to devices: the udev rules that give them at boot, and `ipoib` matches that use them.
#include "base/lines.hpp"
#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "sections/devices/devices.hpp"

namespace rdmastate {
namespace {

Values selector(const std::string& key, const std::string& value) { return Values{{{"key", key}, {"value", value}}}; }

// The selectors of one device, a list per udev rule. A rule finds a port's GUID at the end of its GID. Which port has
// the GUID is unknown without the device, so there is a rule for port 1 and one for port 2.
std::vector<std::vector<Values>> selectors_of(const DeviceId& id) {
  std::vector<Values> common;
  if (id.node_guid) common.push_back(selector("ATTR{node_guid}", to_text(*id.node_guid)));
  if (id.board_id) common.push_back(selector("ATTR{board_id}", *id.board_id));
  if (id.pci) common.push_back(selector("KERNELS", id.pci->value));
  if (id.driver) common.push_back(selector("DRIVERS", *id.driver));
  if (id.name) common.push_back(selector("KERNEL", id.name->value));
  if (!id.port_guid) return {common};
  std::vector<std::vector<Values>> all;
  for (const char* port : {"1", "2"}) {
    all.push_back(common);
    all.back().push_back(selector(std::string("ATTR{ports/") + port + "/gids/0}", "*:" + to_text(*id.port_guid)));
  }
  return all;
}

// The GUID of the port that `match` means by a name which this spec gives to a device.
std::optional<Guid> guid_of_renamed(const Spec& spec, const Facts& facts, const PortMatch& match) {
  for (const auto& record : spec.devices) {
    if (!record.name || record.name->value != match.device) continue;
    for (const auto* device : meant_by(record, facts.devices))
      for (const auto& port : device->ports)
        if (port.number == match.port && port.guid.value != 0) return port.guid;
  }
  return std::nullopt;
}

std::string rules_text(const DeviceNames& named) {
  std::vector<Values> rules;
  for (const auto& [id, name] : named)
    for (const auto& selectors : selectors_of(id))
      rules.push_back(Values{{{"name", name.value}, {"selectors", selectors}}});
  return Template("device-names.rules", escape_udev).render({{{"devices", rules}}});
}

}  // namespace

Spec ports_by_guid(Spec spec, const Facts& facts) {
  for (auto& record : spec.ipoib)
    if (record.match && record.match->device)
      if (const auto guid = guid_of_renamed(spec, facts, *record.match))
        record.match = PortMatch{guid, /*device=*/{}, /*port=*/{}};
  return spec;
}

void add_name_rules(const DeviceNames& named, Desired& desired) {
  desired.add({&file_kind, std::string(common_layout().name_rules), State(file_kind, regular_file(rules_text(named))),
               "devices"});
}

Twin name_rule_twin(const DeviceId& id, const DeviceName& name) {
  return {{file_kind.name, std::string(common_layout().name_rules)},
          TwinForm::line,
          {"name"},
          without_comment_lines(rules_text({{id, name}}))};
}

}  // namespace rdmastate
