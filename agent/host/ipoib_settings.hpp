// SPDX-License-Identifier: Apache-2.0
// What an IPoIB interface can be set to beside its P_Key: one struct and one table for the kernel's answers and
// requests, for the kind, and for the spec. sys/codec/link_codec.cpp says which attribute of rtnetlink each field is.
#pragma once

#include <optional>

#include "base/fields.hpp"
#include "base/types.hpp"

namespace rdmastate {

/// Of a request or a spec: what is absent is left alone. Of a link that is there, all have values.
struct IpoibSettings {
  std::optional<IpoibMode> mode{};
  std::optional<bool> umcast{};
  bool operator==(const IpoibSettings&) const = default;

  /// These fields of whatever inherits them.
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
            "Multicast groups joined by user space are allowed.",
            {.on_create = "false"}},
  };
};

/// What ib_ipoib gives a new interface: every field has a value.
const IpoibSettings& new_ipoib_settings();

}  // namespace rdmastate
