// SPDX-License-Identifier: Apache-2.0
// What of a host's distribution decides which files rdmastate writes, where, and how they have to look: its family, and
// the versions of some programs. Pure data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "host/facts.hpp"

namespace rdmastate {

/// Distributions whose files lie in the same places: Debian and Ubuntu; RHEL, its rebuilds and Fedora; SLES and
/// openSUSE.
enum class DistroFamily : std::uint8_t { debian, rhel, suse, other };

/// The first numbers of a program's version, "2.4.2"; what is not written is 0.
struct Version {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  auto operator<=>(const Version&) const = default;
};

/// The programs whose version changes what rdmastate writes.
struct Versions {
  Version systemd;
  Version networkmanager;
  Version nfs_utils;
};

/// What of a distribution decides which files rdmastate writes.
struct Platform {
  DistroFamily family = DistroFamily::other;
  unsigned release = 0;  ///< the major one, as `platform_of` found it in VERSION_ID; 0 when it has none
  Versions versions;
};

/// The platform by os-release's ID, and ID_LIKE for derivatives; a version that the facts have counts more than the
/// table's. A release that the table does not have counts as the nearest one before it, a distribution that it does not
/// have as one with the newest programs.
Platform platform_of(const Facts& facts);

/// A sentence where the release is older than any that rdmastate knows of its distribution; else empty.
std::string why_too_old(const Facts& facts);

/// "debian", "rhel", "suse" or "other".
std::string_view to_text(DistroFamily family);

/// Reads "2.6.2", "252", "1.42.4-1"; what follows the numbers is left out.
Version version_from(std::string_view text);

}  // namespace rdmastate
