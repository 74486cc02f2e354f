// SPDX-License-Identifier: Apache-2.0
// How a resource or a spec names an RDMA device so that the name stays true when the device is renamed.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "base/types_device.hpp"
#include "host/rdma.hpp"

namespace rdmastate {

class Snapshot;

/// One or more selectors of a device. All that are set have to agree with it.
/// Text: "node_guid f452:1403:007b:cba0", "pci 0000:3b:00.0 driver mlx4_core".
struct DeviceId {
  std::optional<Guid> node_guid;
  std::optional<Guid> port_guid;
  std::optional<PciAddress> pci;
  std::optional<std::string> board_id;
  std::optional<std::string> driver;
  std::optional<DeviceName> name;
  auto operator<=>(const DeviceId&) const = default;
};

template <>
struct Text<DeviceId> {
  static constexpr std::string_view wanted = "a device's identity such as node_guid f452:1403:007b:cba0";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, DeviceId& out);
  static std::string print(const DeviceId& id);
};

/// From a key of the ledger, a run or a saved plan; throws an Error that quotes a key that is none.
DeviceId device_id_from(std::string_view text);

/// Whether `id` selects this device. GUID 0 matches nothing, nor does an id without a selector.
bool is_meant(const DeviceId& id, const RdmaDevice& device);
/// Those of `devices` that `id` selects, in their order.
std::vector<const RdmaDevice*> meant_of(const std::vector<RdmaDevice>& devices, const DeviceId& id);
/// The one device that `id` selects; nullptr where it selects none or several.
const RdmaDevice* only_meant(const std::vector<RdmaDevice>& devices, const DeviceId& id);
/// The one selector that stays true longest and tells this device from the others: its node GUID, its PCI function,
/// or, where neither does, its present name.
DeviceId stable_id(const std::vector<RdmaDevice>& devices, const RdmaDevice& device);
/// stable_id() of the one device that `id` selects; `id` itself where it selects none or several.
DeviceId resolve(const Snapshot& snapshot, const DeviceId& id);
/// The present name of the one device that a key selects. Empty: it selects none or several, or the key ends in that
/// name already.
std::string device_name_now(const Snapshot& snapshot, const std::string& key);
/// "mlx4_0, mlx4_1", or "none": for sentences.
std::string names_of(const std::vector<RdmaDevice>& devices);

}  // namespace rdmastate
