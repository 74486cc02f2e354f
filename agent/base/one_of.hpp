// SPDX-License-Identifier: Apache-2.0
// Whether a list has a value.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace rdmastate {

/// Whether the list has an element that equals the value.
template <class Value, class List>
constexpr bool is_one_of(const Value& value, const List& list) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}
template <class Value, class Element>
constexpr bool is_one_of(const Value& value, std::initializer_list<Element> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace rdmastate
