// SPDX-License-Identifier: Apache-2.0
// Writes JSON text piece by piece, with the brackets, commas and escapes that JSON asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rdmastate {

class Json;

/// Appends JSON (RFC 8259) to a text. The caller keeps begin and end in pairs, and gives a key to each member of an
/// object.
class JsonText {
 public:
  static constexpr std::size_t no_limit = std::string::npos;

  /// Writes one line, or with `indent` spaces a level. A `limit` (bytes) is for messages: each string is cut to it,
  /// bytes that are not UTF-8 stay as they are, and the caller stops when is_full().
  explicit JsonText(std::string& out, int indent = -1, std::size_t limit = no_limit)
      : out_(out), indent_(indent), limit_(limit) {}

  /// From now on a text that is not UTF-8 is written as printable() shows it: for output only, never for a file.
  void tell() { is_told_ = true; }

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  /// Writes the key of a member, whose value has to come next. Throws as value() of a text.
  void key(std::string_view name);
  /// Writes an element of an array, or a member's value behind key(). Numbers have the shortest form that reads back.
  void value(std::nullptr_t);
  void value(bool value);
  void value(std::int64_t value);
  void value(std::uint64_t value);
  void value(double value);
  /// Throws Error where the text is not UTF-8, unless there is a limit or tell() was called.
  void value(std::string_view value);

  /// Whether `out` has more bytes than the limit: then the caller stops.
  bool is_full() const { return out_.size() > limit_; }

 private:
  void begin(char bracket);
  void end(char bracket);
  void separate();
  void line();
  void string(std::string_view text);

  std::string& out_;
  int indent_;
  std::size_t limit_;
  std::size_t depth_ = 0;
  bool is_first_ = true;  // of the container that is open
  bool has_key_ = false;  // a key was written, and its value comes next
  bool is_told_ = false;
};

/// A value as the JSON output of a command, two spaces a level. Never throws: a text of the host may be no UTF-8, and
/// is written as printable() shows it.
std::string told_json(const Json& json);

}  // namespace rdmastate
