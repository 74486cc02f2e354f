// SPDX-License-Identifier: Apache-2.0
// What a type makes of a text, in one line, so that a table of cases reads as what an administrator sees.
#pragma once

#include <string>
#include <string_view>

#include "base/text.hpp"

namespace rdmastate::test {

/// `plain`: the text stands in the YAML without quotes.
/// "= 0x8002", "error: MESSAGE | expected | hint", or "= 0x8002 warning: MESSAGE | | hint".
template <class T>
std::string reading(std::string_view text, bool plain = true) {
  T value{};
  const auto complaint = Text<T>::read({text, plain}, value);
  if (!complaint) return "= " + Text<T>::print(value);
  const std::string what = complaint->message + " | " + complaint->expected + " | " + complaint->hint;
  return complaint->severity == Severity::error ? "error: " + what : "= " + Text<T>::print(value) + " warning: " + what;
}

}  // namespace rdmastate::test
