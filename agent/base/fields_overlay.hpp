// SPDX-License-Identifier: Apache-2.0
// Lays structs over each other: rdmastate leaves an absent field as it is on the host, and gives it the default of its
// field table in an object that it creates.
#pragma once

#include <optional>
#include <tuple>
#include <type_traits>

#include "base/fields.hpp"

namespace rdmastate {

namespace detail {
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
}  // namespace detail

/// Calls `use` with each field of the table that is optional.
template <class S, class Use>
void each_optional(Use&& use) {
  const auto use_if_optional = [&](const auto& field) {
    if constexpr (detail::IsOptional<std::remove_cvref_t<decltype(std::declval<S&>().*(field.member))>>::value)
      use(field);
  };
  // Each row of the table has a type of its own, so the rows are visited by a list of their indices.
  [&]<std::size_t... I>(std::index_sequence<I...>) { (use_if_optional(field_at<I>(Fields<S>::table)), ...); }
  (std::make_index_sequence<Fields<S>::table.size>{});
}

/// `wanted` laid over `present`: an optional field without a value in `wanted` gets that of `present`. All other fields
/// are as in `wanted`.
template <class S>
S laid_over(const S& present, const S& wanted) {
  S merged = wanted;
  each_optional<S>([&](const auto& field) {
    if (!(wanted.*(field.member))) merged.*(field.member) = present.*(field.member);
  });
  return merged;
}

/// The optional fields of `wanted` that differ from `present`; all others are as in a new S.
template <class S>
S differing(const S& present, const S& wanted) {
  S rest{};
  each_optional<S>([&](const auto& field) {
    if (wanted.*(field.member) != present.*(field.member)) rest.*(field.member) = wanted.*(field.member);
  });
  return rest;
}

/// `stated` with the present values: an optional field that both have gets the value of `now`.
template <class S>
S as_it_is(const S& stated, const S& now) {
  S refreshed = stated;
  each_optional<S>([&](const auto& field) {
    if (stated.*(field.member) && now.*(field.member)) refreshed.*(field.member) = now.*(field.member);
  });
  return refreshed;
}

/// Whether any optional field has a value.
template <class S>
bool says_anything(const S& value) {
  bool any = false;
  each_optional<S>([&](const auto& field) { any = any || (value.*(field.member)).has_value(); });
  return any;
}

/// Absent fields of the struct at `value`, whose table is `record`, get their default (FieldRules::on_create); those
/// without one stay absent.
void fill_on_create(const Record& record, void* value);

/// The state that an object has when rdmastate creates it: `wanted` after fill_on_create().
template <class S>
S as_created(S wanted) {
  fill_on_create(record_of<S>(), &wanted);
  return wanted;
}

}  // namespace rdmastate
