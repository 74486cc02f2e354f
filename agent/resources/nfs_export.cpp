// SPDX-License-Identifier: Apache-2.0
#include "resources/nfs_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "host/nfs_exports.hpp"
#include "platform/layout.hpp"
#include "platform/nfs.hpp"
#include "resources/unit/unit.hpp"

namespace rdmastate {
namespace {

const std::string server(nfs_server_unit);

// No client is named with a blank.
std::string path_of(const std::string& key) { return key.substr(0, key.rfind(' ')); }
std::string host_of(const std::string& key) { return key.substr(key.rfind(' ') + 1); }

const NfsExport* find(const std::vector<NfsExport>& exports, const std::string& key) {
  const std::string path = path_of(key);
  const std::string host = host_of(key);
  const auto found = std::find_if(exports.begin(), exports.end(), [&](const NfsExport& one) {
    return one.path == path && is_same_host(host, one.host);
  });
  return found == exports.end() ? nullptr : &*found;
}

std::optional<State> state_in(const NfsdState* nfsd, const std::string& key) {
  const NfsExport* found = nfsd == nullptr || nfsd->threads == 0 ? nullptr : find(nfsd->exports, key);
  if (found == nullptr) return std::nullopt;
  return nfs_export(path_of(key), host_of(key), found->options);
}

Observation observe(const Snapshot& snapshot, const std::string& key) {
  auto state = state_in(snapshot.nfsd(), key);
  if (!state) return Absent{};
  return std::move(*state);
}

// Whether a file of others has it. exportfs resolves symlinks in a path, so a line with another path that is not in the
// table may mean this export.
bool is_of_others(const Scene& scene, const NfsExport& present, const std::vector<NfsExport>& table) {
  return std::any_of(scene.facts.exports.begin(), scene.facts.exports.end(), [&](const ExportClaim& claim) {
    if (claim.file == common_layout().nfs_exports || !is_same_host(claim.host, present.host)) return false;
    return claim.path == present.path || find(table, nfs_export_key(claim.path, claim.host)) == nullptr;
  });
}

bool is_wanted(const Scene& scene, const NfsExport& present) {
  const auto& all = scene.plan.wanted(nfs_export_kind);
  return std::any_of(all.begin(), all.end(), [&](const auto& one) {
    return one.second && path_of(one.first) == present.path && is_same_host(host_of(one.first), present.host);
  });
}

// What `exportfs -r` takes away: the exports that no file has once the plan's files are written. Another apply may have
// left them, or somebody made them with exportfs alone.
std::vector<std::string> ending(const Scene& scene) {
  std::vector<std::string> sentences;
  const NfsdState* nfsd = scene.snapshot.nfsd();
  if (nfsd == nullptr) return sentences;
  for (const auto& one : nfsd->exports)
    if (!is_wanted(scene, one) && !is_of_others(scene, one, nfsd->exports))
      sentences.push_back(fmt::format("the export of {} to {} ends, since no file has it", one.path, one.host));
  return sentences;
}

// The server reads all exports at once, so that each step takes away all that goes with it.
Loss loses(const Scene& scene, const std::string&, const State* from, const State* to) {
  Loss loss;
  auto ends = ending(scene);
  const auto options = [](const State* state) { return std::string_view(state->as<NfsExportState>().options); };
  const bool narrows = from != nullptr && (to == nullptr || is_narrowed(options(from), options(to)));
  if (ends.empty() && !narrows) return loss;
  loss.services.push_back(server);
  loss.users = nfs_client_texts(scene.snapshot);
  loss.users.insert(loss.users.end(), ends.begin(), ends.end());
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
  const std::string why = scene.plan.why_kept(loses(scene, key, present, wanted));
  if (why.empty()) return {};
  const auto ends = ending(scene);
  const std::string also = ends.empty() || wanted == nullptr ? "" : fmt::format(" ({})", fmt::join(ends, "; "));
  return {fmt::format("{} until {} reads its exports again{}: {}", what_is(present), server, also, why), Until::unit};
}

Gap gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  const NfsdState* nfsd = scene.snapshot.nfsd();
  Gap found;
  if (wanted == nullptr && (present == nullptr || is_stopping(scene, server))) return found;
  if (wanted != nullptr && present != nullptr && nfs_export_kind.equal(*present, *wanted)) return found;
  if (nfsd == nullptr || nfsd->threads == 0) {
    if (is_starting(scene, server)) {
      found.after = "unit " + server;
    } else {
      found.pending = {fmt::format("no NFS server runs here: it is exported from the start of {} on", server),
                       Until::unit};
    }
    return found;
  }
  found.pending = why_not_now(scene, key, present, wanted);
  if (found.pending.empty())
    found.move = Gap::Move{present == nullptr ? std::nullopt : std::optional(*present),
                           wanted == nullptr ? std::nullopt : std::optional(*wanted)};
  return found;
}

std::vector<Ref> needs(const std::string&, const State*) { return {{unit_kind.name, server}}; }

bool is_so(Tools& tools, const std::string& key, const State* to) {
  const auto now = tools.host.nfsd->look();
  const auto present = state_in(now ? &*now : nullptr, key);
  if (!present || to == nullptr) return !present && to == nullptr;
  return nfs_export_kind.equal(*present, *to);
}

// Of several exports the first step brings all. A server that stopped in the meantime exports nothing.
void move(Tools& tools, const std::string& key, const State*, const State* to) {
  const auto now = tools.host.nfsd->look();
  if (!now || now->threads == 0 || is_so(tools, key, to)) return;
  tools.host.units->reread(server);
  if (is_so(tools, key, to)) return;
  if (to == nullptr)
    throw Error(fmt::format("{} read its exports again, and this one is still there: exportfs -v", server));
  throw Error(fmt::format(
      "{} read its exports again, and {} has no such export: `exportfs -r` says why. It leaves out names that do not "
      "resolve, and writes the path behind symlinks and the name behind an alias",
      server, export_table));
}

std::string title(const std::string& key, const State*) { return fmt::format("{} to {}", path_of(key), host_of(key)); }

}  // namespace

bool is_narrowed(std::string_view from, std::string_view to) {
  constexpr std::array<std::string_view, 5> lets{"rw", "insecure", "no_root_squash", "crossmnt", "nohide"};
  constexpr std::array<std::string_view, 4> same{"ro", "async", "no_wdelay", "insecure_locks"};
  const auto options = [&](std::string_view text) {
    const auto list = split(text, ",");
    std::set<std::string, std::less<>> all(list.begin(), list.end());
    for (const auto option : same) all.erase(std::string(option));
    return all;
  };
  const auto before = options(from);
  auto after = options(to);
  for (const auto option : lets)
    if (!before.contains(option)) after.erase(std::string(option));
  return before != after;
}

constinit const Kind nfs_export_kind = [] {
  Kind kind = kind_of<NfsExportState>("nfs_export");
  kind.verbs = {"export", "change", "end"};
  kind.rank = 62;
  kind.reads_others = true;
  kind.made_late = true;
  kind.observe = observe;
  kind.gap = gap;
  kind.loses = loses;
  kind.needs = needs;
  kind.move = move;
  kind.title = title;
  return kind;
}();

State nfs_export(std::string path, std::string host, std::string_view options) {
  return State(nfs_export_kind, NfsExportState{std::move(path), std::move(host), effective_options(options)});
}

std::string nfs_export_key(std::string_view path, std::string_view host) { return fmt::format("{} {}", path, host); }

}  // namespace rdmastate
