// SPDX-License-Identifier: Apache-2.0
// OpenSM's partitions.conf: writes the text that a spec wants, and reads any text by the rules of OpenSM's
// osm_prtn_config.c.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sections/subnet_manager/spec.hpp"

namespace rdmastate {

/// The file's text, sorted by P_Key, so that the order of the spec does not change it. Only for a section that has
/// `partitions`.
std::string partitions_text(const SubnetManagerSection& section);

/// One partition as OpenSM takes it from a file.
struct WrittenPartition {
  std::string name;        ///< of the first statement for its P_Key
  bool ipoib = false;      ///< it has a broadcast group
  std::uint32_t mtu = 4;   ///< InfiniBand's code (IbMtu::code()); 4: 2048 bytes (OpenSM's OSM_DEFAULT_MGRP_MTU)
  std::uint32_t rate = 3;  ///< InfiniBand's code (IbRate::code); 3: 10 Gb/s (OpenSM's OSM_DEFAULT_MGRP_RATE)
  std::map<Member, Membership> members = {};
};

/// Partitions by the low 15 bits of their P_Keys. nullopt where OpenSM would not read the text, or where a partition
/// has no P_Key: OpenSM would choose one.
std::optional<std::map<std::uint16_t, WrittenPartition>> partitions_in(std::string_view text);

}  // namespace rdmastate
