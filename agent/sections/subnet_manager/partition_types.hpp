// SPDX-License-Identifier: Apache-2.0
// The types of fields of section `subnet_manager`: a partition's name, key, members, MTU and rate (opensm(8), PARTITION
// CONFIGURATION), a subnet's prefix and a subnet manager's priority.
#pragma once

#include <compare>
#include <string>

#include "base/types.hpp"
#include "base/types_device.hpp"

namespace rdmastate {

/// A partition's name: letters, digits, '_', '-' and '.', at most 31 (OpenSM's osm_prtn_t::name holds 32 bytes). Its
/// parser splits at ',', '=', ':', ';' and '#', and has no way to quote them.
struct PartitionName {
  std::string value;
  auto operator<=>(const PartitionName&) const = default;
  static constexpr std::size_t max_length = 31;
};

/// A partition's key. Bit 15 is a member's, not the partition's, so 0x0002 and 0x8002 mean the same one.
struct PartitionKey {
  PKey key;
  auto operator<=>(const PartitionKey&) const = default;
  std::uint16_t low_bits() const { return key.value & static_cast<std::uint16_t>(~PKey::full_member); }
};

/// Who is in a partition: one port, or all ports of a sort (channel adapters are `all_cas`; `self` is the subnet
/// manager's own port). Their order (<=>) is that of the lines in partitions.conf: OpenSM lets a later member overwrite
/// what an earlier one said of the same port (osm_prtn_add_port), so the members that mean fewer ports come later.
struct Member {
  enum class Who : std::uint8_t { all, all_cas, all_switches, all_routers, self, port };
  Who who = Who::all;
  Guid port;  ///< of Who::port alone
  auto operator<=>(const Member&) const = default;
};

/// Limited members talk to full ones only. A member that is `both` has the limited and the full P_Key.
enum class Membership : std::uint8_t { limited, full, both };
template <>
struct Names<Membership> {
  static constexpr std::string_view wanted = "full, limited or both";
  static constexpr std::array table{Name<Membership>{Membership::full, "full"},
                                    Name<Membership>{Membership::limited, "limited"},
                                    Name<Membership>{Membership::both, "both"}};
};

/// An InfiniBand MTU: 256 to 4096 bytes; as a code 1 to 5.
struct IbMtu {
  std::uint32_t bytes = 2048;
  auto operator<=>(const IbMtu&) const = default;
  /// The number that partitions.conf wants (IBA 1.3, 14.2.5.6: MTU and rate codes).
  std::uint32_t code() const;
  std::uint32_t ipoib() const { return bytes - 4; }  ///< less IPoIB's own header
};

/// A rate in Gb/s, by its code (ib_types.h, IB_PATH_RECORD_RATE_*): 3 is 10.
struct IbRate {
  std::uint32_t code = 3;
  auto operator<=>(const IbRate&) const = default;
};

/// The first half of a subnet's GIDs.
struct SubnetPrefix {
  std::uint64_t value = 0xfe80000000000000;
  auto operator<=>(const SubnetPrefix&) const = default;
};

/// The bounds of a subnet manager's priority (IBA 1.3, 14.4.1: four bits).
struct SmPriorityBounds {
  static constexpr std::uint32_t least = 0;
  static constexpr std::uint32_t most = 15;
  static constexpr std::string_view wanted = "a priority from 0 to 15";
};
/// A subnet manager's priority; the highest becomes the master.
using SmPriority = Bounded<SmPriorityBounds>;

#define RDMASTATE_TEXT(Type, Wanted, Form)                                 \
  template <>                                                              \
  struct Text<Type> {                                                      \
    static constexpr std::string_view wanted = Wanted;                     \
    static constexpr JsonForm form = JsonForm::Form;                       \
    static std::string schema();                                           \
    static std::optional<Complaint> read(const Scalar& scalar, Type& out); \
    static std::string print(const Type& value);                           \
  }

RDMASTATE_TEXT(PartitionName, "a partition's name of letters, digits, '_', '-' and '.'", string);
RDMASTATE_TEXT(PartitionKey, "a P_Key such as 0x8002", string);
RDMASTATE_TEXT(Member, "a port GUID, ALL, ALL_CAS, ALL_SWITCHES, ALL_ROUTERS or SELF", string);
RDMASTATE_TEXT(IbMtu, "256, 512, 1024, 2048 or 4096", integer);
RDMASTATE_TEXT(IbRate, "a rate in Gb/s such as 10, 56 or 100", integer);
RDMASTATE_TEXT(SubnetPrefix, "a subnet prefix such as 0xfe80000000000001", string);
#undef RDMASTATE_TEXT

}  // namespace rdmastate
