// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <algorithm>
#include <limits>

namespace rdmastate {
namespace {

const Json& nothing() {
  static const Json null;
  return null;
}

[[noreturn]] void refuse(std::string_view wanted, const Json& got) {
  throw Error("expected " + std::string(wanted) + ", got " + got.brief());
}

}  // namespace

Json::Json() noexcept = default;
Json::Json(bool value) noexcept : value_(value) {}
Json::Json(Whole whole) noexcept {
  if (whole.negative)
    value_ = static_cast<std::int64_t>(whole.bits);
  else
    value_ = whole.bits;
}
Json::Json(double value) noexcept : value_(value) {}
Json::Json(std::string value) noexcept : value_(std::move(value)) {}
Json::Json(std::string_view value) : value_(std::string(value)) {}
Json::Json(const char* value) : value_(std::string(value)) {}
Json::Json(std::initializer_list<JsonMember> members) : Json(object(members)) {}

Json::~Json() = default;
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;

Json Json::array() { return array({}); }

Json Json::array(std::initializer_list<Json> values) {
  Json json;
  json.value_ = Array(values);
  return json;
}

Json Json::object(std::size_t expected) {
  Json json;
  json.value_.emplace<Object>().reserve(expected);
  return json;
}

Json Json::object(std::initializer_list<JsonMember> members) {
  Json json;
  auto& all = json.value_.emplace<Object>();
  all.reserve(members.size());
  for (const auto& one : members) all.push_back({one.key, std::move(one.value)});
  return json;
}

bool Json::boolean() const {
  if (const bool* value = std::get_if<bool>(&value_)) return *value;
  refuse("true or false", *this);
}

std::uint64_t Json::number() const {
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return *value;
  refuse("a whole number", *this);
}

std::optional<std::int64_t> Json::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  const auto* value = std::get_if<std::uint64_t>(&value_);
  if (value == nullptr || *value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

const std::string& Json::text() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  refuse("a string", *this);
}

const Json::Array& Json::items() const {
  if (const auto* value = std::get_if<Array>(&value_)) return *value;
  refuse("a list", *this);
}

Json::Array& Json::items() {
  if (auto* value = std::get_if<Array>(&value_)) return *value;
  refuse("a list", *this);
}

const Json::Object& Json::members() const {
  if (const auto* value = std::get_if<Object>(&value_)) return *value;
  refuse("an object", *this);
}

std::size_t Json::size() const {
  if (const auto* list = std::get_if<Array>(&value_)) return list->size();
  if (const auto* object = std::get_if<Object>(&value_)) return object->size();
  return 0;
}

const Json* Json::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto found =
      std::find_if(object->begin(), object->end(), [&](const JsonMember& one) { return one.key == key; });
  return found == object->end() ? nullptr : &found->value;
}

const Json& Json::operator[](std::string_view key) const {
  const Json* found = find(key);
  return found == nullptr ? nothing() : *found;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) refuse("an object", *this);
  const auto found =
      std::find_if(object->begin(), object->end(), [&](const JsonMember& one) { return one.key == key; });
  return found == object->end() ? object->emplace_back(JsonMember{std::string(key), {}}).value : found->value;
}

const Json& Json::operator[](std::size_t index) const {
  const auto* list = std::get_if<Array>(&value_);
  return list == nullptr || index >= list->size() ? nothing() : (*list)[index];
}

std::string Json::text_or(std::string_view key, std::string_view otherwise) const {
  const Json& found = (*this)[key];
  return found.is_string() ? found.text() : std::string(otherwise);
}

std::uint64_t Json::number_or(std::string_view key, std::uint64_t otherwise) const {
  const Json& found = (*this)[key];
  return found.is_unsigned() ? found.number() : otherwise;
}

void Json::add(std::string key, Json value) {
  if (is_null()) value_ = Object();
  std::get<Object>(value_).push_back({std::move(key), std::move(value)});
}

void Json::push_back(Json value) {
  if (is_null()) value_ = Array();
  std::get<Array>(value_).push_back(std::move(value));
}

void Json::erase(std::string_view key) {
  if (auto* object = std::get_if<Object>(&value_))
    std::erase_if(*object, [&](const JsonMember& one) { return one.key == key; });
}

void Json::update(Json other) {
  for (auto& one : std::get<Object>(other.value_)) (*this)[one.key] = std::move(one.value);
}

void Json::sort_keys() {
  if (auto* list = std::get_if<Array>(&value_))
    for (auto& one : *list) one.sort_keys();
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return;
  for (auto& one : *object) one.value.sort_keys();
  std::sort(object->begin(), object->end(), [](const JsonMember& a, const JsonMember& b) { return a.key < b.key; });
}

bool Json::operator==(const Json& other) const { return value_ == other.value_; }

}  // namespace rdmastate
