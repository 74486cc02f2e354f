// SPDX-License-Identifier: Apache-2.0
#include "platform/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace rdmastate {
namespace {

struct KnownId {
  std::string_view id;
  DistroFamily family;
};

// The values of ID and ID_LIKE in os-release(5) by which a family is told.
constexpr std::array known_ids{
    KnownId{"debian", DistroFamily::debian},
    KnownId{"ubuntu", DistroFamily::debian},
    KnownId{"rhel", DistroFamily::rhel},
    KnownId{"centos", DistroFamily::rhel},
    KnownId{"rocky", DistroFamily::rhel},
    KnownId{"almalinux", DistroFamily::rhel},
    KnownId{"ol", DistroFamily::rhel},
    KnownId{"fedora", DistroFamily::rhel},
    KnownId{"sles", DistroFamily::suse},
    KnownId{"sled", DistroFamily::suse},
    KnownId{"sle_hpc", DistroFamily::suse},
    KnownId{"suse", DistroFamily::suse},
    KnownId{"opensuse", DistroFamily::suse},
    KnownId{"opensuse-leap", DistroFamily::suse},
    KnownId{"opensuse-tumbleweed", DistroFamily::suse},
};

// What a release came with: the versions of systemd, NetworkManager and nfs-utils. A later service pack may have newer
// programs: then rdmastate writes the older form, which they still read. RHEL's minor releases change NetworkManager's
// version: 8.6 and 9.0 came with 1.36.
struct Release {
  std::string_view id;
  unsigned number;
  Versions versions;
  unsigned minor = 0;
};

constexpr std::array releases{
    Release{"debian", 11, {{247}, {1, 30}, {1, 3, 4}}}, Release{"debian", 12, {{252}, {1, 42}, {2, 6, 2}}},
    Release{"debian", 13, {{257}, {1, 52}, {2, 8, 3}}}, Release{"ubuntu", 20, {{245}, {1, 22}, {1, 3, 4}}},
    Release{"ubuntu", 22, {{249}, {1, 36}, {2, 6, 1}}}, Release{"ubuntu", 24, {{255}, {1, 46}, {2, 6, 4}}},
    Release{"rhel", 8, {{239}, {1, 14}, {2, 3, 3}}},    Release{"rhel", 8, {{239}, {1, 40}, {2, 3, 3}}, 7},
    Release{"rhel", 9, {{250}, {1, 36}, {2, 5, 4}}},    Release{"rhel", 9, {{252}, {1, 42}, {2, 5, 4}}, 2},
    Release{"rhel", 10, {{257}, {1, 52}, {2, 8, 2}}},   Release{"sles", 15, {{249}, {1, 38}, {2, 1, 1}}},
    Release{"sles", 16, {{257}, {1, 52}, {2, 8, 3}}},
};

constexpr Versions newest{{257}, {1, 52}, {2, 8, 3}};

std::string_view take_first_word(std::string_view& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(std::min(end + 1, words.size()));
  return word;
}

// ID first, then what the distribution says that it is like, nearest first.
DistroFamily family_of(const Facts& facts) {
  std::string_view likes = facts.distribution_like;
  for (std::string_view id = facts.distribution; !id.empty(); id = take_first_word(likes)) {
    const auto found =
        std::find_if(known_ids.begin(), known_ids.end(), [&](const KnownId& one) { return one.id == id; });
    if (found != known_ids.end()) return found->family;
  }
  return DistroFamily::other;
}

// The ID under which `releases` has the distribution. Rebuilds number their releases as RHEL does, Leap as SLES. Empty
// for Fedora and Tumbleweed, which count as the newest.
std::string_view table_id(const Facts& facts, DistroFamily family) {
  if (facts.distribution == "ubuntu" || facts.distribution_like.find("ubuntu") != std::string::npos) return "ubuntu";
  if (facts.distribution == "fedora" || facts.distribution == "opensuse-tumbleweed") return {};
  return family == DistroFamily::suse ? "sles" : to_text(family);
}

// The versions of the newest release of `id` that is not newer than `version`; where all are newer, those of the
// oldest, which is the first row of that id.
Versions versions_of(std::string_view id, const Version& version) {
  const auto number = [](const Release& release) { return Version{release.number, release.minor, 0}; };
  const Release* best = nullptr;
  for (const auto& release : releases) {
    if (release.id != id) continue;
    if (best == nullptr || (number(release) <= version && number(release) > number(*best))) best = &release;
  }
  return best == nullptr || version.major == 0 ? newest : best->versions;
}

// Whether `version` is of a release after all that `releases` has of `id`. A minor release or an update of a known one
// is none.
bool is_newer_than_known(std::string_view id, const Version& version) {
  return std::all_of(releases.begin(), releases.end(),
                     [&](const Release& one) { return one.id != id || one.number < version.major; });
}

// Whether `known_ids` has this very ID: a derivative that it does not have may number its releases in its own way.
bool is_named(std::string_view id) {
  return std::any_of(known_ids.begin(), known_ids.end(), [&](const KnownId& one) { return one.id == id; });
}

// Sets `version` to that of the program `name` where the facts have one.
void override_with(const std::map<std::string, std::string>& given, std::string_view name, Version& version) {
  if (const auto found = given.find(std::string(name)); found != given.end()) version = version_from(found->second);
}

void override_with(const std::map<std::string, std::string>& given, Versions& versions) {
  override_with(given, "systemd", versions.systemd);
  override_with(given, "networkmanager", versions.networkmanager);
  override_with(given, "nfs-utils", versions.nfs_utils);
}

}  // namespace

Platform platform_of(const Facts& facts) {
  Platform platform;
  platform.family = family_of(facts);
  const Version version = version_from(facts.version);
  platform.release = version.major;
  const std::string_view id = table_id(facts, platform.family);
  platform.versions = versions_of(id, version);
  platform.at_most = is_newer_than_known(id, version) ? newest : platform.versions;
  override_with(facts.versions, platform.versions);
  override_with(facts.versions, platform.at_most);
  return platform;
}

std::string why_too_old(const Facts& facts) {
  const std::string_view id = table_id(facts, family_of(facts));
  const unsigned release = version_from(facts.version).major;
  const Release* oldest = nullptr;
  for (const auto& one : releases)
    if (one.id == id && (oldest == nullptr || one.number < oldest->number)) oldest = &one;
  if (oldest == nullptr || release == 0 || release >= oldest->number || !is_named(facts.distribution)) return {};
  return fmt::format("{} is older than any release that rdmastate knows: {} {} is the first", facts.pretty_name, id,
                     oldest->number);
}

std::string_view to_text(DistroFamily family) {
  switch (family) {
    case DistroFamily::debian:
      return "debian";
    case DistroFamily::rhel:
      return "rhel";
    case DistroFamily::suse:
      return "suse";
    case DistroFamily::other:
      break;
  }
  return "other";
}

Version version_from(std::string_view text) {
  Version version;
  for (unsigned* part : {&version.major, &version.minor, &version.patch}) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *part);
    if (error != std::errc()) break;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  return version;
}

}  // namespace rdmastate
