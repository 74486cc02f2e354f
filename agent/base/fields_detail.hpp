// SPDX-License-Identifier: Apache-2.0
// Makes a Record, which holds function pointers, from the members that a Fields<>::table names. Only fields.hpp
// includes this file. Describe<T> makes the ValueType of a type, info_of() the FieldInfo of one row of a table by its
// index, infos_of() those of all rows, and `record` the Record of them.
#pragma once

#include "base/fields.hpp"

namespace rdmastate {
namespace detail {

template <class T>
concept HasFields = requires {
  Fields<T>::table;
};

template <class T>
struct OptionalOf {
  using Value = T;
  static constexpr bool is = false;
};
template <class T>
struct OptionalOf<std::optional<T>> {
  using Value = T;
  static constexpr bool is = true;
};

template <class T>
struct Describe;

template <class T>
inline constexpr ValueType value_type = Describe<T>::make();

/// Describes a scalar: any T that has a Text<T>.
template <class T>
struct Describe {
  static constexpr ValueType make() {
    ValueType type{Shape::scalar};
    type.wanted = Text<T>::wanted;
    type.form = Text<T>::form;
    type.schema = [] { return Text<T>::schema(); };
    type.read = [](const Scalar& scalar, void* value) { return Text<T>::read(scalar, *static_cast<T*>(value)); };
    type.print = [](const void* value) { return Text<T>::print(*static_cast<const T*>(value)); };
    type.equal = [](const void* a, const void* b) { return *static_cast<const T*>(a) == *static_cast<const T*>(b); };
    type.reads_as = [](const Scalar& scalar, const void* value) {
      T read{};
      return !Text<T>::read(scalar, read) && read == *static_cast<const T*>(value);
    };
    return type;
  }
};

template <HasFields S>
struct Describe<S> {
  static constexpr ValueType make() {
    ValueType type{Shape::record};
    type.record = &record_of<S>;
    return type;
  }
};

template <class T>
struct Describe<std::vector<T>> {
  using List = std::vector<T>;
  static constexpr ValueType make() {
    ValueType type{Shape::list};
    type.element = &value_type<T>;
    type.size = [](const void* list) { return static_cast<const List*>(list)->size(); };
    type.clear = [](void* list) { static_cast<List*>(list)->clear(); };
    type.at = [](const void* list, std::size_t i) -> const void* { return &(*static_cast<const List*>(list))[i]; };
    type.append = [](void* list) -> void* { return &static_cast<List*>(list)->emplace_back(); };
    return type;
  }
};

template <class K, class T>
struct Describe<std::map<K, T>> {
  using Map = std::map<K, T>;
  static constexpr ValueType make() {
    ValueType type{Shape::map};
    type.element = &value_type<T>;
    type.key = &value_type<K>;
    type.size = [](const void* map) { return static_cast<const Map*>(map)->size(); };
    type.clear = [](void* map) { static_cast<Map*>(map)->clear(); };
    type.each = [](const void* map, const std::function<void(const void*, const void*)>& visit) {
      for (const auto& [key, value] : *static_cast<const Map*>(map)) visit(&key, &value);
    };
    type.insert = [](void* map, const Scalar& scalar, std::optional<Complaint>& complaint) -> void* {
      K key{};
      complaint = Text<K>::read(scalar, key);
      if (complaint && complaint->severity == Severity::error) return nullptr;
      return &(*static_cast<Map*>(map))[key];
    };
    return type;
  }
};

/// A record with all defaults.
template <class S>
const S& fresh() {
  static const S made{};
  return made;
}

template <class S, std::size_t I>
constexpr FieldInfo info_of() {
  constexpr auto field = field_at<I>(Fields<S>::table);
  using Member = std::remove_cvref_t<decltype(std::declval<S&>().*field.member)>;
  using Optional = OptionalOf<Member>;
  FieldInfo info{.name = field.name,
                 .doc = field.doc,
                 .rules = field.rules,
                 .type = &value_type<typename Optional::Value>,
                 .optional = Optional::is,
                 .look = nullptr,
                 .make = nullptr,
                 .clear = nullptr};
  info.look = [](const void* record) -> const void* {
    const Member& member = static_cast<const S*>(record)->*field_at<I>(Fields<S>::table).member;
    if constexpr (Optional::is)
      return member ? &*member : nullptr;
    else
      return &member;
  };
  info.make = [](void* record) -> void* {
    Member& member = static_cast<S*>(record)->*field_at<I>(Fields<S>::table).member;
    if constexpr (Optional::is)
      return member ? &*member : &member.emplace();
    else
      return &member;
  };
  info.clear = [](void* record) {
    auto member = field_at<I>(Fields<S>::table).member;
    static_cast<S*>(record)->*member = fresh<S>().*member;
  };
  return info;
}

template <class S, std::size_t... I>
constexpr auto infos_of(std::index_sequence<I...>) {
  return std::array<FieldInfo, sizeof...(I)>{info_of<S, I>()...};
}

template <class S>
inline constexpr auto infos = infos_of<S>(std::make_index_sequence<Fields<S>::table.size>{});

template <class S>
constexpr std::span<const std::string_view> later_of() {
  if constexpr (requires { Fields<S>::later; }) {
    return Fields<S>::later;
  } else {
    return {};
  }
}

template <class S>
constexpr std::span<const NeverKey> never_of() {
  if constexpr (requires { Fields<S>::never; }) {
    return Fields<S>::never;
  } else {
    return {};
  }
}

template <class S>
inline constexpr Record record{Fields<S>::name, Fields<S>::doc, infos<S>, later_of<S>(), never_of<S>()};

}  // namespace detail

/// The type-erased table of a struct: a constant that lives as long as the program.
template <class S>
const Record& record_of() {
  return detail::record<std::remove_const_t<S>>;
}

/// Whether all fields of the table are equal, as equal() compares them.
template <detail::HasFields S>
bool same(const S& a, const S& b) {
  return equal(record_of<S>(), &a, &b);
}

}  // namespace rdmastate
