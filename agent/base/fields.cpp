// SPDX-License-Identifier: Apache-2.0
// Printing and comparing values of any type through its table.
#include "base/fields.hpp"

#include <algorithm>

namespace rdmastate {
namespace {

std::string brief_list(const ValueType& type, const void* list) {
  std::string text = "[";
  for (std::size_t i = 0; i < type.size(list); ++i)
    text += (i > 0 ? ", " : "") + brief(*type.element, type.at(list, i));
  return text + "]";
}

std::string brief_map(const ValueType& type, const void* map) {
  std::string text;
  type.each(map, [&](const void* key, const void* value) {
    text += (text.empty() ? "" : ", ") + type.key->print(key) + ": " + brief(*type.element, value);
  });
  return "{" + text + "}";
}

std::string brief_record(const Record& record, const void* value) {
  std::string text;
  for (const auto& field : record.fields)
    if (const void* member = field.look(value))
      text += (text.empty() ? "" : ", ") + std::string(field.name) + ": " + brief(*field.type, member);
  return "{" + text + "}";
}

bool equal_lists(const ValueType& type, const void* a, const void* b) {
  if (type.size(a) != type.size(b)) return false;
  for (std::size_t i = 0; i < type.size(a); ++i)
    if (!equal(*type.element, type.at(a, i), type.at(b, i))) return false;
  return true;
}

// The keys and values of a map, in the order of the keys.
using Entries = std::vector<std::pair<const void*, const void*>>;

Entries entries_of(const ValueType& type, const void* map) {
  Entries entries;
  type.each(map, [&](const void* key, const void* value) { entries.emplace_back(key, value); });
  return entries;
}

bool equal_maps(const ValueType& type, const void* a, const void* b) {
  const Entries left = entries_of(type, a);
  const Entries right = entries_of(type, b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [&](const auto& x, const auto& y) {
    return type.key->equal(x.first, y.first) && equal(*type.element, x.second, y.second);
  });
}

}  // namespace

const FieldInfo* Record::find(std::string_view field) const {
  for (const auto& info : fields)
    if (info.name == field) return &info;
  return nullptr;
}

std::vector<std::string_view> Record::names() const {
  std::vector<std::string_view> all;
  for (const auto& info : fields) all.push_back(info.name);
  return all;
}

std::string brief(const ValueType& type, const void* value) {
  switch (type.shape) {
    case Shape::scalar:
      return type.print(value);
    case Shape::list:
      return brief_list(type, value);
    case Shape::map:
      return brief_map(type, value);
    case Shape::record:
      return brief_record(type.record(), value);
  }
  return {};
}

bool equal(const ValueType& type, const void* a, const void* b) {
  switch (type.shape) {
    case Shape::scalar:
      return type.equal(a, b);
    case Shape::list:
      return equal_lists(type, a, b);
    case Shape::map:
      return equal_maps(type, a, b);
    case Shape::record:
      return equal(type.record(), a, b);
  }
  return false;
}

bool equal(const Record& record, const void* a, const void* b) {
  return std::all_of(record.fields.begin(), record.fields.end(), [&](const FieldInfo& field) {
    const void* left = field.look(a);
    const void* right = field.look(b);
    if (left == nullptr || right == nullptr) return left == right;  // absent equals absent only
    return equal(*field.type, left, right);
  });
}

}  // namespace rdmastate
