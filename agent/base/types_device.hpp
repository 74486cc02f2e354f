// SPDX-License-Identifier: Apache-2.0
// Types for a device's PCI address and name, and for the numbers of ports, priorities, DSCP and type of service.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "base/text.hpp"

namespace rdmastate {

/// A PCI function's address in lower case, as sysfs prints it: "0000:3b:00.0". Without a domain it is read as of domain
/// 0000.
struct PciAddress {
  std::string value;
  auto operator<=>(const PciAddress&) const = default;
};

/// An RDMA device's name: 1 to 63 bytes (IB_DEVICE_NAME_MAX is 64). One that is read from a spec has letters, digits,
/// '_', '-', '.' and ':' alone, which are what udev keeps, and is not "." or "..". One that a host has may have others.
struct DeviceName {
  std::string value;
  auto operator<=>(const DeviceName&) const = default;
  static constexpr std::size_t max_length = 63;
};

template <>
struct Text<PciAddress> {
  static constexpr std::string_view wanted = "a PCI address such as 0000:3b:00.0";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, PciAddress& out);
  static std::string print(const PciAddress& value) { return value.value; }
};

template <>
struct Text<DeviceName> {
  static constexpr std::string_view wanted = "an RDMA device's name such as mlx4_a";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, DeviceName& out);
  static std::string print(const DeviceName& value) { return value.value; }
};

/// A whole number between two bounds. `Of` says which: `static constexpr std::uint32_t least, most;` and `wanted`.
/// Also good as the key of a map: `ports: {1: {...}}` is a std::map<PortNumber, ...>.
template <class Of>
struct Bounded {
  std::uint32_t value = Of::least;
  auto operator<=>(const Bounded&) const = default;
};

namespace detail {
std::string bounded_schema(std::uint32_t least, std::uint32_t most);
std::optional<Complaint> read_bounded(const Scalar& scalar, std::string_view wanted, std::uint32_t least,
                                      std::uint32_t most, std::uint32_t& out);
}  // namespace detail

template <class Of>
struct Text<Bounded<Of>> {
  static constexpr std::string_view wanted = Of::wanted;
  static constexpr JsonForm form = JsonForm::integer;
  static std::string schema() { return detail::bounded_schema(Of::least, Of::most); }
  static std::optional<Complaint> read(const Scalar& scalar, Bounded<Of>& out) {
    return detail::read_bounded(scalar, wanted, Of::least, Of::most, out.value);
  }
  static std::string print(const Bounded<Of>& value) { return std::to_string(value.value); }
};

/// The bounds of a port's number, and the words for messages.
struct PortBounds {
  static constexpr std::uint32_t least = 1;
  static constexpr std::uint32_t most = 254;
  static constexpr std::string_view wanted = "a port's number, from 1 to 254";
};
/// A port of an RDMA device.
using PortNumber = Bounded<PortBounds>;

/// The bounds of a virtual function's number, and of how many a function has: TotalVFs has 16 bits (SR-IOV 1.1, 3.3.6).
struct VfBounds {
  static constexpr std::uint32_t least = 0;
  static constexpr std::uint32_t most = 65535;
  static constexpr std::string_view wanted = "a number from 0 to 65535";
};
/// A virtual function's number as `ip link` has it, from 0; or how many there are.
using VfNumber = Bounded<VfBounds>;

/// The bounds of an IEEE 802.1Q priority.
struct PriorityBounds {
  static constexpr std::uint32_t least = 0;
  static constexpr std::uint32_t most = 7;
  static constexpr std::string_view wanted = "a priority from 0 to 7";
};
/// An IEEE 802.1Q priority.
using Priority = Bounded<PriorityBounds>;

/// The bounds of a traffic class.
struct ClassBounds {
  static constexpr std::uint32_t least = 0;
  static constexpr std::uint32_t most = 7;
  static constexpr std::string_view wanted = "a traffic class from 0 to 7";
};
/// A traffic class of IEEE 802.1Q: what a port sends of one or more priorities, in a queue of its own.
using TrafficClass = Bounded<ClassBounds>;

/// What a traffic class may send: "60%" of the link's bandwidth when others send too, "strict" (before all classes with
/// a percentage, and before lower strict ones), "cbs" (strict, up to a credit based shaper's limit) or "vendor" (as the
/// driver has it; mlx5: before the strict ones): the transmission selection algorithms of IEEE 802.1Qaz, dcb-ets(8).
struct ClassShare {
  enum class By : std::uint8_t { strict = 0, cbs = 1, percent = 2, vendor = 255 };  // IEEE_8021QAZ_TSA_*
  By by = By::strict;
  std::uint8_t percent = 0;  ///< 0 to 100, with By::percent; else 0
  auto operator<=>(const ClassShare&) const = default;
};
template <>
struct Text<ClassShare> {
  static constexpr std::string_view wanted = "a percentage such as 60%, or strict, cbs or vendor";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string","pattern":"^(100%|[1-9]?[0-9]%|strict|cbs|vendor)$"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, ClassShare& out);
  static std::string print(const ClassShare& share);
};

/// The bounds of a receive buffer's number.
struct BufferBounds {
  static constexpr std::uint32_t least = 0;
  static constexpr std::uint32_t most = 7;
  static constexpr std::string_view wanted = "a receive buffer from 0 to 7";
};
/// A buffer in which a port keeps what it receives of one or more priorities (struct dcbnl_buffer of linux/dcbnl.h).
using BufferNumber = Bounded<BufferBounds>;

/// The size of a receive buffer.
struct BufferSize {
  std::uint32_t bytes = 0;
  auto operator<=>(const BufferSize&) const = default;
  /// A device rounds sizes down to its cells, and DCB does not say how large these are: 128 bytes on mlx5, or what its
  /// firmware says (mlx5e_query_port_buffers_cell_size). This is more than any known one.
  static constexpr std::uint32_t largest_cell = 1024;
  /// Whether a device may have this size where it was asked for `asked`.
  bool may_be(BufferSize asked) const {
    return bytes <= asked.bytes && asked.bytes - bytes < largest_cell && (bytes == 0) == (asked.bytes == 0);
  }
};
template <>
struct Text<BufferSize> {
  static constexpr std::string_view wanted = "a size with its unit such as 128KiB or 19968B, or 0";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() {
    return R"({"type":["string","integer"],"pattern":"^(0|[1-9][0-9]*(B|KiB|MiB))$","maximum":0,"minimum":0})";
  }
  static std::optional<Complaint> read(const Scalar& scalar, BufferSize& out);
  static std::string print(const BufferSize& size);
};

/// The bounds of a DSCP.
struct DscpBounds {
  static constexpr std::uint32_t least = 0;
  static constexpr std::uint32_t most = 63;
  static constexpr std::string_view wanted = "a DSCP from 0 to 63";
};
/// The upper six bits of an IP packet's traffic class.
using Dscp = Bounded<DscpBounds>;

/// The bounds of a traffic class byte.
struct TosBounds {
  static constexpr std::uint32_t least = 0;
  static constexpr std::uint32_t most = 255;
  static constexpr std::string_view wanted = "a type of service from 0 to 255";
};
/// An IP packet's whole traffic class byte.
using Tos = Bounded<TosBounds>;

}  // namespace rdmastate
