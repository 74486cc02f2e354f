// SPDX-License-Identifier: Apache-2.0
// The types of section `ipoib` that stand for words of NetworkManager's profiles (nm-settings(5)).
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace rdmastate {

/// The name of a NetworkManager profile, its connection.id: 1 to 255 bytes in one line, without a blank at either end:
/// a keyfile loses the first one, and nobody sees the last.
struct ProfileName {
  std::string value;
  auto operator<=>(const ProfileName&) const = default;
};
template <>
struct Text<ProfileName> {
  static constexpr std::string_view wanted = "a profile's name such as \"storage port\"";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, ProfileName& out);
  static std::string print(const ProfileName& name) { return name.value; }
};

/// A property of a profile, as nmcli calls it ("connection.zone"): a keyfile has it as `property` in [setting].
struct ProfileProperty {
  std::string setting;
  std::string property;
  auto operator<=>(const ProfileProperty&) const = default;
};
template <>
struct Text<ProfileProperty> {
  static constexpr std::string_view wanted = "a setting and its property such as connection.zone";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, ProfileProperty& out);
  static std::string print(const ProfileProperty& one) { return one.setting + "." + one.property; }
};

/// Values as a keyfile has them behind '='.
using ProfileSettings = std::map<ProfileProperty, Verbatim>;

}  // namespace rdmastate
