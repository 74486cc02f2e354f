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

/// The default of a hook (a function of a table that a row may leave out): takes whatever it is asked, and returns an
/// empty value.
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
  int rank = 0;                ///< order among steps that do not need each other
  bool brings_others = false;  ///< moving one lets others appear (a module's interfaces): apply plans again after it
  bool may_stay = false;       ///< undo leaves one that is in use by now (a loaded module)
  /// Where it is absent and cannot be made now, its twin makes it as soon as that is possible: the ledger counts it as
  /// made by rdmastate.
  bool made_late = false;
  /// A copy of what other steps write, such as an initrd: its step comes after theirs, in undo too, in each round that
  /// changes them. The ledger does not list it. stage() notes its state before the others move.
  bool copies_others = false;
  bool takes_minutes = false;  ///< a rollback at boot leaves it as it is
  /// Moving it makes a daemon read files of other steps: its step comes after theirs, also a removal and in undo.
  bool reads_others = false;

  /// Of a durable kind: the foreign file that holds it; in the ledger what was there before counts as changed, not as
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
  /// Makes ready what can be made ready without effect (files: beside their targets).
  void (*stage)(Tools&, const std::string& key, const State* to) = nothing;
  /// Moves the resource; nullptr is absent. Undo is the same call with `from` and `to` swapped.
  void (*move)(Tools&, const std::string& key, const State* from, const State* to) = nullptr;
  /// Whether what is there now is as near to `from` as a host can get again. May be null: equality is asked for.
  bool (*is_back)(const State& now, const State& from) = nullptr;
  /// What a step takes away from those who use it.
  Loss (*loses)(const Scene&, const std::string& key, const State* from, const State* to) = nothing;
  /// What can still be done of a step that may take nothing away (a file is written, but not activated); nullopt when
  /// nothing is left of it.
  std::optional<State> (*still)(const State* from, const State& to) = nothing;
  /// Of a resource that is awaited from its owner: what rdmastate does itself, as both states with those fields alone.
  /// That is what no owner does, and the fields `unset_by_owner` (Wanted has them). nullopt: nothing.
  std::optional<Gap::Move> (*ours)(const State& from, const State& to,
                                   std::span<const std::string_view> unset_by_owner) = nothing;
  /// Files of the host that still say the resource's old name after the step, each as a text for a message.
  std::vector<std::string> (*mentioned_by)(const Snapshot&, const std::string& key) = nothing;
  /// What vanishes or changes when this resource is removed, and has to come back when the removal is undone.
  std::vector<Ref> (*goes_with)(const Snapshot&, const std::string& key) = nothing;
  /// What a step removes although it is not to go, and what is put back when the round's steps are done. The run's
  /// record holds it, so that rollback puts it back if the process dies in between.
  std::vector<Ref> (*put_back)(const Scene&, const std::string& key, const State* from, const State* to) = nothing;
  /// Of a kind with `copies_others`: the key of its resource that holds a copy of the file at this path, and has to
  /// drop the copy when the file goes; empty: none does.
  std::string (*copy_of)(const std::string& path) = nothing;
  /// A sentence about what is wanted, is legal, and will still not work; empty where there is none.
  std::string (*warn)(const Scene&, const std::string& key, const State& wanted) = nothing;
  /// Of what appears after a step (a module brings an interface, udev names it): whether it is there, so that the next
  /// plan can be made on it. `awaited`: another program moves it. Null: nobody waits for it.
  bool (*has_come)(const Snapshot&, const std::string& key, const State* wanted, bool awaited) = nullptr;
  /// A step as a person reads it, in lines: those with "+" come, those with "-" go, "@" heads a part. May be null: the
  /// step's fields say all.
  std::string (*lines)(const State* from, const State* to) = nullptr;
  /// A state as it may be shown, without the secrets of others. May be null: a file's bytes go through
  /// without_secrets(), any other state is shown whole.
  State (*shown)(const State& state) = nullptr;
  /// The files that a plan of any spec may read for this kind, beside those that its keys name.
  FilePlaces (*places)() = nothing;
  /// Puts into a record what a plan of any spec may read of this kind beside files: `model` has its files and devices
  /// already.
  void (*keep)(const Snapshot&, const Facts&, HostModel& model) = nothing;
  /// Its name for people, such as an interface's, which replaces its key in the titles of resources on it; empty: none.
  std::string (*short_name)(const State& state) = nothing;
  /// Its present name on the host, to show next to a key that selects it by something that does not change; empty:
  /// none.
  std::string (*present_name)(const Snapshot&, const std::string& key) = nothing;
  /// How a person calls it, given the key and a state if there is one: "mlx4_ib0.8002 (P_Key 0x8002 on ...)".
  std::string (*title)(const std::string& key, const State* state) = nullptr;

  /// Of a durable kind: the file that holds the resource.
  std::string file_of_key(const std::string& key) const { return lives_in == nullptr ? key : lives_in(key); }
  /// Whether what was there before counts as changed, not as made: state of the kernel, or an entry in a foreign file.
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
