// SPDX-License-Identifier: Apache-2.0
// The spec that was applied, kept beside the ledger so that `show --as-spec` need not guess it from the files that
// rdmastate made.
#pragma once

#include <optional>
#include <string>

#include "host/facts.hpp"
#include "host/snapshot.hpp"
#include "sections/adopt.hpp"
#include "spec/load.hpp"

namespace rdmastate {

/// The text that is kept: the spec with what it includes, as YAML in one fixed form.
std::string applied_text(const Spec& spec);

/// Why the spec cannot be kept on this host, as a sentence: what stands at its path is no file, so a rollback could
/// not make it again. Empty: it can be.
std::string why_none_is_kept(const Snapshot& snapshot);

/// The kept spec of a host, as read_kept_spec() finds it.
struct KeptSpec {
  std::optional<LoadedSpec> loaded;  ///< nullopt where none is kept, or none that can be used
  std::string trouble;               ///< a sentence: why one that is kept cannot be used; empty: there is none
};
/// Never throws for what the file holds, nor where this user may not read it.
KeptSpec read_kept_spec(const Snapshot& snapshot);

/// The spec of a host: a section as it was applied, where the host still has all its resources as that section asks and
/// no file of it was changed or is missing; the other sections as adopt() finds them. Throws what reading the host
/// throws.
Adopted spec_of_host(Snapshot& snapshot, const Facts& facts);

}  // namespace rdmastate
