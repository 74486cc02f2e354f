// SPDX-License-Identifier: Apache-2.0
// A step as data: what a run records and a saved plan holds.
#pragma once

#include <optional>
#include <string>

#include "resources/kind.hpp"

namespace rdmastate {

/// One resource from one state to another; nullopt is absent. Enough for another process to take it back.
struct Step {
  const Kind* kind = nullptr;
  std::string key;
  std::optional<State> from;
  std::optional<State> to;
  /// What the plan called it, by the names that interfaces and devices have or are to get, printable; empty: as its
  /// kind calls it. to_json() leaves it out: it is for people, and a run keeps it beside its steps.
  std::string called = {};
};

/// Whether both states are there, and equal. A run's record has such a step for each resource that the run removes for
/// a moment and then puts back (Kind::put_back).
bool leads_nowhere(const Step& step);

/// How a person calls it, printable: "address 192.0.2.1/24 on mlx4_ib0".
std::string title(const Step& step);

/// As movers take a state: nullptr is absent. Points into `state`.
inline const State* pointer(const std::optional<State>& state) { return state ? &*state : nullptr; }

/// Why this can be no key of that kind, as the end of a message that begins with "key: "; empty where it can. The key
/// of a durable kind leads to the absolute path of a file (Kind::file_of_key).
std::string trouble_with_key(const Kind& kind, const std::string& key);

/// A step as a run's record and a saved plan hold it. It hides no secrets: a saved plan takes them out before.
Json to_json(const Step& step);
/// Strict: throws Error for what is no step of this version; `path` is its place.
Step step_from(const Json& json, const std::string& path);

}  // namespace rdmastate
