// SPDX-License-Identifier: Apache-2.0
#include "base/json_object.hpp"

#include <limits>

namespace rdmastate {
namespace {

std::string below(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

std::string element(const std::string& path, std::size_t index) { return path + "[" + std::to_string(index) + "]"; }

}  // namespace

NewerFormat::NewerFormat(std::uint32_t version)
    : Error("its format_version is " + std::to_string(version) + ": a newer rdmastate wrote it") {}

void expect_format(std::uint32_t version) {
  if (version != 1) throw NewerFormat(version);
}

void refuse_json(const std::string& path, std::string_view wanted, const Json& got) {
  throw Error((path.empty() ? "" : path + ": ") + "expected " + std::string(wanted) + ", got " + got.brief());
}

const std::string& json_text(const Json& value, const std::string& path) {
  if (!value.is_string()) refuse_json(path, "a string", value);
  return value.text();
}

std::uint32_t json_number(const Json& value, const std::string& path) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (!value.is_unsigned() || value.number() > most) refuse_json(path, "a whole number from 0 to 4294967295", value);
  return static_cast<std::uint32_t>(value.number());
}

std::int64_t json_integer(const Json& value, const std::string& path) {
  const auto number = value.integer();
  if (!number) refuse_json(path, "a whole number from -9223372036854775808 to 9223372036854775807", value);
  return *number;
}

std::vector<std::string> json_texts(const Json& value, const std::string& path) {
  if (!value.is_array()) refuse_json(path, "a list", value);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < value.size(); ++i) all.push_back(json_text(value[i], element(path, i)));
  return all;
}

bool json_flag(const Json& value, const std::string& path) {
  if (!value.is_boolean()) refuse_json(path, "true or false", value);
  return value.boolean();
}

JsonObject::JsonObject(const Json& value, std::string path) : value_(value), path_(std::move(path)) {
  if (!value.is_object()) refuse_json(path_, "an object", value);
}

bool JsonObject::has(const std::string& key) const { return value_.contains(key); }

std::string JsonObject::place(const std::string& key) const { return below(path_, key); }

void JsonObject::refuse(const std::string& key, const std::string& why) const {
  const std::string where = key.empty() ? path_ : place(key);
  throw Error(where.empty() ? why : where + ": " + why);
}

const Json* JsonObject::find(const std::string& key) {
  taken_.insert(key);
  return value_.find(key);
}

const Json& JsonObject::require(const std::string& key) {
  const Json* found = find(key);
  if (found == nullptr) refuse(key, "is missing");
  return *found;
}

const Json& JsonObject::json(const std::string& key) { return require(key); }

std::string JsonObject::text(const std::string& key) { return json_text(require(key), place(key)); }

std::string JsonObject::text_or(const std::string& key, std::string otherwise) {
  return has(key) ? text(key) : std::move(otherwise);
}

std::uint32_t JsonObject::number(const std::string& key) { return json_number(require(key), place(key)); }

std::uint32_t JsonObject::number_or(const std::string& key, std::uint32_t otherwise) {
  return has(key) ? number(key) : otherwise;
}

std::int64_t JsonObject::integer(const std::string& key) { return json_integer(require(key), place(key)); }

bool JsonObject::flag(const std::string& key) { return json_flag(require(key), place(key)); }

bool JsonObject::flag_or(const std::string& key, bool otherwise) { return has(key) ? flag(key) : otherwise; }

std::vector<std::string> JsonObject::texts(const std::string& key) {
  const Json* found = find(key);
  return found == nullptr ? std::vector<std::string>() : json_texts(*found, place(key));
}

void JsonObject::each(const std::string& key, const std::function<void(const Json&, const std::string&)>& take) {
  const Json* found = find(key);
  if (found == nullptr) return;
  const std::string where = place(key);
  if (!found->is_array()) refuse_json(where, "a list", *found);
  for (std::size_t i = 0; i < found->size(); ++i) take((*found)[i], element(where, i));
}

void JsonObject::each_member(const std::string& key,
                             const std::function<void(const std::string&, const Json&, const std::string&)>& take) {
  const Json* found = find(key);
  if (found == nullptr) return;
  const std::string where = place(key);
  if (!found->is_object()) refuse_json(where, "an object", *found);
  for (const auto& [name, value] : found->members()) take(name, value, below(where, name));
}

void JsonObject::with(const std::string& key, const std::function<void(JsonObject&)>& take) {
  const Json* found = find(key);
  if (found == nullptr) return;
  JsonObject inner(*found, place(key));
  take(inner);
  inner.finish();
}

void JsonObject::finish() const {
  for (const auto& [key, value] : value_.members())
    if (!taken_.contains(key)) refuse(key, "is not a key that is known here");
}

}  // namespace rdmastate
