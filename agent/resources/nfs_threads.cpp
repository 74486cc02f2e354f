// SPDX-License-Identifier: Apache-2.0
#include "resources/nfs_threads.hpp"

#include <fmt/format.h>

#include "platform/nfs.hpp"
#include "resources/unit/unit.hpp"

namespace rdmastate {
namespace {

const std::string server(nfs_server_unit);

std::uint32_t count_of(const State& state) { return state.as<NfsThreadsState>().count; }

// A server without threads does not run.
Observation nfs_threads_observe(const Snapshot& snapshot, const std::string&) {
  const NfsdState* nfsd = snapshot.nfsd();
  if (nfsd == nullptr || nfsd->threads == 0) return Absent{};
  return nfs_threads(nfsd->threads);
}

Gap nfs_threads_gap(const Scene& scene, const std::string&, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  Gap found;
  if (wanted == nullptr || (present != nullptr && nfs_threads_kind.equal(*present, *wanted))) return found;
  if (present != nullptr) {
    found.move = Gap::Move{*present, *wanted};
  } else if (is_starting(scene, server)) {
    found.after = "unit " + server;
    found.comes_along = true;  // by nfs.conf or the drop-in, which stand before it starts
  } else {
    found.pending = {
        fmt::format("no NFS server runs here: it has {} threads from the start of {} on", count_of(*wanted), server),
        Until::unit};
  }
  return found;
}

std::vector<Ref> nfs_threads_needs(const std::string&, const State*) { return {{unit_kind.name, server}}; }

// A server that stopped in the meantime is not started by its threads: it reads their number at its next start.
void nfs_threads_move(Tools& tools, const std::string&, const State*, const State* to) {
  const auto now = tools.host.nfsd->look();
  if (to == nullptr || !now || now->threads == 0 || now->threads == count_of(*to)) return;
  tools.host.nfsd->set_threads(count_of(*to));
}

std::string nfs_threads_title(const std::string& key, const State*) { return fmt::format("of {}", key); }

}  // namespace

constinit const Kind nfs_threads_kind = [] {
  Kind kind = kind_of<NfsThreadsState>("nfs_threads");
  kind.rank = 61;  // after the server's unit (60)
  kind.reads_others = true;
  kind.observe = nfs_threads_observe;
  kind.gap = nfs_threads_gap;
  kind.needs = nfs_threads_needs;
  kind.move = nfs_threads_move;
  kind.title = nfs_threads_title;
  return kind;
}();

State nfs_threads(std::uint32_t count) { return State(nfs_threads_kind, NfsThreadsState{count}); }

}  // namespace rdmastate
