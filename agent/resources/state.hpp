// SPDX-License-Identifier: Apache-2.0
// One resource's state, and what was observed of it. Include resources/kind.hpp instead: it defines the templates of
// State.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <variant>

#include "base/fields.hpp"

namespace rdmastate {

struct Kind;

/// One resource's state: an immutable value of its kind's struct. Copies share it. Absent fields of a wanted state mean
/// "left alone".
class State {
 public:
  /// Throws Error where S is not the kind's struct: a mistake of the program.
  template <class S>
  State(const Kind& kind, S value);

  const Kind& kind() const { return *kind_; }
  /// The kind's struct without its type, for functions that walk Kind::record (diff, to_json).
  const void* raw() const { return value_.get(); }
  /// As the kind's struct, or as one that the kind says it is based on. Throws Error naming both where it is neither:
  /// a mistake of the program.
  template <class S>
  const S& as() const;
  /// Whether as<S>() would answer.
  template <class S>
  bool is() const;
  /// A copy of the state in which change(S&) has edited the struct that as<S>() gives.
  template <class S, class Change>
  State changed(Change&& change) const;

 private:
  friend struct Kind;
  State(const Kind& kind, std::shared_ptr<const void> value) : kind_(&kind), value_(std::move(value)) {}
  /// Throws Error where the kind's struct is not `type`, which is called `name`.
  void expect(const std::type_info& type, std::string_view name) const;
  /// The value as `type`, which is called `name`; throws Error where the kind's struct is neither it nor based on it.
  const void* seen_as(const std::type_info& type, std::string_view name) const;
  const Kind* kind_;
  std::shared_ptr<const void> value_;
};

/// The host does not have it.
struct Absent {};
/// The host did not show it to this user: no step is planned on it. `reason` is a sentence.
struct Unseen {
  std::string reason;
};
/// What was seen of one resource.
using Observation = std::variant<Absent, State, Unseen>;

/// SHA-256 of a state's JSON, in hex: what the ledger keeps of what rdmastate made.
std::string digest(const State& state);

/// The observed State; nullptr for Absent. Also for Unseen, which the caller has to tell apart before.
const State* state_of(const Observation& observation);

}  // namespace rdmastate
