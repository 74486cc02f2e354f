// SPDX-License-Identifier: Apache-2.0
// Tells whose an existing file is: rdmastate's where the ledger lists it, whatever its path.
#pragma once

#include "plan/plan.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

/// Whose a file is.
enum class Owner : std::uint8_t {
  nobody,   ///< no file that this user can see, a directory, a link of `systemctl enable`, or a file that says already
            ///< what the spec says: nothing to take over
  ours,     ///< rdmastate's: the ledger lists it
  lost,     ///< rdmastate's again: it carries rdmastate's mark, and there is no ledger
  foreign,  ///< another program's or a person's
};

/// Whether a resource of this kind is a file of its own.
bool is_whole_file(const Kind& kind);

/// Judges files by the ledger. Entries in foreign files (Kind::lives_in) and copies (Kind::copies_others) do not count
/// as files here.
class Ownership {
 public:
  Ownership(const Snapshot& snapshot, const Ledger& ledger);

  /// Whether rdmastate made the file at this path, by the ledger; false for a file that it took over.
  bool has_made(const std::string& path) const { return made_.contains(path); }
  /// Whose the file at this path is, whatever is wanted there; never `nobody`. `foreign` where there is no file.
  Owner of_path(const std::string& path) const;
  /// Whose the file is that was observed for this item.
  Owner of(const Item& item) const;
  /// Why the plan removes the file of a claimant that is not wanted; nullopt: the file stays, and the plan is refused.
  std::optional<Cause> cause_of(const Claimant& one, bool adopt) const;

 private:
  bool is_lost(const FileState& file) const;

  const Snapshot& snapshot_;
  std::set<std::string, std::less<>> listed_;
  std::set<std::string, std::less<>> made_;
  bool has_ledger_ = false;
};

/// The sentence for a foreign file that configures what the spec names.
std::string refusal_of(const Claimant& one);
/// The sentence for a foreign file where the spec wants one of rdmastate's, or none. The file has been observed:
/// Ownership::of() says `foreign`.
std::string refusal_of(const Item& item);

}  // namespace rdmastate
