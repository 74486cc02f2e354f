// SPDX-License-Identifier: Apache-2.0
#include "host/recorded_reader.hpp"

#include <limits>
#include <nlohmann/json.hpp>

namespace rdmastate {
namespace {

std::string below(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

std::string element(const std::string& path, std::size_t index) { return path + "[" + std::to_string(index) + "]"; }

}  // namespace

void refuse_json(const std::string& path, std::string_view wanted, const nlohmann::json& got) {
  constexpr std::size_t shown_at_most = 60;
  std::string shown = got.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (shown.size() > shown_at_most) shown = shown.substr(0, shown_at_most) + "...";
  throw Error((path.empty() ? "" : path + ": ") + "expected " + std::string(wanted) + ", got " + shown);
}

std::string json_text(const nlohmann::json& value, const std::string& path) {
  if (!value.is_string()) refuse_json(path, "a string", value);
  return value.get<std::string>();
}

std::uint32_t json_number(const nlohmann::json& value, const std::string& path) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    refuse_json(path, "a whole number from 0 to 4294967295", value);
  return value.get<std::uint32_t>();
}

nlohmann::json parse_strictly(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second)
      throw Error("the key " + parsed.dump() + " stands twice in one object");
    return true;
  };
  try {
    return nlohmann::json::parse(text, watch);
  } catch (const nlohmann::json::parse_error& error) {
    const std::string what = error.what();
    const auto words = what.find("parse error");
    throw Error("not JSON: " + (words == std::string::npos ? what : what.substr(words)));
  }
}

JsonObject::JsonObject(const nlohmann::json& value, std::string path) : value_(value), path_(std::move(path)) {
  if (!value.is_object()) refuse_json(path_, "an object", value);
}

bool JsonObject::has(const std::string& key) const { return value_.contains(key); }

void JsonObject::refuse(const std::string& key, const std::string& why) const {
  const std::string place = key.empty() ? path_ : below(path_, key);
  throw Error(place.empty() ? why : place + ": " + why);
}

const nlohmann::json* JsonObject::find(const std::string& key) {
  taken_.insert(key);
  const auto found = value_.find(key);
  return found == value_.end() ? nullptr : &*found;
}

const nlohmann::json& JsonObject::require(const std::string& key) {
  const auto* found = find(key);
  if (found == nullptr) refuse(key, "is missing");
  return *found;
}

std::string JsonObject::text(const std::string& key) { return json_text(require(key), below(path_, key)); }

std::string JsonObject::text_or(const std::string& key, std::string otherwise) {
  return has(key) ? text(key) : std::move(otherwise);
}

std::uint32_t JsonObject::number(const std::string& key) { return json_number(require(key), below(path_, key)); }

std::uint32_t JsonObject::number_or(const std::string& key, std::uint32_t otherwise) {
  return has(key) ? number(key) : otherwise;
}

bool JsonObject::flag_or(const std::string& key, bool otherwise) {
  const auto* found = find(key);
  if (found == nullptr) return otherwise;
  if (!found->is_boolean()) refuse_json(below(path_, key), "true or false", *found);
  return found->get<bool>();
}

std::vector<std::string> JsonObject::texts(const std::string& key) {
  std::vector<std::string> all;
  each(key, [&](const nlohmann::json& one, const std::string& place) { all.push_back(json_text(one, place)); });
  return all;
}

void JsonObject::each(const std::string& key,
                      const std::function<void(const nlohmann::json&, const std::string&)>& take) {
  const auto* found = find(key);
  if (found == nullptr) return;
  const std::string place = below(path_, key);
  if (!found->is_array()) refuse_json(place, "a list", *found);
  for (std::size_t i = 0; i < found->size(); ++i) take((*found)[i], element(place, i));
}

void JsonObject::each_member(
    const std::string& key,
    const std::function<void(const std::string&, const nlohmann::json&, const std::string&)>& take) {
  const auto* found = find(key);
  if (found == nullptr) return;
  const std::string place = below(path_, key);
  if (!found->is_object()) refuse_json(place, "an object", *found);
  for (const auto& [name, value] : found->items()) take(name, value, below(place, name));
}

void JsonObject::with(const std::string& key, const std::function<void(JsonObject&)>& take) {
  const auto* found = find(key);
  if (found == nullptr) return;
  JsonObject inner(*found, below(path_, key));
  take(inner);
  inner.finish();
}

void JsonObject::finish() const {
  for (const auto& [key, value] : value_.items())
    if (!taken_.contains(key)) refuse(key, "is not a key that is known here");
}

}  // namespace rdmastate
