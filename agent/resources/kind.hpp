// SPDX-License-Identifier: Apache-2.0
// What every kind of resource can do: be listed, observed, compared and moved, and say what a step of it takes away. A
// kind is one const table of functions over a type-erased State; its field table drives diff, JSON and print.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"
#include "base/fields_diff.hpp"
#include "base/fields_json.hpp"
#include "host/facts.hpp"
#include "host/snapshot.hpp"
#include "resources/gap.hpp"
#include "resources/loss.hpp"
#include "resources/state.hpp"

namespace rdmastate {

class LinkTable;
struct HostModel;

/// One resource by name: "module ib_ipoib".
struct Ref {
  std::string_view kind;
  std::string key;
  auto operator<=>(const Ref&) const = default;
};

/// What a mover may use: the host, and a table of its network interfaces, which is read once, so that 1000 steps do not
/// cost 1000 netlink dumps.
struct Tools {
  Host& host;
  LinkTable& links;
};

/// What a step on a kind is called: "load module ib_ipoib".
struct Verbs {
  std::string_view create = "create";
  std::string_view change = "change";
  std::string_view remove = "remove";

  /// The one of a step between these states; nullptr: absent.
  std::string_view of(const State* from, const State* to) const {
    if (to == nullptr) return remove;
    return from == nullptr ? create : change;
  }
};

/// The default of a hook (a function in a table such as Kind, which the table may leave out): takes any arguments, and
/// returns an empty value.
template <class Answer, class... Asked>
Answer nothing(Asked...) {
  return Answer();
}

/// A kind of resource: what the planner and the movers ask of it, as functions ("hooks"). A constant per kind, which
/// begins as kind_of<S>() and sets at least observe, gap, needs, move and title. A hook that it leaves out answers
/// nothing, or is null, and then its comment says what that means.
struct Kind {
  std::string_view name;      ///< "ipoib_link": the word of plans, ledger and runs
  const Record& (*record)();  ///< the field table of its State's struct
  bool durable = false;       ///< survives a reboot by itself, and exists in a tree
  Verbs verbs = {};
  /// Among steps that do not need each other the lower rank comes first. Removals come before other steps, and the
  /// higher rank first.
  int rank = 0;
  bool brings_others = false;  ///< a step of it lets others appear (a module: its interfaces): apply plans anew then
  bool may_stay = false;       ///< undo may leave it, where something uses it by now (a loaded module)
  /// Where it cannot be made now, the file that makes it at boot (its twin) does so as soon as that is possible, so the
  /// ledger counts it as made by rdmastate. False: the ledger counts only what a step made.
  bool made_late = false;
  /// It holds copies of files that other steps write, as an initrd does: in each round that changes those, and in undo,
  /// its step comes after theirs. The ledger does not list it. stage() notes its state before the others move.
  bool copies_others = false;
  bool takes_minutes = false;  ///< a rollback at boot leaves it as it is
  /// A step of it makes a daemon read files of other steps (a reload): it comes after theirs, in undo too, and also
  /// where it is a removal.
  bool reads_others = false;

  /// Of a durable kind that is an entry in a file of others: that file. The ledger then counts as changed what was
  /// there before. Null: the key is the path of a file that is rdmastate's alone.
  std::string (*lives_in)(const std::string& key) = nullptr;
  /// The keys of all resources of this kind on the host, by which `purge` finds those that no spec names. Null: nothing
  /// purges this kind.
  std::vector<std::string> (*list)(const Snapshot&) = nullptr;
  /// The key that stays the same when names change ("port GUID" for "name ib0"), read from the host; the key itself
  /// where the host has no better one. Null: a plan keeps the key; where it takes a foreign file over, the key becomes
  /// that file's path.
  std::string (*resolve)(const Snapshot&, const std::string& key) = nullptr;
  Observation (*observe)(const Snapshot&, const std::string& key) = nullptr;
  /// Pure. `wanted` nullptr: it should not be there.
  Gap (*gap)(const Scene&, const std::string& key, const State* wanted, const Observation&) = nullptr;
  /// The resources that have to be there before this one is made, and may be removed only after it.
  std::vector<Ref> (*needs)(const std::string& key, const State* state) = nullptr;
  /// Prepares a step without any effect on the host: a file is written beside its target, and not yet renamed.
  void (*stage)(Tools&, const std::string& key, const State* to) = nothing;
  /// Moves the resource; nullptr is absent. Undo is the same call with `from` and `to` swapped.
  void (*move)(Tools&, const std::string& key, const State* from, const State* to) = nullptr;
  /// Whether undo has succeeded: `now` is as near to `from` as this host can get again. Null: they have to be equal.
  bool (*is_back)(const State& now, const State& from) = nullptr;
  /// Whether `now` is what a step to `to` has left, where a device may show it in another way. Null: the fields of `to`
  /// are equal.
  bool (*is_as_left)(const State& now, const State& to) = nullptr;
  /// A sentence why no undo brings this state back once a step has left it; then undo counts as successful whatever
  /// state it leaves. Empty: undo brings it back.
  std::string (*no_way_back)(const State& from) = nothing;
  /// What a step takes away from those who use it.
  Loss (*loses)(const Scene&, const std::string& key, const State* from, const State* to) = nothing;
  /// The part of a step that remains when the run may not disturb anybody (a profile is written, but not activated), as
  /// the state after that part; nullopt: nothing remains.
  std::optional<State> (*still)(const State* from, const State& to) = nothing;
  /// Of a resource that another program sets up (its owner: NetworkManager, networkd): the part that rdmastate does
  /// itself because the owner does not, as both states with those fields alone. `unset_by_owner` names fields that the
  /// owner has no setting for (Wanted has them). nullopt: nothing.
  std::optional<Gap::Move> (*ours)(const State& from, const State& to,
                                   std::span<const std::string_view> unset_by_owner) = nothing;
  /// Of a kind whose steps rename: the files of the host that have the present name, and keep it after the step, each
  /// as a text for a message.
  std::vector<std::string> (*mentioned_by)(const Snapshot&, const std::string& key) = nothing;
  /// The resources that vanish or change when this one is removed; when undo makes it again, it makes them again too.
  std::vector<Ref> (*goes_with)(const Snapshot&, const std::string& key) = nothing;
  /// The resources that a step removes as a side effect; apply puts them back when the round's steps are done. The
  /// run's record holds them, so that rollback puts them back if the process dies in between.
  std::vector<Ref> (*put_back)(const Scene&, const std::string& key, const State* from, const State* to) = nothing;
  /// Of a kind with `copies_others`: the key of its resource that holds a copy of the file at this path, and has to be
  /// made anew when that file is removed; empty: none holds one.
  std::string (*copy_of)(const std::string& path) = nothing;
  /// A sentence about what is wanted, is legal, and will still not work; empty where there is none.
  std::string (*warn)(const Scene&, const std::string& key, const State& wanted) = nothing;
  /// Of a resource that appears some time after a step (a module brings an interface, udev names it): whether it is
  /// there by now, so that apply can plan on it. `awaited`: another program sets it up. Null: apply does not wait.
  bool (*has_come)(const Snapshot&, const std::string& key, const State* wanted, bool awaited) = nullptr;
  /// A step as lines for a person: "+" begins one that comes, "-" one that goes, "@" the heading of a part. Null: plans
  /// print the fields of the two states.
  std::string (*lines)(const State* from, const State* to) = nullptr;
  /// A state as it may be shown, without the secrets of others. May be null: a file's bytes go through
  /// without_secrets(), any other state is shown whole.
  State (*shown)(const State& state) = nullptr;
  /// The files that a plan of any spec may read for this kind, beside those that its keys name.
  FilePlaces (*places)() = nothing;
  /// Puts into a recorded host what a plan of any spec may read of this kind beside files: `model` has its files and
  /// devices already.
  void (*keep)(const Snapshot&, const Facts&, HostModel& model) = nothing;
  /// The network interface that its state asks about, by name (Desired::interfaces); empty: none.
  std::string (*interface)(const State& state) = nothing;
  /// Its name for people, such as an interface's, which replaces its key in the titles of resources on it; empty: none.
  std::string (*short_name)(const State& state) = nothing;
  /// Its present name on the host, to show next to a key that selects it by something that does not change; empty:
  /// none.
  std::string (*present_name)(const Snapshot&, const std::string& key) = nothing;
  /// How a person calls it, given the key and a state if there is one: "mlx4_ib0.8002 (P_Key 0x8002 on ...)".
  std::string (*title)(const std::string& key, const State* state) = nullptr;

  /// Of a durable kind: the file that holds the resource.
  std::string file_of_key(const std::string& key) const { return lives_in == nullptr ? key : lives_in(key); }
  /// Whether the ledger counts a resource that existed before rdmastate's step as changed, not as made: state of the
  /// kernel, or an entry in a file of others.
  bool changes_others() const { return !durable || lives_in != nullptr; }

  /// By the kind's field table.
  Json to_json(const State& state) const;
  /// Strict: throws Error naming the field; `path` is the state's place, its kind's name where none is given.
  State from_json(const Json& json, std::string_view path = {}) const;
  bool equal(const State& a, const State& b) const;

  // What kind_of<S>() fills in, for State alone.
  std::shared_ptr<void> (*fresh)() = nullptr;  ///< a default-constructed struct of this kind
  std::shared_ptr<void> (*copy)(const void* value) = nullptr;
  const std::type_info* type = nullptr;  ///< of that struct
  /// The value as a struct of `type`, which is this struct or a base of it; nullptr: it is neither.
  const void* (*seen_as)(const std::type_info& type, const void* value) = nullptr;
};

namespace detail {

template <class S, class As>
const void* seen_as(const std::type_info& type, const void* value) {
  return type == typeid(As) ? static_cast<const As*>(static_cast<const S*>(value)) : nullptr;
}

}  // namespace detail

/// A kind's table with what follows from its struct S; the kind's own file fills in the rest. A state may also be read
/// as one of `Bases`, from which S derives: an nm_profile as a file.
template <class S, class... Bases>
constexpr Kind kind_of(std::string_view name) {
  Kind kind;
  kind.name = name;
  kind.record = []() -> const Record& { return record_of<S>(); };
  kind.fresh = []() -> std::shared_ptr<void> { return std::make_shared<S>(); };
  kind.copy = [](const void* value) -> std::shared_ptr<void> {
    return std::make_shared<S>(*static_cast<const S*>(value));
  };
  kind.type = &typeid(S);
  kind.seen_as = [](const std::type_info& type, const void* value) {
    const void* seen = detail::seen_as<S, S>(type, value);
    ((seen = seen != nullptr ? seen : detail::seen_as<S, Bases>(type, value)), ...);
    return seen;
  };
  return kind;
}

template <class S>
State::State(const Kind& kind, S value) : kind_(&kind), value_(std::make_shared<const S>(std::move(value))) {
  expect(typeid(S), Fields<S>::name);
}

template <class S>
bool State::is() const {
  return kind_->seen_as(typeid(S), value_.get()) != nullptr;
}

template <class S>
const S& State::as() const {
  return *static_cast<const S*>(seen_as(typeid(S), Fields<S>::name));
}

template <class S, class Change>
State State::changed(Change&& change) const {
  State copy(*kind_, std::shared_ptr<const void>(kind_->copy(value_.get())));
  change(const_cast<S&>(copy.as<S>()));  // the copy is not shared yet, and its object is not const
  return copy;
}

}  // namespace rdmastate
