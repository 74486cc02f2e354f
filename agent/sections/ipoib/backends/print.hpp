// SPDX-License-Identifier: Apache-2.0
// What back ends share in printing a profile: values as texts, and what a template (base/template.hpp) takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/template.hpp"
#include "base/text.hpp"

namespace rdmastate {

/// As to_text() prints it; empty where there is no value.
template <class T>
std::string text_or_empty(const std::optional<T>& value) {
  return value ? to_text(*value) : std::string();
}

/// Each element as to_text() prints it.
template <class List>
std::vector<std::string> texts_of(const List& list) {
  std::vector<std::string> texts;
  for (const auto& one : list) texts.push_back(to_text(one));
  return texts;
}

/// The texts in one, each with the separator behind it ("a;b;").
inline std::string ended_by(const std::vector<std::string>& texts, const char* separator) {
  std::string text;
  for (const auto& one : texts) text += one + separator;
  return text;
}

/// A value for a section of a template: the text, or where it is empty false, which leaves the section out.
inline Values::Value text_or_false(std::string text) {
  if (text.empty()) return false;
  return text;
}

/// Lines of KEY=VALUE, for a template's {{#lines}}{{key}}={{value}}{{/lines}}.
class KeyLines {
 public:
  /// Adds no line where the value is empty.
  void add(std::string key, std::string value) {
    if (value.empty()) return;
    Values& line = lines_.emplace_back();
    line.set("key", std::move(key));
    line.set("value", std::move(value));
  }
  bool empty() const { return lines_.empty(); }
  /// Moves the lines out: no line is left.
  std::vector<Values> take() { return std::move(lines_); }
  /// take(), under the section's name. For a template's {{#sections}}[{{section}}]...{{/sections}}.
  Values take_as(std::string section) {
    Values values;
    values.set("section", std::move(section));
    values.set("lines", take());
    return values;
  }

 private:
  std::vector<Values> lines_;
};

}  // namespace rdmastate
