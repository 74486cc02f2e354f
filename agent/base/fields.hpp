// SPDX-License-Identifier: Apache-2.0
// One table per struct, written once beside it. Reading, checking, diffing, JSON, schema and `explain` come
// from it.
//
//   template <> struct Fields<Ipoib> {
//     static constexpr std::string_view name = "ipoib";
//     static constexpr std::string_view doc = "An IPoIB interface.";
//     static constexpr auto table = Table{
//         Field{"pkey", &Ipoib::pkey, "The partition key of a child."},
//         Field{"mode", &Ipoib::mode, "Transport mode.", {.on_create = "datagram", .example = "connected"}}};
//   };
//
// A struct may also have `static constexpr std::array<std::string_view, N> later{...}`: keys that are refused as "not
// in this version", and `std::array<NeverKey, N> never{...}`: keys that people know from elsewhere, and that no version
// can have. A member is a T with a Text<T>, a struct with Fields, a std::vector or a std::map of those, or a
// std::optional of any. An optional without a value means "left alone". The functions of fields_*.cpp see none of these
// types: they walk a Record, so that each is compiled once.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace rdmastate {

/// What a table may say about a field beyond its name, member and doc.
struct FieldRules {
  bool required = false;
  bool identity = false;  ///< tells objects apart: a different value is another object, not a change
  bool runtime = false;   ///< a value in a running program: a reboot loses it, also where the kind is durable
  /// In a list of records: tells which record of an included file a record of the spec is laid over. It is the record
  /// that has the same values in all fields with merge_key 1, or else the one that has them in all fields with
  /// merge_key 2. Fields with merge_key 0 are not compared; where all fields have 0, `name` is compared, or without a
  /// `name` the fields with `identity`.
  unsigned merge_key = 0;
  bool whole = false;               ///< of a map: a key that is not wanted is a difference, and not left alone
  std::string_view on_create = {};  ///< what an object that we create gets when the field is absent
  std::string_view example = {};    ///< as it would stand after "name: "
  std::string_view wanted = {};     ///< what a value has to be, for messages, instead of what the type says
};

/// One row of a field table: the member `T S::*` with its name in YAML and JSON, a sentence for people, and its rules.
/// A constant; it owns nothing.
template <class S, class T>
struct Field {
  std::string_view name;
  T S::*member;
  std::string_view doc;
  FieldRules rules;
  constexpr Field(std::string_view name_, T S::*member_, std::string_view doc_, FieldRules rules_ = {})
      : name(name_), member(member_), doc(doc_), rules(rules_) {}
};

/// The field at index I of a Table.
template <std::size_t I, class F>
struct TableCell {
  F field;
};

template <class Indices, class... F>
struct TableCells;
template <std::size_t... I, class... F>
struct TableCells<std::index_sequence<I...>, F...> : TableCell<I, F>... {
  constexpr explicit TableCells(F... fields) : TableCell<I, F>{fields}... {}
};

/// A struct's fields in their order. Not a std::tuple: with one gcc takes 12.5 s instead of 7.6 for pch_model.hpp.
template <class... F>
struct Table : TableCells<std::index_sequence_for<F...>, F...> {
  static constexpr std::size_t size = sizeof...(F);
  constexpr explicit Table(F... fields) : TableCells<std::index_sequence_for<F...>, F...>(fields...) {}
};

/// The field at an index of a Table, from 0: field_at<2>(table).
template <std::size_t I, class F>
constexpr const F& field_at(const TableCell<I, F>& cell) {
  return cell.field;
}

/// Joins two tables into one of struct S, the rows of `first` before those of `second`. A table may be that of a base
/// struct of S, so that the fields of the base are written once.
template <class S, std::size_t... I, class... F, std::size_t... J, class... G>
constexpr auto joined(const TableCells<std::index_sequence<I...>, F...>& first,
                      const TableCells<std::index_sequence<J...>, G...>& second) {
  const auto row = []<class Base, class T>(const Field<Base, T>& field) {
    return Field<S, T>(field.name, field.member, field.doc, field.rules);
  };
  return Table{row(field_at<I>(first))..., row(field_at<J>(second))...};
}
template <class S, class First, class Second, class Third>
constexpr auto joined(const First& first, const Second& second, const Third& third) {
  return joined<S>(joined<S>(first, second), third);
}

/// Specialised beside each struct that is read, compared or printed: see the top of this file.
template <class S>
struct Fields;

/// What a value is made of. A record is a struct with a field table.
enum class Shape { scalar, list, map, record };

struct Record;

/// How to handle one value without knowing its type. The members of a group below are null where the shape is another
/// one; every `void*` points at a value of the described type.
struct ValueType {
  Shape shape;

  // scalar
  std::string_view wanted = {};  ///< what a value has to be, for messages: "a number from 1 to 127"
  JsonForm form = JsonForm::string;
  // The next three are those of the type's Text<T> (text.hpp).
  std::string (*schema)() = nullptr;
  std::optional<Complaint> (*read)(const Scalar&, void* value) = nullptr;
  std::string (*print)(const void* value) = nullptr;
  bool (*equal)(const void* a, const void* b) = nullptr;
  /// Does this scalar read back as that value, without a complaint?
  bool (*reads_as)(const Scalar&, const void* value) = nullptr;

  // list and map
  const ValueType* element = nullptr;  ///< the type of its values
  std::size_t (*size)(const void* container) = nullptr;
  void (*clear)(void* container) = nullptr;  ///< makes it empty
  // list
  const void* (*at)(const void* list, std::size_t) = nullptr;
  void* (*append)(void* list) = nullptr;  ///< adds a new value at the end, and returns it
  // map
  const ValueType* key = nullptr;
  /// Calls the function with each key and its value, in the order of the keys.
  void (*each)(const void* map, const std::function<void(const void* key, const void* value)>&) = nullptr;
  /// The value at that key, made when there is none; null with a complaint when the key cannot be read.
  void* (*insert)(void* map, const Scalar& key, std::optional<Complaint>&) = nullptr;

  // record
  const Record& (*record)() = nullptr;
};

/// One row of a struct's table without its types: a field of a Record.
struct FieldInfo {
  std::string_view name;
  std::string_view doc;
  FieldRules rules;
  const ValueType* type;
  bool optional;
  const void* (*look)(const void* record);  ///< the value, or null when the optional has none
  void* (*make)(void* record);              ///< the value to write to; an absent optional gets a new value first
  void (*clear)(void* record);              ///< makes the field absent, or what it is in a new struct

  std::string_view wanted() const { return rules.wanted.empty() ? type->wanted : rules.wanted; }
};

/// A key that a table never has, with the sentence why.
struct NeverKey {
  std::string_view key;
  std::string_view why;
};

/// A struct's table as the functions of fields_*.cpp see it.
struct Record {
  std::string_view name;
  std::string_view doc;
  std::span<const FieldInfo> fields;
  /// Keys that this version does not have yet: the reader refuses them as such, not as misspelt ones.
  std::span<const std::string_view> later = {};
  std::span<const NeverKey> never = {};  ///< the reader refuses them with their sentences

  /// Null when there is none of that name.
  const FieldInfo* find(std::string_view field) const;
  std::vector<std::string_view> names() const;
};

/// The Record of a struct's table. Where many sources ask for a large table, its header declares the specialisation
/// `template <> record_of<S>()`, so that it is compiled once.
template <class S>
const Record& record_of();

/// "[192.0.2.1/24, 192.0.2.2/24]", "{to: 203.0.113.0/24, metric: 50}": a value in one line, not cut, for messages and
/// plans.
std::string brief(const ValueType& type, const void* value);

/// Deeply the same: an absent field equals an absent one only.
bool equal(const ValueType& type, const void* a, const void* b);
bool equal(const Record& record, const void* a, const void* b);

}  // namespace rdmastate

#include "base/fields_detail.hpp"
