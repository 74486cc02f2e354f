// SPDX-License-Identifier: Apache-2.0
// Whose a file is that is there already: what the ledger has is ours, never a path.
#pragma once

#include "plan/plan.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

/// Whose a file is.
enum class Owner : std::uint8_t {
  nobody,   ///< a directory, or what says already what is wanted: there is nothing to take from anybody
  ours,     ///< the ledger has it
  lost,     ///< it carries our mark, and there is no ledger: ours again
  foreign,  ///< anybody else's
};

/// Judges files by the ledger. Entries in files of others, and what is made of other steps' files, are no files here.
class Ownership {
 public:
  Ownership(const Snapshot& snapshot, const Ledger& ledger);

  /// Whether the ledger has made the file at a path; one that was taken over is there, and is foreign.
  bool has_made(const std::string& path) const { return made_.contains(path); }
  /// Of a file at a path, whatever is wanted there.
  Owner of_path(const std::string& path) const;
  /// Of what stands where the item's resource is wanted, or is not to be.
  Owner of(const Item& item) const;
  /// Why a file that configures what the spec names, and is not ours, goes: nullopt where it stays and the plan is
  /// refused.
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
/// The sentence for a foreign file where the spec wants one of rdmastate's, or none.
std::string refusal_of(const Item& item);

}  // namespace rdmastate
