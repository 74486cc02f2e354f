// SPDX-License-Identifier: Apache-2.0
// OpenSM's partitions.conf: ours written, and anybody's read, as osm_prtn_config.c does.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sections/subnet_manager/spec.hpp"

namespace rdmastate {

/// What the file of a section with partitions holds, by their keys: the order of a spec has no meaning.
std::string partitions_text(const SubnetManagerSection& section);

/// One partition as OpenSM takes it from a file.
struct WrittenPartition {
  std::string name;
  bool ipoib = false;
  std::uint32_t mtu = 4;   ///< as a code; OSM_DEFAULT_MGRP_MTU
  std::uint32_t rate = 3;  ///< as a code; OSM_DEFAULT_MGRP_RATE
  std::map<Member, Membership> members = {};
};

/// By the low 15 bits of their keys. nullopt where the text is not of the grammar of opensm(8), or leaves a key to
/// OpenSM: what it would do with it is not guessed.
std::optional<std::map<std::uint16_t, WrittenPartition>> partitions_in(std::string_view text);

}  // namespace rdmastate
