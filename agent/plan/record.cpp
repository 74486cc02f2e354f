// SPDX-License-Identifier: Apache-2.0
#include "plan/record.hpp"

#include "base/error.hpp"
#include "plan/boot_reader.hpp"
#include "plan/ledger.hpp"
#include "plan/record_files.hpp"
#include "platform/layout.hpp"
#include "platform/read_order.hpp"
#include "resources/registry.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

// rdmastate's own state. A record has no runs (what is done on it makes the first), and not the spec that was applied.
FilePlaces own_places() {
  const Layout& layout = common_layout();
  FilePlaces places = whole_files({layout.ledger, layout.boot_file, layout.wants_link});
  const auto nothing = [](const FileToKeep&) { return Kept{}; };
  for (const char* below : {"/*", "/*/*"}) places.push_back({std::string(layout.runs) + below, nothing});
  places.push_back({std::string(layout.applied), nothing});  // it may hold what the files of a record do not
  places.push_back({"/run/udev/queue", nothing});            // there only while udev has events; a record has none
  return places;
}

// The files that earlier specs made, by the ledger: they may lie where no kind or section names a place.
FilePlaces places_in_ledger(const Snapshot& snapshot, const Facts& facts) {
  FilePlaces places;
  for (const auto& entry : read_ledger(snapshot, facts.machine_id).entries)
    if (const Kind* kind = kind_named(entry.kind); kind != nullptr && kind->durable && !kind->copies_others)
      places.push_back({kind->file_of_key(entry.key)});
  return places;
}

// Keeps what the kind needs beside files. A kind that this user may not see is unseen in the record too.
void keep_kind(const Kind& kind, const Snapshot& snapshot, const Facts& facts, HostModel& model) {
  try {
    kind.keep(snapshot, facts, model);
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    model.unseen_kinds.emplace(kind.name);
  }
  if (snapshot.is_unseen(kind.name)) model.unseen_kinds.emplace(kind.name);  // a record of a record
}

}  // namespace

FilePlaces all_places(const Snapshot& snapshot, const Facts& facts) {
  FilePlaces places = fact_places();
  append(places, ordered_places());
  for (const Kind* kind : all_kinds()) append(places, kind->places());
  for (const Section* section : all_sections()) append(places, section->places());
  append(places, own_places());
  append(places, places_in_ledger(snapshot, facts));
  append(places, boot_reader_places(snapshot));
  return places;
}

HostModel record_host(const Snapshot& snapshot, const Facts& facts, FilePlaces more) {
  HostModel model;
  model.origin = "recorded by rdmastate show --record";
  model.devices = facts.devices;
  append(more, all_places(snapshot, facts));
  keep_files(snapshot, facts, more, model);
  if (!snapshot.is_tree()) {
    if (snapshot.systemd_answers()) model.systemd.emplace();
    model.connections = snapshot.connections();
    for (const Kind* kind : all_kinds()) keep_kind(*kind, snapshot, facts, model);
  }
  add_parents(model.files);
  return model;
}

}  // namespace rdmastate
