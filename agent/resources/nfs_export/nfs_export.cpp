// SPDX-License-Identifier: Apache-2.0
// A step reloads the server, which then exports what the files say; what that does to other exports tells NfsReload.
// Without a server that runs, or where the run may not disturb its clients, the gap is pending.
#include "resources/nfs_export/nfs_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "host/export_table.hpp"
#include "host/nfs_export_options.hpp"
#include "host/nfs_exports.hpp"
#include "platform/nfs.hpp"
#include "resources/nfs_export/nfs_reload.hpp"
#include "resources/unit/unit.hpp"

namespace rdmastate {
namespace {

const std::string server(nfs_server_unit);

// No client is named with a blank.
std::string path_of(const std::string& key) { return key.substr(0, key.rfind(' ')); }
std::string host_of(const std::string& key) { return key.substr(key.rfind(' ') + 1); }

State state_of_export(const NfsExport& present, const std::string& key) {
  return nfs_export(path_of(key), host_of(key), present.options);
}

std::optional<State> state_in(const ExportTable& table, const std::string& key) {
  const NfsExport* found = table.in_force(path_of(key), host_of(key));
  return found == nullptr ? std::nullopt : std::optional(state_of_export(*found, key));
}

Observation nfs_export_observe(const Snapshot& snapshot, const std::string& key) {
  auto state = state_in(snapshot.exports(), key);
  if (!state) return Absent{};
  return std::move(*state);
}

std::shared_ptr<const NfsReload> reload_in(const Scene& scene) {
  return scene.plan.once<NfsReload>(nfs_export_kind, [&] { return NfsReload(scene); });
}

// The export's key as the table has it: with the host's full name.
std::string key_in_table(const Scene& scene, const std::string& key) {
  const NfsExport* present = scene.snapshot.exports().in_force(path_of(key), host_of(key));
  return present == nullptr ? key : nfs_export_key(present->path, present->host);
}

// A step reloads the server, which then reads all exports anew: each step counts the loss of the whole reload. Where a
// client loses something by it, this counts as if the server stopped.
Loss nfs_export_loses(const Scene& scene, const std::string& key, const State*, const State*) {
  Loss loss;
  const auto reload = reload_in(scene);
  const auto add = [&](const std::vector<std::string>& texts) {
    loss.users.insert(loss.users.end(), texts.begin(), texts.end());
  };
  if (reload->takes_something()) {
    const std::string in_table = key_in_table(scene, key);
    loss.services.push_back(server);
    add(nfs_client_texts(scene.snapshot));
    if (const std::string own = reload->taken_from(in_table); !own.empty()) add({own});
    add(reload->taken_from_others(in_table));
  }
  add(reload->brought_of_others());
  return loss;
}

std::string what_is(const State* present) {
  if (present == nullptr) return "it is not exported";
  return fmt::format("it is exported ({})", present->as<NfsExportState>().options);
}

Pending why_not_now(const Scene& scene, const std::string& key, const State* present, const State* wanted) {
  const UnitLook* unit = scene.snapshot.systemd_answers() ? scene.snapshot.unit(server) : nullptr;
  if (unit == nullptr || !unit->active)
    return {fmt::format("{} did not start the server that runs: `exportfs -r` exports it", server), Until::unit};
  const std::string why = scene.plan.why_kept(nfs_export_loses(scene, key, present, wanted));
  if (why.empty()) return {};
  const auto others = reload_in(scene)->taken_from_others(key_in_table(scene, key));
  const std::string also = others.empty() ? "" : fmt::format(" ({})", fmt::join(others, "; "));
  return {fmt::format("{} until {} reads its exports again{}: {}", what_is(present), server, also, why), Until::unit};
}

// The state before a step, with `by_hand` where no file has the export so; nullopt: it is not exported.
std::optional<State> as_left(const Scene& scene, const std::string& key) {
  const NfsExport* present = scene.snapshot.exports().in_force(path_of(key), host_of(key));
  if (present == nullptr) return std::nullopt;
  State state = state_of_export(*present, key);
  if (reload_in(scene)->is_in_files(*present)) return state;
  return state.changed<NfsExportState>([](NfsExportState& one) { one.by_hand = true; });
}

std::string nfs_export_no_way_back(const State& from) {
  if (!from.as<NfsExportState>().by_hand.value_or(false)) return {};
  return "no file had it so, and the server exports what its files say";
}

Gap nfs_export_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  const NfsdState* nfsd = scene.snapshot.nfsd();
  Gap found;
  if (wanted == nullptr && (present == nullptr || is_stopping(scene, server))) return found;
  if (wanted != nullptr && present != nullptr && nfs_export_kind.equal(*present, *wanted)) return found;
  if (nfsd == nullptr || nfsd->threads == 0) {
    if (is_starting(scene, server)) {
      found.after = "unit " + server;
      found.comes_along = true;  // it begins with `exportfs -r`
    } else {
      found.pending = {fmt::format("no NFS server runs here: it is exported from the start of {} on", server),
                       Until::unit};
    }
    return found;
  }
  found.pending = why_not_now(scene, key, present, wanted);
  if (found.pending.empty())
    found.move = Gap::Move{as_left(scene, key), wanted == nullptr ? std::nullopt : std::optional(*wanted)};
  return found;
}

std::vector<Ref> nfs_export_needs(const std::string&, const State*) { return {{unit_kind.name, server}}; }

// Whether the server has the export as `to` says; nullptr: has none. A table of this directory's exports is enough, and
// spares each of many steps one of them all.
bool is_so(const NfsdState& nfsd, const std::string& key, const State* to) {
  const std::string path = path_of(key);
  std::vector<NfsExport> of_path;
  for (const auto& one : nfsd.exports)
    if (one.path == path) of_path.push_back(one);
  const auto present = state_in(ExportTable(std::move(of_path)), key);
  if (!present || to == nullptr) return !present && to == nullptr;
  return present->as<NfsExportState>().options == to->as<NfsExportState>().options;
}

// The first of several steps reloads the server, which brings all exports: the others find theirs done. Where the
// server has stopped in the meantime there is nothing to do.
void nfs_export_move(Tools& tools, const std::string& key, const State*, const State* to) {
  const auto is_done = [&] {
    const auto now = tools.host.nfsd->look();
    return !now || now->threads == 0 || is_so(*now, key, to);
  };
  if (is_done()) return;
  tools.host.units->reread(server);
  if (is_done() || (to != nullptr && !nfs_export_no_way_back(*to).empty())) return;
  if (to == nullptr)
    throw Error(fmt::format("{} read its exports again, and this one is still there: exportfs -v", server));
  throw Error(fmt::format(
      "{} read its exports again, and {} has no such export: `exportfs -r` says why. It leaves out names that do not "
      "resolve, and writes the path behind symlinks and the name behind an alias",
      server, export_table));
}

std::string nfs_export_title(const std::string& key, const State*) {
  return fmt::format("{} to {}", path_of(key), host_of(key));
}

}  // namespace

bool is_narrowed(std::string_view from, std::string_view to) {
  // With one of `lets` clients may do more. One of `same` takes nothing from them, whether it comes or goes: for ro it
  // is rw that decides.
  constexpr std::array<std::string_view, 6> lets{"rw",       "insecure", "no_root_squash",
                                                 "crossmnt", "nohide",   "insecure_locks"};
  constexpr std::array<std::string_view, 3> same{"ro", "async", "no_wdelay"};
  const auto options = [&](std::string_view text) {
    const auto list = split(text, ",");
    std::set<std::string, std::less<>> all(list.begin(), list.end());
    for (const auto option : same) all.erase(std::string(option));
    return all;
  };
  if (differs_by_flavor(from) || differs_by_flavor(to)) return from != to;
  const auto before = options(from);
  auto after = options(to);
  for (const auto option : lets)
    if (!before.contains(option)) after.erase(std::string(option));
  return before != after;
}

constinit const Kind nfs_export_kind = [] {
  Kind kind = kind_of<NfsExportState>("nfs_export");
  kind.verbs = {"export", "change", "end"};
  kind.rank = 62;  // after the server's unit (60) and what it listens on (61)
  kind.reads_others = true;
  kind.made_late = true;
  kind.observe = nfs_export_observe;
  kind.gap = nfs_export_gap;
  kind.no_way_back = nfs_export_no_way_back;
  kind.loses = nfs_export_loses;
  kind.needs = nfs_export_needs;
  kind.move = nfs_export_move;
  kind.title = nfs_export_title;
  return kind;
}();

State nfs_export(std::string path, std::string host, std::string_view options) {
  return State(nfs_export_kind, NfsExportState{std::move(path), std::move(host), effective_options(options)});
}

std::string nfs_export_key(std::string_view path, std::string_view host) { return fmt::format("{} {}", path, host); }

}  // namespace rdmastate
