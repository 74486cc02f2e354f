// SPDX-License-Identifier: Apache-2.0
// Strict reading of JSON objects, such as ledgers, runs and recorded hosts: a key that is read is marked, finish()
// refuses those that nobody read, and every error names the member's path.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace rdmastate {

/// Thrown for a file whose format_version this program does not know.
class NewerFormat : public Error {
 public:
  explicit NewerFormat(std::uint32_t version);
};
/// All of rdmastate's own files have format_version 1 today: throws NewerFormat for any other.
void expect_format(std::uint32_t version);

/// One object being read. The value is kept by reference and has to outlive the reader. Call finish() when everything
/// was read.
class JsonObject {
 public:
  /// `path` is the object's own, "" for the top. Throws Error where the value is no object.
  JsonObject(const Json& value, std::string path);

  /// Whether the object has that member; it does not count as read.
  bool has(const std::string& key) const;
  /// These read a member and mark it. They throw Error with its path where it is missing, has another type, or is a
  /// number out of range. Where it is missing, the ..._or functions return `otherwise`.
  std::string text(const std::string& key);
  std::string text_or(const std::string& key, std::string otherwise);
  std::uint32_t number(const std::string& key);  ///< 0 to 4294967295
  std::uint32_t number_or(const std::string& key, std::uint32_t otherwise);
  std::int64_t integer(const std::string& key);  ///< with a sign
  bool flag(const std::string& key);
  bool flag_or(const std::string& key, bool otherwise);
  std::vector<std::string> texts(const std::string& key);  ///< empty when absent
  const Json& json(const std::string& key);                ///< of any type; throws where it is missing

  /// number_or() where the member has to fit into the type `Number`.
  template <class Number>
  Number small_number_or(const std::string& key, Number otherwise) {
    constexpr Number most = std::numeric_limits<Number>::max();
    const std::uint32_t number = number_or(key, otherwise);
    if (number > most) refuse(key, "expected a number from 0 to " + std::to_string(most));
    return static_cast<Number>(number);
  }

  /// A string as a T. Throws Error with its path where Text<T> does not take it.
  template <class T>
  T value(const std::string& key) {
    const std::string written = text(key);
    T read{};
    if (auto complaint = Text<T>::read({written, /*plain=*/false}, read)) refuse(key, complaint->message);
    return read;
  }
  /// The same; nullopt where the member is missing.
  template <class T>
  std::optional<T> value_if(const std::string& key) {
    if (!has(key)) return std::nullopt;
    return value<T>(key);
  }

  /// Calls `take` for every element of a list, or every member of an object, with its path; does nothing when the key
  /// is absent. Throws Error where the member has another type, and what `take` throws.
  void each(const std::string& key, const std::function<void(const Json&, const std::string& path)>& take);
  void each_member(const std::string& key,
                   const std::function<void(const std::string& name, const Json&, const std::string& path)>& take);
  /// Gives `take` a member that is an object, then calls its finish(); does nothing when the key is absent. Throws
  /// Error where the member has another type, or finish() does.
  void with(const std::string& key, const std::function<void(JsonObject&)>& take);

  /// Throws Error with the path of a member that nobody read.
  void finish() const;
  const std::string& path() const { return path_; }
  /// The path of that member: "links[2].mtu".
  std::string place(const std::string& key) const;
  /// Throws Error: the member's path, then `why`. An empty key means the object itself.
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
/// The value as that type; refuse_json() throws where it has another, or is out of range.
const std::string& json_text(const Json& value, const std::string& path);
std::uint32_t json_number(const Json& value, const std::string& path);
std::int64_t json_integer(const Json& value, const std::string& path);
std::vector<std::string> json_texts(const Json& value, const std::string& path);
bool json_flag(const Json& value, const std::string& path);

}  // namespace rdmastate
