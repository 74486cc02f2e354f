// SPDX-License-Identifier: Apache-2.0
// The entries of a ledger by kind and key, for a plan that asks for each of its items.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "plan/ledger.hpp"
#include "plan/resource_name.hpp"

namespace rdmastate {

/// Answers as Ledger::find(), which reads all entries each time; this looks into a table. The ledger must outlive it,
/// and stay as it is.
class LedgerIndex {
 public:
  explicit LedgerIndex(const Ledger& ledger) {
    entries_.reserve(ledger.entries.size());
    for (const auto& entry : ledger.entries) entries_.emplace(resource_name(entry.kind, entry.key), &entry);
  }

  /// nullptr: the ledger does not have it.
  const LedgerEntry* find(std::string_view kind, const std::string& key) const {
    const auto found = entries_.find(resource_name(kind, key));
    return found == entries_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string, const LedgerEntry*> entries_;
};

}  // namespace rdmastate
