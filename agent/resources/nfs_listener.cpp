// SPDX-License-Identifier: Apache-2.0
#include "resources/nfs_listener.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "host/recorded/model.hpp"
#include "platform/nfs.hpp"
#include "resources/unit/unit.hpp"

namespace rdmastate {
namespace {

const std::string server(nfs_server_unit);

NfsListener listener_of(const State& state) {
  const auto& listener = state.as<NfsListenerState>();
  return {listener.transport, listener.port};
}

const NfsListener* find(const std::vector<NfsListener>& listeners, const std::string& key) {
  const auto found = std::find_if(listeners.begin(), listeners.end(),
                                  [&](const NfsListener& one) { return listener_text(one) == key; });
  return found == listeners.end() ? nullptr : &*found;
}

Observation nfs_listener_observe(const Snapshot& snapshot, const std::string& key) {
  const NfsdState* nfsd = snapshot.nfsd();
  const NfsListener* listener = nfsd == nullptr ? nullptr : find(nfsd->listeners, key);
  if (listener == nullptr) return Absent{};
  return State(nfs_listener_kind, NfsListenerState{listener->transport, listener->port});
}

// The gap of a listener that has to go. The kernel removes it only with the server's last thread (EBUSY for a single
// one, __write_ports_addxprt), so the step restarts the server. Pending where this run may not restart it; in sync
// where this plan stops the server anyway.
Gap gap_of_removal(const Scene& scene, const State& present) {
  Gap gap;
  if (is_stopping(scene, server)) return gap;
  const std::string why = scene.plan.why_kept(loss_of_service(scene.snapshot, server));
  if (why.empty()) {
    gap.move = Gap::Move{present, std::nullopt};
  } else {
    gap.pending = {fmt::format("the server listens there until {} restarts: {}", server, why), Until::unit};
  }
  return gap;
}

Gap nfs_listener_gap(const Scene& scene, const std::string&, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  Gap found;
  if ((wanted == nullptr) == (present == nullptr)) return found;
  if (wanted == nullptr) return gap_of_removal(scene, *present);
  const NfsdState* nfsd = scene.snapshot.nfsd();
  if (nfsd != nullptr && nfsd->threads != 0) {
    found.move = Gap::Move{std::nullopt, *wanted};
  } else if (is_starting(scene, server)) {
    found.after = "unit " + server;
    found.comes_along = true;  // by nfs.conf or the drop-in, which stand before it starts
  } else {
    found.pending = {fmt::format("no NFS server runs here: it listens there from the start of {} on", server),
                     Until::unit};
  }
  return found;
}

Loss nfs_listener_loses(const Scene& scene, const std::string&, const State*, const State* to) {
  return to == nullptr ? loss_of_service(scene.snapshot, server) : Loss{};
}

std::vector<Ref> nfs_listener_needs(const std::string&, const State*) { return {{unit_kind.name, server}}; }

bool is_there(Tools& tools, const std::string& key) {
  const auto now = tools.host.nfsd->look();
  return now && find(now->listeners, key) != nullptr;
}

// By now the files say what the server listens on when it starts; with nfs-utils 1.3 one of them is the unit's.
void remove(Tools& tools, const std::string& key) {
  Units& units = *tools.host.units;
  if (const auto look = units.look(server); look && look->needs_reload) units.reload();
  units.restart(server);
  if (is_there(tools, key))
    throw Error(
        fmt::format("{} was restarted and listens there again: a file of others says so (nfs.conf(5))", server));
}

// A start of the server in the same run may have brought it, or taken it away.
void nfs_listener_move(Tools& tools, const std::string& key, const State*, const State* to) {
  if (is_there(tools, key) == (to != nullptr)) return;
  if (to == nullptr) return remove(tools, key);
  tools.host.nfsd->listen(listener_of(*to));
}

std::string nfs_listener_title(const std::string& key, const State*) { return key; }

// The clients are there only if root makes the record: no other user may see who is connected.
void nfs_listener_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  if (const NfsdState* nfsd = snapshot.nfsd()) model.nfsd = RecordedNfsd{*nfsd, snapshot.nfs_clients()};
}

}  // namespace

constinit const Kind nfs_listener_kind = [] {
  Kind kind = kind_of<NfsListenerState>("nfs_listener");
  kind.verbs = {"add", "change", "remove"};
  kind.rank = 61;  // after the server's unit (60)
  kind.reads_others = true;
  kind.made_late = true;
  kind.observe = nfs_listener_observe;
  kind.gap = nfs_listener_gap;
  kind.loses = nfs_listener_loses;
  kind.needs = nfs_listener_needs;
  kind.move = nfs_listener_move;
  kind.title = nfs_listener_title;
  kind.keep = nfs_listener_keep;
  return kind;
}();

std::string rdma_listener_key(std::uint32_t port) { return listener_text({"rdma", port}); }

State rdma_listener(std::uint32_t port) { return State(nfs_listener_kind, NfsListenerState{"rdma", port}); }

}  // namespace rdmastate
