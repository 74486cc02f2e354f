// SPDX-License-Identifier: Apache-2.0
#include "plan/ledger.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/fields_json.hpp"
#include "base/json_object.hpp"
#include "base/report.hpp"
#include "platform/layout.hpp"
#include "resources/registry.hpp"
#include "resources/step.hpp"

namespace rdmastate {
namespace {

bool is_volatile(const LedgerEntry& entry) {
  const Kind* kind = kind_named(entry.kind);
  return kind != nullptr && !kind->durable;
}

void check(const Ledger& ledger) {
  expect_format(ledger.format_version);
  for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
    const LedgerEntry& entry = ledger.entries[i];
    const Kind* kind = kind_named(entry.kind);
    if (kind == nullptr)
      throw Error(fmt::format("it names the kind '{}', which this version does not know", printable(entry.kind)));
    if (const std::string why = trouble_with_key(*kind, entry.key); !why.empty())
      throw Error(fmt::format("entries[{}].key: {}", i, why));
  }
}

Json parsed(const std::string& text) {
  try {
    return parse_json(text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: move it away (what it listed will then not be removed by rdmastate)", error.what()));
  }
}

}  // namespace

const LedgerEntry* Ledger::find(std::string_view kind, const std::string& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const LedgerEntry& e) { return e.kind == kind && e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Ledger read_ledger(const Snapshot& snapshot, const std::string& machine_id) {
  const std::string path(common_layout().ledger);
  const auto& file = snapshot.file(path);
  if (!file) return {};
  return in_context(path, [&] {
    auto ledger = from_json_as<Ledger>(parsed(file->bytes));
    check(ledger);
    if (ledger.machine_id != machine_id) std::erase_if(ledger.entries, is_volatile);
    return ledger;
  });
}

std::string ledger_text(const Ledger& ledger) {
  return ledger.entries.empty() ? std::string() : to_json_of(ledger).dump(1) + "\n";
}

}  // namespace rdmastate
