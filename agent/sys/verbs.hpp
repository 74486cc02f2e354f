// SPDX-License-Identifier: Apache-2.0
// Reads what ibv_devinfo and ibstat print beyond Facts. Nothing is planned from it, so it is no part of Host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sys/root.hpp"

namespace rdmastate {

/// One entry of a port's GID table (Documentation/ABI/stable/sysfs-class-infiniband).
struct GidDetail {
  std::uint32_t index = 0;
  std::string gid{};     ///< "0000:0000:0000:0000:0000:ffff:c000:0201": of a RoCE port an address
  std::string type{};    ///< "IB/RoCE v1", "RoCE v2"
  std::string netdev{};  ///< of an Ethernet port
};

/// What libibverbs and sysfs say of a port, for `show`.
struct PortDetail {
  std::uint32_t number = 1;
  std::string subnet_prefix{};             ///< "fe80:0000:0000:0000"
  std::uint32_t lmc = 0;                   ///< LID mask control: how many low bits of the LID may differ
  std::string capability_mask{};           ///< "0x02514868"
  std::string netdev{};                    ///< of an Ethernet port
  std::vector<GidDetail> gids{};           ///< those that are in use, by their index
  std::optional<std::uint32_t> max_mtu{};  ///< in bytes; this and the next only by libibverbs
  std::optional<std::uint32_t> active_mtu{};
};

/// What libibverbs and sysfs say of a device, for `show`.
struct DeviceDetail {
  std::string name{};
  std::string type{};      ///< "MT4099"
  std::string hardware{};  ///< the hardware's revision, as the driver prints it
  std::vector<PortDetail> ports{};
  std::string transport{};  ///< "InfiniBand", "iWARP"; empty without libibverbs
  std::optional<std::uint32_t> vendor_id{};
  std::optional<std::uint32_t> vendor_part_id{};
  std::optional<std::uint32_t> hw_ver{};  ///< not with every driver the same as `hardware`
};

/// The details of each of the devices `names`, by sysfs and by libibverbs. What sysfs does not show is empty or 0, also
/// for a device that is not there. Where libibverbs cannot be used, `trouble` becomes the reason, and the fields that
/// only libibverbs gives stay empty; else `trouble` is left as it is.
std::vector<DeviceDetail> read_details(const Root& root, const std::vector<std::string>& names, std::string& trouble);

}  // namespace rdmastate
