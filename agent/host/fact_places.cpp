// SPDX-License-Identifier: Apache-2.0
// The places that facts are read from, and what a record keeps of the files there: of a foreign file, only what the
// facts say of it. A file that may be about an InfiniBand interface is kept whole: a plan that adopts it shows its
// text.
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/template.hpp"
#include "host/claims.hpp"
#include "host/facts.hpp"
#include "host/file_owners.hpp"
#include "host/mounts.hpp"
#include "host/nfs_claims.hpp"
#include "host/nfs_export_options.hpp"
#include "host/nfs_exports.hpp"
#include "host/opensm_files.hpp"

namespace rdmastate {
namespace {

// One keyfile that makes all these claims. A section has one interface-name: each further claim gets a section of its
// own.
std::string keyfile_text(const std::vector<Claim>& claims) {
  std::string text;
  for (const auto& claim : claims) {
    const bool first = &claim == &claims.front();
    if (claim_words(claim).asks.empty()) text += fmt::format("[{}]\n", first ? "connection" : claim.interface);
    text += claim_text(claim);
  }
  return text;
}

std::vector<Claim> claims_of(const ClaimSource& source, const FileToKeep& file) {
  std::vector<Claim> claims = source.claims(file.name(), file.text);
  for (auto& claim : claims) {
    claim.manager = source.manager;
    claim.path = file.path;
  }
  return claims;
}

// The text of a file that makes these claims; of netplan's files lines_of_owner() writes it.
std::string text_of(const ClaimSource& source, const std::vector<Claim>& claims) {
  if (source.claims == keyfile_claims) return keyfile_text(claims);
  if (source.claims == netplan_claims) return {};
  std::string text;
  for (const auto& claim : claims) text += claim_text(claim);
  return text;
}

// What file_owners.hpp reads of the file: which files ifupdown includes, and netplan's renderer.
std::string lines_of_owner(const ClaimSource& source, const FileToKeep& file, const std::vector<Claim>& claims) {
  std::string text;
  if (source.claims == ifupdown_claims)
    for (const auto& line : ifupdown_includes(file.text)) text += line + "\n";
  if (source.claims == netplan_claims) text += netplan_text(netplan_renderer(file.text), claims);
  return text;
}

// Whether the file may be about an InfiniBand interface: by its type, as each owner spells it, or by a name that no
// interface of another type has.
bool may_be_adopted(const FileToKeep& file, const std::vector<Claim>& claims) {
  for (const std::string_view type : {"infiniband", "InfiniBand", "ipoib", "IPOIB"})
    if (file.text.find(type) != std::string_view::npos) return true;
  return std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
    return claim_words(claim).asks.empty() && !claim.interface.empty() && !file.others.contains(claim.interface);
  });
}

FilePlace place_of(const ClaimSource& source) {
  std::string pattern(source.place);
  if (!source.is_file) pattern += fmt::format("/*{}", source.suffix);
  return {std::move(pattern), [&source](const FileToKeep& file) {
            const std::vector<Claim> claims = claims_of(source, file);
            if (may_be_adopted(file, claims)) return Kept{Kept::How::whole};
            return kept_part(lines_of_owner(source, file, claims) + text_of(source, claims));
          }};
}

Kept mount_targets(const FileToKeep& file) {
  std::string text;
  for (const auto& target : fstab_targets(file.text))
    text += fmt::format("none {} none noauto 0 0\n", with_escaped_blanks(target));
  return kept_part(std::move(text));
}

Kept target_of_unit(const FileToKeep& file) {
  const std::string target = unit_target(file.text);
  return target.empty() ? Kept{} : kept_part(fmt::format("[Mount]\nWhere={}\n", target));
}

Kept settings_of_nfs(const FileToKeep& file) {
  std::string text;
  for (const auto& one : nfs_settings_in(std::string(file.path), file.text)) {
    const std::size_t dot = one.key.find('.');
    text += fmt::format("[{}]\n{} = {}\n", one.key.substr(0, dot), one.key.substr(dot + 1), one.value);
  }
  return kept_part(std::move(text));
}

// Without comments, and without paths that escape_exports() refuses: no spelling of these means the same to all
// readers.
Kept exports_of(const FileToKeep& file) {
  std::string text;
  for (const auto& one : exports_in(file.text))
    if (std::none_of(one.path.begin(), one.path.end(), [](char c) { return ascii::is_control(c) || c == '\\'; }))
      text += fmt::format("{} {}({})\n", escape_exports(one.path), one.host, effective_options(one.options));
  return kept_part(std::move(text));
}

}  // namespace

FilePlaces fact_places() {
  FilePlaces places = whole_files({"/etc/os-release", "/usr/lib/os-release", "/etc/machine-id",
                                   "/proc/sys/kernel/osrelease", "/proc/sys/kernel/random/boot_id"});
  for (const auto path : paths_of_signs()) places.push_back(presence(path));
  for (const auto& source : claim_sources()) places.push_back(place_of(source));
  for (const char* netplan : {"/lib/netplan/*.yaml", "/run/netplan/*.yaml"})
    places.push_back(
        {netplan, [](const FileToKeep& file) { return kept_part(netplan_text(netplan_renderer(file.text), {})); }});
  places.push_back({"/etc/fstab", mount_targets});
  for (const char* units : {"/etc/systemd/system/*.mount", "/etc/systemd/system/*.automount"})
    places.push_back({units, target_of_unit});
  for (const char* settings : {"/etc/nfs.conf", "/etc/nfs.conf.local", "/etc/nfs.conf.d/*.conf"})
    places.push_back({settings, settings_of_nfs});
  for (const char* exports : {"/etc/exports", "/etc/exports.d/*.exports"}) places.push_back({exports, exports_of});
  append(places, opensm_unit_places());
  return places;
}

}  // namespace rdmastate
