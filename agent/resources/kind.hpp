// SPDX-License-Identifier: Apache-2.0
// What every kind of resource can do: be listed, observed, compared and moved. A kind is one const table of functions
// over a type-erased State; its field table drives diff, JSON and print.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/fields.hpp"
#include "base/fields_diff.hpp"
#include "base/fields_json.hpp"
#include "host/facts.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

struct Kind;
class LinkTable;

/// One resource's state: an immutable value of its kind's struct. Copies share it. Absent fields of a wanted state mean
/// "left alone".
class State {
 public:
  template <class S>
  State(const Kind& kind, S value) : kind_(&kind), value_(std::make_shared<const S>(std::move(value))) {}

  const Kind& kind() const { return *kind_; }
  const void* raw() const { return value_.get(); }
  template <class S>
  const S& as() const {
    return *static_cast<const S*>(value_.get());
  }

 private:
  friend struct Kind;
  State(const Kind& kind, std::shared_ptr<const void> value) : kind_(&kind), value_(std::move(value)) {}
  const Kind* kind_;
  std::shared_ptr<const void> value_;
};

struct Absent {};
/// The host would not say: no step is built on it. `reason` is a sentence.
struct Unseen {
  std::string reason;
};
using Observation = std::variant<Absent, State, Unseen>;

/// What moving a resource costs others, mildest first; `fabric` (other hosts feel it) is off this ladder.
enum class Disruption : std::uint8_t { none, link, service, module, fabric };
template <>
struct Names<Disruption> {
  static constexpr std::string_view wanted = "none, link, service, module or fabric";
  static constexpr std::array table{
      Name<Disruption>{Disruption::none, "none"}, Name<Disruption>{Disruption::link, "link"},
      Name<Disruption>{Disruption::service, "service"}, Name<Disruption>{Disruption::module, "module"},
      Name<Disruption>{Disruption::fabric, "fabric"}};
};

/// How a wanted resource differs from the observed one. At most one step; next to it there may be what has to wait.
/// All empty: it is as wanted.
struct Gap {
  struct Move {
    std::optional<State> from;  ///< nullopt: absent
    std::optional<State> to;    ///< nullopt: absent; otherwise whole: `from` with the wanted fields laid over
    Disruption disruption = Disruption::none;
  };
  std::optional<Move> move;
  std::string pending;  ///< a sentence: what waits and until when
  std::string blocked;  ///< a sentence with cause and fix
  std::string after;    ///< "module ib_ipoib": can only be planned once that step is done
  std::string unseen;   ///< a sentence: this user may not look, so nothing is known and nothing planned

  bool in_sync() const { return !move && pending.empty() && blocked.empty() && after.empty() && unseen.empty(); }
};

/// What gap() may look at beside the resource itself.
struct Scene {
  const Facts& facts;
  const Snapshot& snapshot;
  /// The modules that this plan will load: what is missing now may come with them.
  std::set<std::string> coming_modules = {};
  /// The files that this plan will remove: a directory of ours goes with the last of them.
  std::set<std::string> going_files = {};
  /// The names of RDMA devices that this plan renames: free for another one.
  std::set<std::string> going_names = {};
  /// The names of interfaces that the spec renames: true where that can be now, false where the interface is up.
  std::map<std::string, bool> going_interfaces = {};
  /// Devices whose ports this plan makes something else, by present name: what says so, "link_types node_guid ...".
  std::map<std::string, std::string> changing_devices = {};
  /// Digests of states that an earlier apply moved resources to, by "kind key": what the kernel then did not take
  /// (an MTU that the multicast group limits) is blocked, not tried again for ever.
  std::map<std::string, std::string> moved_to = {};
};

/// One resource by name: "module ib_ipoib".
struct Ref {
  std::string_view kind;
  std::string key;
  auto operator<=>(const Ref&) const = default;
};

/// What a mover may use: the host, and the interfaces it has learnt so that 1000 steps do not cost 1000 dumps.
struct Tools {
  Host& host;
  LinkTable& links;
};

/// What a step on a kind is called: "load module ib_ipoib".
struct Verbs {
  std::string_view create = "create";
  std::string_view change = "change";
  std::string_view remove = "remove";
};

struct Kind {
  std::string_view name;  ///< "ipoib_link": the word of plans, ledger and runs
  const Record& (*record)();
  bool durable = false;  ///< survives a reboot by itself, and exists in a tree
  Verbs verbs = {};
  int rank = 0;                ///< order among steps that do not need each other
  bool brings_others = false;  ///< moving one lets others appear (a module's interfaces): apply plans again after it
  bool may_stay = false;       ///< undo leaves one behind that somebody uses by now (a loaded module)
  /// Made of what other steps write: it comes behind them, in undo too, as often as a round changes them, takes long,
  /// and is not for the time of the boot. Nothing of it is ours, so no ledger lists it. stage() notes what it is before
  /// the others move.
  bool copies_others = false;

  /// Of a durable kind: the file of others that holds it; what was there before it was moved counts as changed, not as
  /// made. Null: the key is the path of a file of its own.
  std::string (*lives_in)(const std::string& key) = nullptr;
  /// Keys of everything of this kind on the host, for show and purge. May be null where listing has no meaning.
  std::vector<std::string> (*list)(const Snapshot&) = nullptr;
  /// The key as the host knows it best ("port GUID" for "name ib0"); the key itself where it can say no better.
  std::string (*resolve)(const Snapshot&, const std::string& key) = nullptr;
  Observation (*observe)(const Snapshot&, const std::string& key) = nullptr;
  /// Pure. `wanted` nullptr: it should not be there.
  Gap (*gap)(const Scene&, const std::string& key, const State* wanted, const Observation&) = nullptr;
  /// What must be there first, and must go later.
  std::vector<Ref> (*needs)(const std::string& key, const State* state) = nullptr;
  /// Makes ready what can be made ready without effect (files: beside their targets). May be null.
  void (*stage)(Tools&, const std::string& key, const State* to) = nullptr;
  /// Moves the resource; nullptr is absent. Undo is the same call with `from` and `to` swapped.
  void (*move)(Tools&, const std::string& key, const State* from, const State* to) = nullptr;
  /// Whether what is there now is as near to `from` as a host can get again. May be null: equality is asked for.
  bool (*is_back)(const State& now, const State& from) = nullptr;
  /// The interface that a step of disruption `link` takes down; nullptr when it is not there. May be null.
  const Link* (*bounces)(const Snapshot&, const std::string& key) = nullptr;
  /// Of a step that may not take its interface down, what can be done all the same (a file written, and not activated);
  /// nullopt when nothing is left of it. May be null: nothing is.
  std::optional<State> (*still)(const State* from, const State& to) = nullptr;
  /// What else a step of disruption `link` disturbs: children, others' addresses and routes. May be null.
  std::vector<std::string> (*touches)(const Snapshot&, const std::string& key) = nullptr;
  /// What vanishes or changes when this one is removed, and has to come back when that is undone. May be null.
  std::vector<Ref> (*goes_with)(const Snapshot&, const std::string& key) = nullptr;
  /// What the kernel takes along when this one is removed, and the mover puts back at once: recorded, so that a process
  /// that dies in between leaves it to rollback. May be null.
  std::vector<Ref> (*put_back)(const Snapshot&, const std::string& key) = nullptr;
  /// How a person calls it, given the key and a state if there is one: "mlx4_ib0.8002 (P_Key 0x8002 on ...)".
  std::string (*title)(const std::string& key, const State* state) = nullptr;

  /// Of a durable kind: the file that holds the resource.
  std::string file_of_key(const std::string& key) const { return lives_in == nullptr ? key : lives_in(key); }
  /// Whether what was there before is only changed: the kernel's, or an entry in a file of others.
  bool changes_others() const { return !durable || lives_in != nullptr; }

  Json to_json(const State& state) const;
  /// Strict: throws Error naming the field; `path` is the state's place, its kind's name where none is given.
  State from_json(const Json& json, std::string_view path = {}) const;
  bool equal(const State& a, const State& b) const;

  std::shared_ptr<void> (*fresh)() = nullptr;  ///< a default-constructed struct of this kind
};

/// The derived half of a kind's table; the kind's own file fills in the rest.
template <class S>
constexpr Kind kind_of(std::string_view name) {
  Kind kind;
  kind.name = name;
  kind.record = []() -> const Record& { return record_of<S>(); };
  kind.fresh = []() -> std::shared_ptr<void> { return std::make_shared<S>(); };
  return kind;
}

/// SHA-256 of a state's JSON, in hex: what the ledger keeps of what rdmastate made.
std::string digest(const State& state);

/// "Absent" as nullptr, a State as itself. Unseen has neither: ask before.
const State* state_of(const Observation& observation);

}  // namespace rdmastate
