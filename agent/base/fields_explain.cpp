// SPDX-License-Identifier: Apache-2.0
#include "base/fields_explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/path.hpp"

namespace rdmastate {
namespace {

// The type of what is in a list or a map, and in lists and maps within it.
const ValueType& innermost(const ValueType& type) {
  const ValueType* inner = &type;
  while (inner->shape == Shape::list || inner->shape == Shape::map) inner = inner->element;
  return *inner;
}

std::string type_in_words(const ValueType& type) {
  switch (type.shape) {
    case Shape::scalar:
      return std::string(type.wanted);
    case Shape::list:
      return "a list, each " + type_in_words(*type.element);
    case Shape::map:
      return fmt::format("a map: {} to {}", type_in_words(*type.key), type_in_words(*type.element));
    case Shape::record:
      return "a map of the fields below";
  }
  return {};
}

// Empty where there is no value.
std::string line(std::string_view label, std::string_view value) {
  return value.empty() ? std::string{} : fmt::format("    {:<10} {}\n", label, value);
}

std::string field_list(const Record& record) {
  std::size_t width = 0;
  for (const auto& field : record.fields) width = std::max(width, field.name.size());
  std::string text = "    fields:\n";
  for (const auto& field : record.fields)
    text +=
        fmt::format("      {:<{}}  {}{}\n", field.name, width, field.rules.required ? "(required) " : "", field.doc);
  return text;
}

std::string explain_field(const FieldInfo& field, std::string_view path) {
  std::string text = fmt::format("{}: {}\n", path, field.doc);
  text += line("takes", field_takes(field));
  text += line("required", field.rules.required ? "yes" : "");
  text += line("identity", field.rules.identity ? "a different value means a different object, not a change" : "");
  text += line("on create", field.rules.on_create);
  if (!field.rules.example.empty()) text += line("example", fmt::format("{}: {}", field.name, field.rules.example));
  const ValueType& inner = innermost(*field.type);
  return inner.shape == Shape::record ? text + field_list(inner.record()) : text;
}

[[noreturn]] void no_such(const std::string& path, std::string_view name, const Record& record) {
  const std::string_view meant = nearest(name, record.names());
  const std::string where = path.empty() ? "at the top" : "in " + path;
  throw Error(fmt::format("there is no field '{}' {}{}", printable(name), where,
                          meant.empty() ? "" : fmt::format(": did you mean {}?", meant)));
}

// Makes a path of what a user copied from YAML: removes "- " before it, ":" after it, and every "[]".
std::string as_path(std::string_view asked) {
  std::string path(trimmed(asked));
  if (path.starts_with("- ")) path = trimmed(std::string_view(path).substr(2));
  if (path.ends_with(':')) path.pop_back();
  for (std::size_t at = path.find("[]"); at != std::string::npos; at = path.find("[]", at)) path.erase(at, 2);
  return path;
}

// Whether the key selects one of the field's elements, and is no field's name: a number or N ("ipoib.0", "ports.N"); of
// a map of plain values any key.
bool selects_element(const FieldInfo* field, std::string_view key) {
  const bool is_container = field != nullptr && (field->type->shape == Shape::list || field->type->shape == Shape::map);
  if (!is_container) return false;
  return ascii::is_number(key) || key == "N" ||
         (field->type->shape == Shape::map && innermost(*field->type).shape != Shape::record);
}

}  // namespace

std::string field_takes(const FieldInfo& field) {
  return field.rules.wanted.empty() ? type_in_words(*field.type) : std::string(field.rules.wanted);
}

std::string explain(const Record& root, std::string_view asked) {
  const Record* record = &root;
  const FieldInfo* field = nullptr;
  std::string walked;
  const std::string whole = as_path(asked);
  for (std::string_view path = whole; !path.empty();) {
    const auto part = next_step(path);  // and removes it from the path
    if (!part) throw Error(fmt::format("'{}' is not the path of a field", printable(asked)));
    if (part->index || selects_element(field, part->key)) continue;
    if (record == nullptr) throw Error(fmt::format("{} has no fields: it takes {}", walked, field_takes(*field)));
    field = record->find(part->key);
    if (field == nullptr) no_such(walked, part->key, *record);
    append_key(walked, part->key);
    const ValueType& inner = innermost(*field->type);
    record = inner.shape == Shape::record ? &inner.record() : nullptr;
  }
  if (field == nullptr) return fmt::format("{}: {}\n", root.name, root.doc) + field_list(root);
  return explain_field(*field, walked);
}

}  // namespace rdmastate
