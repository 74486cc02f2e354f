// SPDX-License-Identifier: Apache-2.0
// Hides the secrets that files hold: they reach no output, no saved plan and no record of a host.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

/// What people see instead of a secret.
inline constexpr std::string_view hidden_secret = "(a secret, not shown)";

/// The text with the values of secrets hidden: by the names that they have in keyfiles (nm-settings-keyfile(5): psk,
/// wep-key0, password, private-key-password, pin, all of [vpn-secrets]), in netplan's YAML (netplan-yaml(5): auth's
/// password, keys of WireGuard), in networkd's files (systemd.netdev(5)), in ifcfg files (KEY1, MKA_CAK,
/// WIRELESS_KEY_1), in OpenSM's configurations (m_key) and in interfaces(5) (wpa-psk, wireless-key1, and whatever
/// pre-up, up and the like hand to a program, unless the file is ours). Everything up to the value's end is hidden,
/// whatever is taken for part of it: rather too much than too little.
std::string without_secrets(std::string_view text);

/// A state as it may be shown: by its kind's `shown`, else a file's bytes without_secrets() and every other one as it
/// is.
State without_secrets(const State& state);
std::optional<State> without_secrets(const std::optional<State>& state);

}  // namespace rdmastate
