// SPDX-License-Identifier: Apache-2.0
// A JSON value of our own: small to include, so that no source but json_parse.cpp sees a JSON library.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace rdmastate {

struct JsonMember;

/// A JSON value. An object keeps its members in the order in which they were added. Looking a key up is linear: objects
/// with many keys are walked (members()), not asked.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<JsonMember>;

  Json() noexcept;  ///< null
  Json(std::nullptr_t) noexcept : Json() {}
  Json(bool value) noexcept;
  template <class T>
  requires(std::integral<T> && !std::same_as<T, bool>) Json(T value)
  noexcept : Json(Whole{value < 0, static_cast<std::uint64_t>(value)}) {}
  Json(double value) noexcept;
  Json(std::string value) noexcept;
  Json(std::string_view value);
  Json(const char* value);
  /// An object: {{"name", "ib0"}, {"mtu", 2044}}. The caller names each key once; this is not checked.
  Json(std::initializer_list<JsonMember> members);

  /// Arrays and objects, also empty ones; braces alone would be ambiguous.
  static Json array();
  static Json array(std::initializer_list<Json> values);
  static Json object(std::size_t expected = 0);  ///< `expected`: how many members it may get
  static Json object(std::initializer_list<JsonMember> members);
  /// An array with the Json of each element.
  template <class List>
  requires requires(const List& list) { Json(*list.begin()); }
  static Json array_of(const List& list) {
    Json made = array();
    for (const auto& one : list) made.push_back(Json(one));
    return made;
  }
  /// An object with the members of a map whose keys are texts.
  template <class Map>
  static Json object_of(const Map& map) {
    Json made = object();
    for (const auto& [key, value] : map) made.add(key, Json(value));
    return made;
  }

  ~Json();
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;

  bool is_null() const { return holds<std::nullptr_t>(); }
  bool is_boolean() const { return holds<bool>(); }
  bool is_string() const { return holds<std::string>(); }
  bool is_array() const { return holds<Array>(); }
  bool is_object() const { return holds<Object>(); }
  bool is_integer() const { return holds<std::int64_t>() || holds<std::uint64_t>(); }
  bool is_unsigned() const { return holds<std::uint64_t>(); }  ///< a whole number that is not negative

  /// The value, for a caller who knows its type: each but integer() throws Error where it has another type. To read
  /// what a file holds, use JsonObject: its errors name the place.
  bool boolean() const;
  std::uint64_t number() const;                 ///< a whole number that is not negative
  std::optional<std::int64_t> integer() const;  ///< nullopt: no whole number, or one that is too large
  const std::string& text() const;
  const Array& items() const;  ///< of an array
  Array& items();
  const Object& members() const;  ///< of an object

  /// Elements of an array, members of an object; 0 of anything else.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  /// Null when this is no object or has no such key.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// That member; a null value when there is none.
  const Json& operator[](std::string_view key) const;
  /// That member, made when there is none. A null value becomes an object first; throws Error for any other type.
  Json& operator[](std::string_view key);
  /// That element; a null value when there is none.
  const Json& operator[](std::size_t index) const;
  Json& operator[](std::size_t index) { return items().at(index); }  ///< it must be there
  /// The member's text or number where it has that type, else `otherwise`.
  std::string text_or(std::string_view key, std::string_view otherwise) const;
  std::uint64_t number_or(std::string_view key, std::uint64_t otherwise) const;

  /// Appends a member to an object, without asking whether the key is there already, or an element to an array. A null
  /// value becomes an empty object or array first; this must be no other type.
  void add(std::string key, Json value);
  void push_back(Json value);
  /// Removes the member with this key from an object. Nothing where there is none.
  void erase(std::string_view key);
  /// Takes over the members of `other`, which must be an object; they replace members with the same key.
  void update(Json other);
  /// Sorts the members of every object in this value by the bytes of their keys.
  void sort_keys();

  /// As JSON text: in one line (-1), or with `indent` spaces a level. Throws Error for a string that is not UTF-8.
  std::string dump(int indent = -1) const;
  /// The same as dump(), appended.
  void append_to(std::string& text) const;
  /// dump() cut to some 60 characters, for messages: of a value of any size, in little time.
  std::string brief() const;

  bool operator==(const Json& other) const;

 private:
  friend class JsonPrinter;
  struct Whole {
    bool negative;
    std::uint64_t bits;
  };
  explicit Json(Whole whole) noexcept;
  template <class T>
  bool holds() const {
    return std::holds_alternative<T>(value_);
  }

  // A whole number that is not negative is always held as std::uint64_t.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

/// One member of an object.
struct JsonMember {
  std::string key;
  mutable Json value;  ///< mutable: values are moved out of the const list in braces that makes an object

  bool operator==(const JsonMember& other) const { return key == other.key && value == other.value; }
};

/// The limits of a JSON text that is parsed. What rdmastate writes is far below them.
struct JsonLimits {
  std::size_t depth = 64;
  std::size_t values = 1'000'000;
};

/// The text's value. Throws Error("it is not JSON: line 3, column 7: ...") for what is no JSON (RFC 8259), a key that
/// stands twice in one object, a number too large for a double, or what goes beyond the limits. Linear in the text but
/// for a sort of each object's keys.
Json parse_json(std::string_view text, const JsonLimits& limits = {});

/// A text as a JSON string, quotes included. Throws Error where it is not UTF-8.
void append_json_string(std::string& json, std::string_view text);

}  // namespace rdmastate
