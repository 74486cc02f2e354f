// SPDX-License-Identifier: Apache-2.0
// Section `devices`: RDMA devices that are there, what they are called, what their ports do, and what is expected of
// them. fields.hpp says what each field means. A setting without a value (nullopt, empty map) is left alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "resources/device_id.hpp"
#include "resources/qos_port/qos_port.hpp"
#include "resources/virtual_functions/virtual_functions.hpp"

namespace rdmastate {

struct RoceSettings {
  std::optional<RoceMode> default_mode;
  std::optional<Tos> tos;
};

struct QosSettings {
  std::optional<QosTrust> trust;
  std::optional<std::vector<Priority>> pfc;  ///< []: no priority has flow control
  std::map<Dscp, Priority> dscp;
  std::map<Priority, TrafficClass> priorities;
  std::map<TrafficClass, ClassShare> classes;
  std::map<Priority, BufferNumber> priority_buffers;
  std::map<BufferNumber, BufferSize> buffers;
};

/// The GUIDs of one virtual function.
struct VfGuids {
  Guid node;
  std::optional<Guid> port;  ///< nullopt: as `node`
  Guid port_guid() const { return port.value_or(node); }
};

struct SriovSettings {
  VfNumber vfs;
  std::optional<std::vector<VfGuids>> guids;  ///< one for each virtual function
  std::optional<VfLinkState> link_state;
  std::optional<bool> autoprobe;
};

struct DevicePort {
  std::optional<LinkType> link_type;
  std::optional<std::uint32_t> mtu;  ///< of the network device, in bytes
  std::optional<RoceSettings> roce;
  std::optional<QosSettings> qos;
  std::optional<SriovSettings> sriov;
};

/// "2.30.8000" exactly, or ">=2.30.8000" and the like: numbers with dots, compared number by number.
struct VersionBound {
  std::string relation = "=";  ///< =, >=, >, <=, <
  std::string version;
  auto operator<=>(const VersionBound&) const = default;
  /// Whether the version `other`, as the host prints it, is within the bound.
  bool holds(std::string_view other) const;
};
template <>
struct Text<VersionBound> {
  static constexpr std::string_view wanted = "a version such as \"2.42.5000\" or \">=2.30.8000\"";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() {
    return R"({"type":["string","number"],"pattern":"^(>=|>|<=|<|=)?[0-9]+(\\.[0-9]+)*$"})";
  }
  static std::optional<Complaint> read(const Scalar& scalar, VersionBound& out);
  static std::string print(const VersionBound& bound);
};

/// A rate in Gb/s: 56 exactly, or ">=56" and the like. The kernel prints "2.5 Gb/sec (1X SDR)": one decimal.
struct RateBound {
  VersionBound bound;
  auto operator<=>(const RateBound&) const = default;
  /// Whether the rate, as the kernel prints it, is within the bound; false for a text without a number.
  bool holds(std::string_view rate) const;
};
template <>
struct Text<RateBound> {
  static constexpr std::string_view wanted = "a rate in Gb/s such as 56 or \">=56\"";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() {
    return R"({"type":["string","number"],"pattern":"^(>=|>|<=|<|=)?[0-9]+(\\.[0-9])?$"})";
  }
  static std::optional<Complaint> read(const Scalar& scalar, RateBound& out);
  static std::string print(const RateBound& bound) { return to_text(bound.bound); }
};

/// A port's logical state; the numbers are the kernel's.
enum class PortState : std::uint8_t { down = 1, init = 2, armed = 3, active = 4 };
template <>
struct Names<PortState> {
  static constexpr std::string_view wanted = "down, init, armed or active";
  static constexpr std::array table{Name<PortState>{PortState::down, "down"}, Name<PortState>{PortState::init, "init"},
                                    Name<PortState>{PortState::armed, "armed"},
                                    Name<PortState>{PortState::active, "active"}};
};

struct PortExpectation {
  std::optional<PortState> state;
  std::optional<RateBound> rate;
  std::optional<LinkLayer> link_layer;
};

struct DeviceExpectation {
  std::optional<VersionBound> firmware;
  std::map<PortNumber, PortExpectation> ports;
};

/// A DeviceId as a spec's map of selectors.
struct DeviceMatch : DeviceId {};

struct DeviceRecord {
  DeviceMatch match;
  std::optional<bool> every;
  std::optional<bool> with_virtual;
  std::optional<bool> optional;
  std::optional<DeviceName> name;
  std::map<PortNumber, DevicePort> ports;
  std::optional<DeviceExpectation> expect;

  bool is_every() const { return every.value_or(false); }
  /// Whether it leaves out SR-IOV virtual functions, which are mostly for virtual machines.
  bool is_physical_only() const { return is_every() && !with_virtual.value_or(false); }
  bool is_optional() const { return optional.value_or(false); }
};

/// "devices[1].match"
std::string devices_path(std::size_t index, const std::string& field = {});

}  // namespace rdmastate
