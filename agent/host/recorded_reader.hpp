// SPDX-License-Identifier: Apache-2.0
// Strict reading of JSON objects: every key is taken once, what is left over is refused, every refusal names
// its place.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace rdmastate {

/// One object being read. Call finish() when everything was taken.
class JsonObject {
 public:
  /// `path` is the object's place, "" for the top.
  JsonObject(const nlohmann::json& value, std::string path);

  bool has(const std::string& key) const;
  std::string text(const std::string& key);
  std::string text_or(const std::string& key, std::string otherwise);
  std::uint32_t number(const std::string& key);
  std::uint32_t number_or(const std::string& key, std::uint32_t otherwise);
  bool flag_or(const std::string& key, bool otherwise);
  std::vector<std::string> texts(const std::string& key);  ///< empty when absent

  /// A scalar of base/types.hpp in a form that needs no complaint.
  template <class T>
  T value(const std::string& key) {
    const std::string written = text(key);
    T read{};
    if (auto complaint = Text<T>::read({written, false}, read)) refuse(key, complaint->message);
    return read;
  }
  template <class T>
  std::optional<T> value_if(const std::string& key) {
    if (!has(key)) return std::nullopt;
    return value<T>(key);
  }

  /// Every element of a list, or every member of an object; nothing when the key is absent.
  void each(const std::string& key, const std::function<void(const nlohmann::json&, const std::string& path)>& take);
  void each_member(
      const std::string& key,
      const std::function<void(const std::string& name, const nlohmann::json&, const std::string& path)>& take);
  void with(const std::string& key,
            const std::function<void(JsonObject&)>& take);  ///< an object, when present

  void finish() const;
  const std::string& path() const { return path_; }
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

 private:
  const nlohmann::json* find(const std::string& key);
  const nlohmann::json& require(const std::string& key);

  const nlohmann::json& value_;
  std::string path_;
  std::set<std::string> taken_;
};

/// The text as JSON; a key that stands twice in one object is refused. Throws Error.
nlohmann::json parse_strictly(std::string_view text);

/// Throws Error("PATH: expected WANTED, got VALUE").
[[noreturn]] void refuse_json(const std::string& path, std::string_view wanted, const nlohmann::json& got);
std::string json_text(const nlohmann::json& value, const std::string& path);
std::uint32_t json_number(const nlohmann::json& value, const std::string& path);

}  // namespace rdmastate
