// SPDX-License-Identifier: Apache-2.0
#include "base/fields_diff.hpp"

#include "base/path.hpp"

namespace rdmastate {
namespace {

// Compares recursively, and collects the differences. In all functions `from` is null where nothing is there yet;
// `whole` is FieldRules::whole of the field that holds the map.
struct Differ {
  std::vector<FieldChange> changes;

  void add(const std::string& path, const ValueType& type, const void* from, const void* to) {
    const auto text = [&](const void* value) {
      return value == nullptr ? std::optional<std::string>{} : brief(type, value);
    };
    changes.push_back({path, text(from), text(to)});
  }

  void compare_records(const Record& record, const void* from, const void* to, const std::string& path) {
    for (const auto& field : record.fields) {
      const void* wanted = field.look(to);
      if (wanted == nullptr) continue;  // left alone
      std::string deeper = path;
      append_key(deeper, field.name);
      compare_values(*field.type, from == nullptr ? nullptr : field.look(from), wanted, deeper, field.rules.whole);
    }
  }

  void compare_values(const ValueType& type, const void* from, const void* to, const std::string& path, bool whole) {
    if (type.shape == Shape::map && from != nullptr) return compare_maps(type, from, to, path, whole);
    if (type.shape == Shape::record && from != nullptr) return compare_records(type.record(), from, to, path);
    if (from == nullptr || !equal(type, from, to)) add(path, type, from, to);
  }

  void compare_maps(const ValueType& type, const void* from, const void* to, const std::string& path, bool whole) {
    const auto old_values = by_key(type, from);
    const auto new_values = by_key(type, to);
    const auto at = [&](const std::string& key) {
      std::string deeper = path;
      append_key(deeper, key);
      return deeper;
    };
    for (const auto& [key, wanted] : new_values) {
      const auto old_value = old_values.find(key);
      compare_values(*type.element, old_value == old_values.end() ? nullptr : old_value->second, wanted, at(key),
                     whole);
    }
    if (!whole) return;
    for (const auto& [key, old_value] : old_values)
      if (!new_values.contains(key)) add(at(key), *type.element, old_value, nullptr);
  }

  static std::map<std::string, const void*> by_key(const ValueType& type, const void* map) {
    std::map<std::string, const void*> values;
    type.each(map, [&](const void* key, const void* value) { values.emplace(type.key->print(key), value); });
    return values;
  }
};

}  // namespace

std::vector<FieldChange> diff(const Record& record, const void* from, const void* to) {
  Differ differ;
  differ.compare_records(record, from, to, /*path=*/{});
  return std::move(differ.changes);
}

}  // namespace rdmastate
