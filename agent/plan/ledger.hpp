// SPDX-License-Identifier: Apache-2.0
// The ledger: what rdmastate made on this host and may remove again, and what it changed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// Whether rdmastate created the resource or changed one that was there.
enum class Origin : std::uint8_t { made, changed };
template <>
struct Names<Origin> {
  static constexpr std::string_view wanted = "made or changed";
  static constexpr std::array table{Name<Origin>{Origin::made, "made"}, Name<Origin>{Origin::changed, "changed"}};
};

/// One resource that rdmastate made or changed.
struct LedgerEntry {
  std::string kind;  ///< Kind::name
  std::string key;
  Origin origin = Origin::made;
  std::string digest;  ///< SHA-256 of the state it was moved to
  /// The section of the spec that asked for it: "ipoib"; unset for what follows from the whole spec (directories,
  /// boot.json).
  std::optional<std::string> section = {};
  bool operator==(const LedgerEntry&) const = default;
};

/// The ledger of one host. Plain data.
struct Ledger {
  std::uint32_t format_version = 1;
  std::string id;          ///< of the spec that made all this
  std::string machine_id;  ///< of the host it was made on
  std::vector<LedgerEntry> entries;
  bool operator==(const Ledger&) const = default;

  /// By kind and key; nullptr where the ledger does not have it. Belongs to the ledger.
  const LedgerEntry* find(std::string_view kind, const std::string& key) const;
};

template <>
struct Fields<LedgerEntry> {
  static constexpr std::string_view name = "ledger entry";
  static constexpr std::string_view doc = "One resource that rdmastate made or changed.";
  static constexpr auto table = Table{
      Field{"kind", &LedgerEntry::kind, "Its kind.", {.required = true, .identity = true}},
      Field{"key", &LedgerEntry::key, "Its key.", {.required = true, .identity = true}},
      Field{"origin", &LedgerEntry::origin, "Made, or there before and changed.", {.required = true}},
      Field{"digest", &LedgerEntry::digest, "SHA-256 of the state it was moved to.", {.required = true}},
      Field{"section", &LedgerEntry::section, "The section of the spec that asked for it."},
  };
};

template <>
struct Fields<Ledger> {
  static constexpr std::string_view name = "ledger";
  static constexpr std::string_view doc = "What rdmastate made or changed on this host.";
  static constexpr auto table = Table{
      Field{"format_version", &Ledger::format_version, "1.", {.required = true}},
      Field{"id", &Ledger::id, "The spec's id.", {.required = true}},
      Field{"machine_id", &Ledger::machine_id, "The host's machine id.", {.required = true}},
      Field{"entries", &Ledger::entries, "What was made or changed.", {.required = true}},
  };
};

/// The host's ledger; empty when there is none. Throws Error naming the file when it is damaged: nothing is guessed.
/// On a machine with another id (a cloned image) entries of volatile kinds are dropped.
Ledger read_ledger(const Snapshot& snapshot, const std::string& machine_id);
/// The text of the ledger's file; empty: it has no entries, and the file is to be removed.
std::string ledger_text(const Ledger& ledger);

}  // namespace rdmastate
