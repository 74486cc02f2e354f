// SPDX-License-Identifier: Apache-2.0
// How one value is written and read: each type says it once, for YAML, JSON, schema, messages and plans.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/report.hpp"

namespace rdmastate {

/// One scalar as it stood in the source. `plain` is false for quoted and block scalars. A text that was never in a YAML
/// file, such as a part of a key of the ledger, is read as a plain one: Scalar{text}.
struct Scalar {
  std::string_view text;
  bool plain = true;
};

/// What YAML 1.2's core schema makes of a scalar. `yes`, `on` and `010` are not booleans or octal there.
enum class CoreType { null, boolean, integer, real, string };
CoreType core_type(const Scalar& scalar);

/// What JSON makes of a value of this type.
enum class JsonForm { string, integer, boolean };

/// Specialised by every scalar type that a field can have:
///   static constexpr std::string_view wanted;   what is expected, as a noun: "a P_Key such as 0x8002"
///   static constexpr JsonForm form;
///   static std::string schema();                a JSON Schema fragment, as JSON text
///   static std::optional<Complaint> read(const Scalar&, T& out);   nullopt: `out` is set; it is set, too, where the
///                                               complaint is a warning, and left as it was where it is an error
///   static std::string print(const T&);         the one canonical form; read(print(x)) == x
template <class T>
struct Text;

/// The common complaint: "expected WANTED, got 'text'"; or, with a reason, "'text' REASON" and `expected` is WANTED.
Complaint unexpected(std::string_view wanted, const Scalar& got, std::string_view reason = {},
                     std::string_view hint = {});

template <>
struct Text<std::string> {
  static constexpr std::string_view wanted = "a string";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, std::string& out);
  static std::string print(const std::string& value) { return value; }
};

template <>
struct Text<bool> {
  static constexpr std::string_view wanted = "true or false";
  static constexpr JsonForm form = JsonForm::boolean;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, bool& out);
  static std::string print(bool value) { return value ? "true" : "false"; }
};

template <>
struct Text<std::uint32_t> {
  static constexpr std::string_view wanted = "a whole number from 0 to 4294967295";
  static constexpr JsonForm form = JsonForm::integer;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, std::uint32_t& out);
  static std::string print(std::uint32_t value) { return std::to_string(value); }
};

template <>
struct Text<std::uint64_t> {
  static constexpr std::string_view wanted = "a whole number";
  static constexpr JsonForm form = JsonForm::integer;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, std::uint64_t& out);
  static std::string print(std::uint64_t value) { return std::to_string(value); }
};

/// Specialised by every enumeration: `wanted` as in Text, `static constexpr std::array table{Name{E::a, "a"}, ...};`
template <class E>
struct Names;

/// One value of an enum and the word for it in YAML and JSON.
template <class E>
struct Name {
  E value;
  std::string_view text;
};

namespace detail {
/// "a, b or c".
std::string list_of(const std::string_view* names, std::size_t count);
std::string enum_schema(const std::string_view* names, std::size_t count);
/// Reads one of the names as its index; the complaint lists them, and the one that was probably meant.
std::optional<Complaint> read_name(const Scalar& scalar, const std::string_view* names, std::size_t count,
                                   std::size_t& out);

template <class E>
constexpr auto names_of() {
  std::array<std::string_view, Names<E>::table.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = Names<E>::table[i].text;
  return names;
}
template <class E>
inline constexpr auto enum_names = names_of<E>();
}  // namespace detail

template <class E>
requires requires { Names<E>::table; }
struct Text<E> {
  static constexpr std::string_view wanted = Names<E>::wanted;
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() {
    return detail::enum_schema(detail::enum_names<E>.data(), detail::enum_names<E>.size());
  }
  static std::optional<Complaint> read(const Scalar& scalar, E& out) {
    std::size_t which = 0;
    auto complaint = detail::read_name(scalar, detail::enum_names<E>.data(), detail::enum_names<E>.size(), which);
    if (!complaint) out = Names<E>::table[which].value;
    return complaint;
  }
  static std::string print(E value) {
    for (const auto& name : Names<E>::table)
      if (name.value == value) return std::string(name.text);
    return "?";
  }
};

/// A value as Text<T> prints it.
template <class T>
std::string to_text(const T& value) {
  return Text<T>::print(value);
}

}  // namespace rdmastate
