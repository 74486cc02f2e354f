// SPDX-License-Identifier: Apache-2.0
// boot.json: the volatile resources that `apply --boot` moves, whose twin it is at the next boot; behind them those
// that somebody else makes then, which `verify --boot` waits for and nobody here moves.
#pragma once

#include <string>
#include <string_view>

#include "resources/wanted.hpp"

namespace rdmastate {

/// Of a volatile resource with nothing else that brings it back.
Twin boot_twin();
/// Whether boot.json is a twin of it.
bool is_made_at_boot(const Wanted& wanted);

/// The file itself; with "" it is to go.
Wanted boot_file_of(std::string text);
/// The link that makes systemd start rdmastate.service at boot, which reads it: what `systemctl enable` would make.
Wanted boot_unit_link(bool is_there, std::string section);

/// Whether boot.json only says that it must exist, since another program makes it.
bool is_awaited_at_boot(const Wanted& wanted);

/// The file's text for what `desired` wants made, or there, at boot, one resource per line; empty when there is
/// nothing.
std::string boot_file_text(const Desired& desired);

/// Back from the text. Throws Error when it is not one of rdmastate's.
Desired desired_from_boot_file(std::string_view text);

}  // namespace rdmastate
