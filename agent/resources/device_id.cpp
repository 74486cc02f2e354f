// SPDX-License-Identifier: Apache-2.0
#include "resources/device_id.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

// Takes the first pair of a name and a value off `text`: "node_guid X" of "node_guid X pci Y". nullopt: there is none.
std::optional<std::pair<std::string_view, std::string_view>> next_pair(std::string_view& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::size_t end = std::min(text.find(' ', space + 1), text.size());
  const std::pair pair(text.substr(0, space), text.substr(space + 1, end - space - 1));
  text.remove_prefix(std::min(end + 1, text.size()));
  return pair;
}

// Sets a selector from a part of a key; false where it is set already, or the part is no such value. A name is taken as
// it is: a device may have one from the kernel or from udev that no spec could give.
template <class T>
bool take(std::string_view value, std::optional<T>& out) {
  return !out && !value.empty() && !Text<T>::read(Scalar{value}, out.emplace());
}
bool take(std::string_view value, std::optional<std::string>& out) {
  if (out || value.empty()) return false;
  out = value;
  return true;
}
bool take(std::string_view value, std::optional<DeviceName>& out) {
  if (out || value.empty()) return false;
  out = DeviceName{std::string(value)};
  return true;
}

bool take_selector(std::string_view name, std::string_view value, DeviceId& out) {
  if (name == "node_guid") return take(value, out.node_guid);
  if (name == "port_guid") return take(value, out.port_guid);
  if (name == "pci") return take(value, out.pci);
  if (name == "board_id") return take(value, out.board_id);
  if (name == "driver") return take(value, out.driver);
  return name == "name" && take(value, out.name);
}

bool has_port(const RdmaDevice& device, Guid guid) {
  return std::any_of(device.ports.begin(), device.ports.end(), [&](const RdmaPort& port) { return port.guid == guid; });
}

}  // namespace

std::optional<Complaint> Text<DeviceId>::read(const Scalar& scalar, DeviceId& out) {
  DeviceId id;
  std::string_view rest = scalar.text;
  bool good = !rest.empty();
  while (good && !rest.empty()) {
    const auto pair = next_pair(rest);
    good = pair && take_selector(pair->first, pair->second, id);
  }
  if (!good) return unexpected(wanted, scalar);
  out = std::move(id);
  return std::nullopt;
}

std::string Text<DeviceId>::print(const DeviceId& id) {
  std::string text;
  const auto add = [&](std::string_view name, const auto& selector) {
    if (selector) text += fmt::format("{}{} {}", text.empty() ? "" : " ", name, to_text(*selector));
  };
  add("node_guid", id.node_guid);
  add("port_guid", id.port_guid);
  add("pci", id.pci);
  add("board_id", id.board_id);
  add("driver", id.driver);
  add("name", id.name);
  return text;
}

DeviceId device_id_from(std::string_view text) {
  DeviceId id;
  if (Text<DeviceId>::read(Scalar{text}, id)) throw Error(fmt::format("'{}' is not a device's identity", text));
  return id;
}

bool is_meant(const DeviceId& id, const RdmaDevice& device) {
  const auto fits = [](const auto& asked, const auto& there) { return !asked || *asked == there; };
  return id != DeviceId{} && id.node_guid != Guid{} && id.port_guid != Guid{} && fits(id.node_guid, device.node_guid) &&
         (!id.port_guid || has_port(device, *id.port_guid)) && fits(id.pci, PciAddress{device.pci}) &&
         fits(id.board_id, device.board_id) && fits(id.driver, device.driver) && fits(id.name, DeviceName{device.name});
}

std::vector<const RdmaDevice*> meant_of(const std::vector<RdmaDevice>& devices, const DeviceId& id) {
  std::vector<const RdmaDevice*> meant;
  for (const auto& device : devices)
    if (is_meant(id, device)) meant.push_back(&device);
  return meant;
}

const RdmaDevice* only_meant(const std::vector<RdmaDevice>& devices, const DeviceId& id) {
  const auto meant = meant_of(devices, id);
  return meant.size() == 1 ? meant[0] : nullptr;
}

DeviceId stable_id(const std::vector<RdmaDevice>& devices, const RdmaDevice& device) {
  const auto alone = [&](const DeviceId& id) { return meant_of(devices, id).size() == 1; };
  DeviceId id;
  id.node_guid = device.node_guid;
  if (device.node_guid.value != 0 && alone(id)) return id;
  id = {};
  id.pci = PciAddress{device.pci};
  if (!device.pci.empty() && alone(id)) return id;
  id = {};
  id.name = DeviceName{device.name};
  return id;
}

DeviceId resolve(const Snapshot& snapshot, const DeviceId& id) {
  const RdmaDevice* device = only_meant(snapshot.devices(), id);
  return device != nullptr ? stable_id(snapshot.devices(), *device) : id;
}

std::string device_name_now(const Snapshot& snapshot, const std::string& key) {
  const RdmaDevice* device = only_meant(snapshot.devices(), device_id_from(key));
  return device == nullptr || key.ends_with(" " + device->name) ? std::string() : device->name;
}

std::string names_of(const std::vector<RdmaDevice>& devices) {
  std::string names;
  for (const auto& device : devices) names += (names.empty() ? "" : ", ") + device.name;
  return names.empty() ? "none" : names;
}

}  // namespace rdmastate
