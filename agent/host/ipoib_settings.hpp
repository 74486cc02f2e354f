// SPDX-License-Identifier: Apache-2.0
// The attributes of an IPoIB interface (IFLA_IPOIB_* of rtnetlink) but its P_Key: one struct and one table for the
// kernel's messages, for the kind and for the spec. sys/codec/link_codec.cpp says which attribute each field is.
#pragma once

#include <optional>

#include "base/fields.hpp"
#include "base/types.hpp"

namespace rdmastate {

/// In a request and in a spec an absent field is left as it is. In a link that was looked at, every field has a value.
struct IpoibSettings {
  std::optional<IpoibMode> mode{};
  std::optional<bool> umcast{};
  bool operator==(const IpoibSettings&) const = default;

  /// Of a derived struct: this part of it, for functions that work on Fields<IpoibSettings>.
  const IpoibSettings& settings() const { return *this; }
  IpoibSettings& settings() { return *this; }
};

/// `on_create` is what ib_ipoib gives a new interface (ipoib_main.c).
template <>
struct Fields<IpoibSettings> {
  static constexpr std::string_view name = "settings";
  static constexpr std::string_view doc = "What an IPoIB interface can be set to.";
  static constexpr auto table = Table{
      Field{"mode", &IpoibSettings::mode, "The transport mode.", {.on_create = "datagram", .example = "connected"}},
      Field{"umcast",
            &IpoibSettings::umcast,
            "ib_ipoib does not join multicast groups that user space has joined.",
            {.on_create = "false"}},
  };
};

/// What ib_ipoib gives a new interface: every field has a value.
const IpoibSettings& new_ipoib_settings();

}  // namespace rdmastate
