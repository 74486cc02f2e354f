// SPDX-License-Identifier: Apache-2.0
#include "base/fields_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/path.hpp"

namespace rdmastate {
namespace {

Json value_to_json(const ValueType& type, const void* value);

// A type whose form is a number may also print a word ("unlimited"): that stays a string.
std::optional<std::uint64_t> number_of(const ValueType& type, const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failure == std::errc{} && end == text.data() + text.size();
  return type.form == JsonForm::integer && whole ? std::optional(number) : std::nullopt;
}

Json scalar_to_json(const ValueType& type, const void* value) {
  const std::string text = type.print(value);
  if (type.form == JsonForm::boolean) return text == "true";
  const auto number = number_of(type, text);
  return number ? Json(*number) : Json(text);
}

Json list_to_json(const ValueType& type, const void* list) {
  Json json = Json::array();
  for (std::size_t i = 0; i < type.size(list); ++i) json.push_back(value_to_json(*type.element, type.at(list, i)));
  return json;
}

Json map_to_json(const ValueType& type, const void* map) {
  std::map<std::string, Json> printed;  // two keys may be printed alike: the later one stands
  std::vector<std::string> order;
  type.each(map, [&](const void* key, const void* value) {
    std::string name = type.key->print(key);
    if (!printed.contains(name)) order.push_back(name);
    printed[std::move(name)] = value_to_json(*type.element, value);
  });
  Json json = Json::object();
  for (auto& name : order) json.add(name, std::move(printed[name]));
  return json;
}

Json value_to_json(const ValueType& type, const void* value) {
  switch (type.shape) {
    case Shape::scalar:
      return scalar_to_json(type, value);
    case Shape::list:
      return list_to_json(type, value);
    case Shape::map:
      return map_to_json(type, value);
    case Shape::record:
      return to_json(type.record(), value);
  }
  return {};
}

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw Error(path.empty() ? message : path + ": " + message);
}

void check_kind(bool fits, const Json& json, std::string_view wanted, const std::string& path) {
  if (!fits) refuse_json(path, wanted, json);
}

void value_from_json(const Json& json, const ValueType& type, void* out, const std::string& path);

void check_read(const std::optional<Complaint>& complaint, const std::string& path) {
  if (complaint && complaint->severity == Severity::error) fail(path, complaint->message);
}

void scalar_from_json(const Json& json, const ValueType& type, void* out, const std::string& path) {
  const bool fits = json.is_string() || (json.is_boolean() && type.form == JsonForm::boolean) ||
                    (json.is_integer() && type.form == JsonForm::integer);
  check_kind(fits, json, type.wanted, path);
  const std::string text = json.is_string() ? json.text() : json.dump();
  const bool word = json.is_string() && core_type({text, true}) == CoreType::string;
  check_read(type.read({text, !json.is_string() || (word && type.form != JsonForm::string)}, out), path);
}

void list_from_json(const Json& json, const ValueType& type, void* out, const std::string& path) {
  check_kind(json.is_array(), json, "a list", path);
  type.clear(out);
  for (std::size_t i = 0; i < json.size(); ++i) {
    std::string deeper = path;
    append_index(deeper, i);
    value_from_json(json[i], *type.element, type.append(out), deeper);
  }
}

void map_from_json(const Json& json, const ValueType& type, void* out, const std::string& path) {
  check_kind(json.is_object(), json, "a map", path);
  type.clear(out);
  for (const auto& [key, value] : json.members()) {
    std::string deeper = path;
    append_key(deeper, key);
    std::optional<Complaint> complaint;
    void* place = type.insert(out, {key, type.key->form != JsonForm::string}, complaint);
    check_read(complaint, deeper);
    value_from_json(value, *type.element, place, deeper);
  }
}

void value_from_json(const Json& json, const ValueType& type, void* out, const std::string& path) {
  switch (type.shape) {
    case Shape::scalar:
      return scalar_from_json(json, type, out, path);
    case Shape::list:
      return list_from_json(json, type, out, path);
    case Shape::map:
      return map_from_json(json, type, out, path);
    case Shape::record:
      return from_json(json, type.record(), out, path);
  }
}

}  // namespace

Json to_json(const Record& record, const void* value) {
  Json json = Json::object(record.fields.size());
  for (const auto& field : record.fields)
    if (const void* member = field.look(value)) json.add(std::string(field.name), value_to_json(*field.type, member));
  return json;
}

void from_json(const Json& json, const Record& record, void* out, std::string_view where) {
  const std::string path(where);
  check_kind(json.is_object(), json, "a map", path);
  for (const auto& [key, value] : json.members()) {
    const FieldInfo* field = record.find(key);
    if (field == nullptr) fail(path, fmt::format("unknown key '{}'", printable(key)));
    std::string deeper = path;
    append_key(deeper, key);
    value_from_json(value, *field->type, field->make(out), deeper);
  }
  for (const auto& field : record.fields)
    if (field.rules.required && !json.contains(field.name)) fail(path, fmt::format("'{}' is missing", field.name));
}

}  // namespace rdmastate
