// SPDX-License-Identifier: Apache-2.0
// Reads sizes and limits as systemd's unit files write them, for the limits of services (systemd.exec(5),
// LimitMEMLOCK=; systemd's parse_size()).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace rdmastate {

/// "infinity": no limit.
inline constexpr std::uint64_t systemd_infinity = std::numeric_limits<std::uint64_t>::max();

/// The bytes of "65536", "8M", "1.5G" or "1G 512M": the suffixes B, K, M, G, T, P and E are powers of 1024, a larger
/// one stands before a smaller one. systemd_infinity for "infinity"; nullopt: systemd refuses it.
std::optional<std::uint64_t> systemd_size(std::string_view text);

/// A soft and a hard limit, in bytes.
struct SystemdLimit {
  std::uint64_t soft;
  std::uint64_t hard;
};

/// The limit of "8G:infinity", or of one size for both. nullopt: systemd ignores it, also where soft is above hard.
std::optional<SystemdLimit> systemd_limit(std::string_view text);

}  // namespace rdmastate
