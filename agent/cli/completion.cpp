// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.hpp"

#include "sections/spec.hpp"

namespace rdmastate {
namespace {

void add_fields(const Record& record, const std::string& prefix, std::vector<FieldWord>& words) {
  for (const auto& field : record.fields) {
    const std::string path = prefix + std::string(field.name);
    words.push_back({path, field.doc});
    const ValueType* type = field.type;
    while (type->element != nullptr) type = type->element;
    if (type->shape == Shape::record) add_fields(type->record(), path + ".", words);
  }
}

}  // namespace

Completes completes(const OptionWords& option) {
  if (!option.choices().empty()) return Completes::choices;
  if (option.value.starts_with("FILE")) return Completes::files;
  if (option.value == "DIR") return Completes::directories;
  if (option.value == "DEVICE") return Completes::devices;
  return option.value == "PATH" ? Completes::fields : Completes::nothing;
}

std::vector<FieldWord> field_words() {
  std::vector<FieldWord> words;
  add_fields(record_of<Spec>(), "", words);
  return words;
}

std::string quoted(std::string_view text, std::string_view special) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace rdmastate
