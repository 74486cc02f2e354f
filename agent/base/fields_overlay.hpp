// SPDX-License-Identifier: Apache-2.0
// "A field that is absent is left alone; on what we create it takes the default of its field table": law 1,
// once.
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

/// `wanted` laid over `present`: optional fields that `wanted` does not mention keep what they are.
template <class S>
S laid_over(const S& present, const S& wanted) {
  S merged = present;
  const auto lay = [&](const auto& field) {
    const auto& from = wanted.*(field.member);
    if constexpr (detail::IsOptional<std::remove_cvref_t<decltype(from)>>::value) {
      if (from) merged.*(field.member) = from;
    } else {
      merged.*(field.member) = from;
    }
  };
  const auto lay_all = [&]<std::size_t... I>(std::index_sequence<I...>) { (lay(field_at<I>(Fields<S>::table)), ...); };
  lay_all(std::make_index_sequence<Fields<S>::table.size>{});
  return merged;
}

/// Absent fields take their table's `on_create`; those without one stay absent.
void fill_on_create(const Record& record, void* value);

template <class S>
S as_created(S wanted) {
  fill_on_create(record_of<S>(), &wanted);
  return wanted;
}

}  // namespace rdmastate
