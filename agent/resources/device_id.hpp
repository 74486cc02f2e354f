// SPDX-License-Identifier: Apache-2.0
// DeviceId: the selectors by which a spec or a key names an RDMA device, so that they still fit when the device is
// renamed; and the search for the device that they select.
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

/// One or more selectors of a device. All that are set have to fit the device.
/// Text: "node_guid f452:1403:007b:cba0", "pci 0000:3b:00.0 driver mlx4_core".
struct DeviceId {
  std::optional<Guid> node_guid;
  std::optional<Guid> port_guid;        ///< of any of its ports
  std::optional<PciAddress> pci;        ///< of its PCI function
  std::optional<std::string> board_id;  ///< RdmaDevice::board_id
  std::optional<std::string> driver;    ///< RdmaDevice::driver
  std::optional<DeviceName> name;       ///< its present name
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

/// Reads the key of a device in the ledger, a run or a saved plan; throws an Error that quotes `text` where it is none.
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
/// name already. Throws as device_id_from().
std::string device_name_now(const Snapshot& snapshot, const std::string& key);
/// "mlx4_0, mlx4_1", or "none": for sentences.
std::string names_of(const std::vector<RdmaDevice>& devices);

}  // namespace rdmastate
