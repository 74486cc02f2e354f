// SPDX-License-Identifier: Apache-2.0
#include "resources/kind.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/json_record.hpp"
#include "base/sha256.hpp"

namespace rdmastate {

namespace {

[[noreturn]] void refuse(const Kind& kind, std::string_view other) {
  throw Error(fmt::format("internal error: a state of the kind {} was taken for one of {}", kind.name, other));
}

}  // namespace

void State::expect(const std::type_info& type, std::string_view name) const {
  if (*kind_->type != type) refuse(*kind_, name);
}

const void* State::seen_as(const std::type_info& type, std::string_view name) const {
  const void* seen = kind_->seen_as(type, value_.get());
  if (seen == nullptr) refuse(*kind_, name);
  return seen;
}

Json Kind::to_json(const State& state) const { return rdmastate::to_json(record(), state.raw()); }

State Kind::from_json(const Json& json, std::string_view path) const {
  auto value = fresh();
  rdmastate::from_json(json, record(), value.get(), path.empty() ? name : path);
  // Converted here: State's constructor template would take a pointer to plain void for the value itself.
  return State(*this, std::shared_ptr<const void>(std::move(value)));
}

bool Kind::equal(const State& a, const State& b) const { return rdmastate::equal(record(), a.raw(), b.raw()); }

std::string digest(const State& state) {
  std::string bytes;
  JsonText text(bytes);
  append_json(text, state.kind().record(), state.raw());
  return sha256_hex(bytes);
}

const State* state_of(const Observation& observation) { return std::get_if<State>(&observation); }

}  // namespace rdmastate
