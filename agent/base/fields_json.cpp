// SPDX-License-Identifier: Apache-2.0
// Flow of to_json() and append_json(): a Writer walks the struct by its Record, and a sink takes what it finds: a
// ValueBuilder makes a Json value of it, a JsonText writes it as text. Flow of from_json(): value_from_json() goes by
// the shape of the value, down to scalar_from_json(), which lets the type itself read its text.
#include "base/fields_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/json_record.hpp"
#include "base/path.hpp"

namespace rdmastate {
namespace {

// The number that JSON gets; nullopt for a string. A type whose form is a number may also print a word, which stays a
// string.
std::optional<std::uint64_t> number_of(const ValueType& type, const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failure == std::errc{} && end == text.data() + text.size();
  return type.form == JsonForm::integer && whole ? std::optional(number) : std::nullopt;
}

// Takes the same calls as a JsonText, and builds a Json value from them. keys_ are those whose values are not complete.
class ValueBuilder {
 public:
  void begin_object() { open_.push_back(Json::object()); }
  void end_object() { close(); }
  void begin_array() { open_.push_back(Json::array()); }
  void end_array() { close(); }
  void key(std::string_view name) { keys_.emplace_back(name); }
  void value(Json json) {
    if (open_.empty()) {
      whole_ = std::move(json);
    } else if (open_.back().is_array()) {
      open_.back().push_back(std::move(json));
    } else {
      open_.back().add(std::move(keys_.back()), std::move(json));
      keys_.pop_back();
    }
  }
  Json take() { return std::move(whole_); }

 private:
  void close() {
    Json json = std::move(open_.back());
    open_.pop_back();
    value(std::move(json));
  }

  std::vector<Json> open_;
  std::vector<std::string> keys_;
  Json whole_;
};

// Walks a struct by its Record and tells a Sink what it finds: a ValueBuilder, or a JsonText.
template <class Sink>
class Writer {
 public:
  explicit Writer(Sink& sink) : sink_(sink) {}

  void record(const Record& record, const void* value) {
    sink_.begin_object();
    for (const auto& field : record.fields) {
      const void* member = field.look(value);
      if (member == nullptr) continue;
      sink_.key(field.name);
      value_of_any_type(*field.type, member);
    }
    sink_.end_object();
  }

 private:
  void value_of_any_type(const ValueType& type, const void* value) {
    switch (type.shape) {
      case Shape::scalar:
        return scalar(type, value);
      case Shape::list:
        return list(type, value);
      case Shape::map:
        return map(type, value);
      case Shape::record:
        return record(type.record(), value);
    }
  }

  void scalar(const ValueType& type, const void* value) {
    std::string text = type.print(value);
    if (type.form == JsonForm::boolean) return sink_.value(text == "true");
    if (const auto number = number_of(type, text)) return sink_.value(*number);
    sink_.value(std::move(text));
  }

  void list(const ValueType& type, const void* list) {
    sink_.begin_array();
    for (std::size_t i = 0; i < type.size(list); ++i) value_of_any_type(*type.element, type.at(list, i));
    sink_.end_array();
  }

  // Two keys may be printed the same: then the value of the later one is written, at the place of the first one.
  void map(const ValueType& type, const void* map) {
    std::map<std::string, std::size_t> known;
    std::vector<std::pair<std::string, const void*>> members;
    type.each(map, [&](const void* key, const void* value) {
      std::string name = type.key->print(key);
      const auto [known_at, is_new] = known.emplace(name, members.size());
      if (is_new)
        members.emplace_back(std::move(name), value);
      else
        members[known_at->second].second = value;
    });
    sink_.begin_object();
    for (const auto& [name, value] : members) {
      sink_.key(name);
      value_of_any_type(*type.element, value);
    }
    sink_.end_object();
  }

  Sink& sink_;
};

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw Error(path.empty() ? message : path + ": " + message);
}

void expect(bool fits, const Json& json, std::string_view wanted, const std::string& path) {
  if (!fits) refuse_json(path, wanted, json);
}

void value_from_json(const Json& json, const ValueType& type, void* out, const std::string& path);

void check_read(const std::optional<Complaint>& complaint, const std::string& path) {
  if (complaint && complaint->severity == Severity::error) fail(path, complaint->message);
}

void scalar_from_json(const Json& json, const ValueType& type, void* out, const std::string& path) {
  const bool fits = json.is_string() || (json.is_boolean() && type.form == JsonForm::boolean) ||
                    (json.is_integer() && type.form == JsonForm::integer);
  expect(fits, json, type.wanted, path);
  const std::string text = json.is_string() ? json.text() : json.dump();
  // A type that takes a number or a word (number_of()) may read the word from a plain scalar only: so a JSON string
  // with a word is passed as a plain one.
  const bool is_word = json.is_string() && core_type(Scalar{text}) == CoreType::string;
  const bool is_plain = !json.is_string() || (is_word && type.form != JsonForm::string);
  check_read(type.read({text, is_plain}, out), path);
}

void list_from_json(const Json& json, const ValueType& type, void* out, const std::string& path) {
  expect(json.is_array(), json, "a list", path);
  type.clear(out);
  for (std::size_t i = 0; i < json.size(); ++i) {
    std::string deeper = path;
    append_index(deeper, i);
    value_from_json(json[i], *type.element, type.append(out), deeper);
  }
}

void map_from_json(const Json& json, const ValueType& type, void* out, const std::string& path) {
  expect(json.is_object(), json, "a map", path);
  type.clear(out);
  for (const auto& [key, value] : json.members()) {
    std::string deeper = path;
    append_key(deeper, key);
    std::optional<Complaint> complaint;
    const bool is_plain = type.key->form != JsonForm::string;  // JSON has a number as a key only as a string
    void* place = type.insert(out, {key, is_plain}, complaint);
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
  ValueBuilder builder;
  Writer(builder).record(record, value);
  return builder.take();
}

void append_json(JsonText& text, const Record& record, const void* value) { Writer(text).record(record, value); }

void from_json(const Json& json, const Record& record, void* out, std::string_view where) {
  const std::string path(where);
  expect(json.is_object(), json, "a map", path);
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
