// SPDX-License-Identifier: Apache-2.0
// Strict reading of JSON objects: every key is taken once, what is left over is refused, every refusal names
// its place.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace rdmastate {

/// A file of a version to come, by its format_version.
class NewerFormat : public Error {
 public:
  explicit NewerFormat(std::uint32_t version);
};
/// Throws NewerFormat where it is not 1: what all of rdmastate's own files have today.
void expect_format(std::uint32_t version);

/// One object being read. The value is kept by reference and has to outlive the reader. Call finish() when everything
/// was taken.
class JsonObject {
 public:
  /// `path` is the object's place, "" for the top. Throws Error where the value is no object.
  JsonObject(const Json& value, std::string path);

  /// Whether the object has that member.
  bool has(const std::string& key) const;
  /// These take a member. They throw Error with its place where it is missing, where its type is another, or where a
  /// number does not fit; the ..._or ones give `otherwise` for a missing one.
  std::string text(const std::string& key);
  std::string text_or(const std::string& key, std::string otherwise);
  std::uint32_t number(const std::string& key);
  std::uint32_t number_or(const std::string& key, std::uint32_t otherwise);
  std::int64_t integer(const std::string& key);  ///< negative ones too
  bool flag(const std::string& key);
  bool flag_or(const std::string& key, bool otherwise);
  std::vector<std::string> texts(const std::string& key);  ///< empty when absent
  const Json& json(const std::string& key);                ///< whatever it is; it must be there

  /// A string as a T, by Text<T>. Throws Error with the place where that has a complaint.
  template <class T>
  T value(const std::string& key) {
    const std::string written = text(key);
    T read{};
    if (auto complaint = Text<T>::read({written, false}, read)) refuse(key, complaint->message);
    return read;
  }
  /// The same; nullopt where the member is missing.
  template <class T>
  std::optional<T> value_if(const std::string& key) {
    if (!has(key)) return std::nullopt;
    return value<T>(key);
  }

  /// Every element of a list, or every member of an object; nothing when the key is absent.
  void each(const std::string& key, const std::function<void(const Json&, const std::string& path)>& take);
  void each_member(const std::string& key,
                   const std::function<void(const std::string& name, const Json&, const std::string& path)>& take);
  void with(const std::string& key,
            const std::function<void(JsonObject&)>& take);  ///< an object, when present

  /// Throws Error with the place of a member that nobody took.
  void finish() const;
  const std::string& path() const { return path_; }
  /// Where that member stands: "links[2].mtu".
  std::string place(const std::string& key) const;
  /// Throws Error: the member's place, then `why`.
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

 private:
  const Json* find(const std::string& key);
  const Json& require(const std::string& key);

  const Json& value_;
  std::string path_;
  std::set<std::string> taken_;
};

/// Throws Error("PATH: expected WANTED, got VALUE"), the value cut where it is long.
[[noreturn]] void refuse_json(const std::string& path, std::string_view wanted, const Json& got);
/// The value as that type; by refuse_json() where it is another, or does not fit.
const std::string& json_text(const Json& value, const std::string& path);
std::uint32_t json_number(const Json& value, const std::string& path);
std::int64_t json_integer(const Json& value, const std::string& path);
std::vector<std::string> json_texts(const Json& value, const std::string& path);
bool json_flag(const Json& value, const std::string& path);

}  // namespace rdmastate
