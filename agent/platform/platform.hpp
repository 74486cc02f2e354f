// SPDX-License-Identifier: Apache-2.0
// Tells the facts of a distribution by which rdmastate decides which files it writes, where and in which form: the
// family, and the versions of some programs.
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

/// The first numbers of a program's version, "2.4.2"; a number that is not written is 0.
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

/// The facts of one distribution by which rdmastate decides which files it writes.
struct Platform {
  DistroFamily family = DistroFamily::other;
  unsigned release = 0;  ///< the major number of VERSION_ID in os-release(5); 0 when it has none
  Versions versions;
  /// The newest that they may be: those of the newest release known where this release is newer than any that the table
  /// has of its distribution and the facts do not tell them; else as in `versions`.
  Versions at_most;
};

/// The platform by os-release's ID, and ID_LIKE for derivatives. The versions of programs come from the facts, else
/// from a table of releases. A release that the table does not have counts as the nearest one before it, or as the
/// oldest where all are newer. A distribution that it does not have, or one without VERSION_ID, has the newest
/// programs.
Platform platform_of(const Facts& facts);

/// A sentence where the release is older than any that rdmastate knows of its distribution; else empty.
std::string why_too_old(const Facts& facts);

/// "debian", "rhel", "suse" or "other".
std::string_view to_text(DistroFamily family);

/// Reads "2.6.2", "252", "1.42.4-1"; what follows the numbers is left out.
Version version_from(std::string_view text);

}  // namespace rdmastate
