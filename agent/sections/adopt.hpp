// SPDX-License-Identifier: Apache-2.0
// Makes the spec that describes a host, for `show --as-spec`: the inverse of expand. Pure, except that it reads the
// snapshot.
#pragma once

#include <set>

#include "resources/wanted.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

/// Where a field of an adopted spec came from.
struct FieldSource {
  std::string path;    ///< "ipoib[0].mode"
  std::string source;  ///< "/etc/rdmastate/boot.json:3", "interface mlx4_ib0"
};

/// The spec that describes a host, with the source of each field.
struct Adopted {
  Spec spec;
  std::vector<FieldSource> sources;
  std::vector<std::string> left_out;  ///< sentences: what is on the host and cannot be said in a spec

  /// Notes the source of the field at that path.
  void came_from(std::string path, std::string source) { sources.push_back({std::move(path), std::move(source)}); }
};

/// The part of the applied spec that the host still matches.
struct Applied {
  Spec spec = {};                                    ///< without the sections that were changed since
  std::set<std::string, std::less<>> sections = {};  ///< the names of its sections
  std::set<Ref> resources = {};                      ///< what those sections want on this host
  std::string source = {};                           ///< the file that holds the applied spec

  bool holds(std::string_view section) const { return sections.contains(section); }
};

/// Empties the section `name`; does nothing where no section has this name.
void forget_section(Spec& spec, std::string_view name);
/// The names of the sections that are not empty.
std::set<std::string, std::less<>> sections_of(const Spec& spec);

/// What a section's adopt() looks at. What `applied` holds is in the spec already: adopt() adds what is beyond it.
struct Adoption {
  const Snapshot& snapshot;
  const Facts& facts;
  const Applied& applied;
  Backend backend;  ///< the one that configures the interfaces now
  /// The resources that boot.json makes at boot, one per line from its second; those that it only awaits are left out.
  /// Empty where there is no boot.json.
  Desired boot;

  /// The place of the resource at that index of `boot.wanted`: "/etc/rdmastate/boot.json:3".
  std::string boot_line(std::size_t index) const;
  /// Whether the file at that path is one that the applied spec means.
  bool is_applied_file(const std::string& path) const;
};

/// The spec of what rdmastate or another program set up on a host; what the kernel makes by itself is left out. What
/// still holds of the applied spec stays as it was applied; what else rdmastate made is as its own files say; the rest
/// is as the host has it. The plan of this spec on the same host moves nothing live, and nothing at all where rdmastate
/// made everything.
Adopted adopt(const Snapshot& snapshot, const Facts& facts, const Applied& applied = {});

/// The comments of adopted_text(): what was left out; with `sources` also where each field came from.
enum class Comments { left_out, sources };
/// The adopted spec as YAML that `check` reads.
std::string adopted_text(const Adopted& adopted, Comments comments);

/// A text's lines with their numbers, from 1.
std::vector<std::pair<std::size_t, std::string>> numbered_lines(std::string_view text);
/// "PATH:LINE"
std::string place_of(const std::string& path, std::size_t line);

}  // namespace rdmastate
