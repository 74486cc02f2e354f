// SPDX-License-Identifier: Apache-2.0
// Hides the secrets that files hold: they reach no output, no saved plan and no record of a host.
#pragma once

#include "base/secret_names.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

/// The text with the values of secrets hidden. A secret is known by its name (psk, password, m_key, ...) in keyfiles,
/// in netplan's YAML, in files of networkd, ifcfg and OpenSM, and in interfaces(5). Hidden too are all of
/// [vpn-secrets], and what pre-up, up and the like hand to a program, unless rdmastate wrote the file. Where the end of
/// a value is in doubt, more is hidden, not less.
std::string without_secrets(std::string_view text);

/// A state as it may be shown: by its kind's `shown`, else a file's bytes without_secrets() and every other state as it
/// is; nullopt stays nullopt.
State without_secrets(const State& state);
std::optional<State> without_secrets(const std::optional<State>& state);

}  // namespace rdmastate
