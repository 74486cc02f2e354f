// SPDX-License-Identifier: Apache-2.0
// The text of boot.json, made and read: the volatile resources that `apply --boot` makes at the next boot (boot.json is
// their twin), then those that another program makes, for which `verify --boot` only waits.
#pragma once

#include <string>
#include <string_view>

#include "resources/wanted.hpp"

namespace rdmastate {

/// The twin of a volatile resource that nothing else brings back: its entry in boot.json.
Twin boot_twin();
/// Whether an entry of boot.json is a twin of the resource.
bool is_made_at_boot(const Wanted& wanted);

/// The file boot.json as a wanted resource; with an empty text it is to be removed.
Wanted boot_file_of(std::string text);
/// The link that makes systemd start rdmastate.service, which reads boot.json, at boot: what `systemctl enable` would
/// make. With `is_there` false it is to be removed. `section` becomes Wanted::path.
Wanted boot_unit_link(bool is_there, std::string section);

/// Whether boot.json only says that the resource must exist, since another program makes it.
bool is_awaited_at_boot(const Wanted& wanted);

/// The text of boot.json, one resource per line: those of `desired` that rdmastate makes at boot, then those that it
/// waits for. Empty where there are none.
std::string boot_file_text(const Desired& desired);

/// The inverse of boot_file_text(): also what rdmastate only waits for (Wanted::awaited_from is set). Each Wanted::path
/// is a section's name, twins are not set, and the back end is always "none". Throws NewerFormat for an unknown
/// format_version, Error where the text is no boot file of rdmastate.
Desired desired_from_boot_file(std::string_view text);

}  // namespace rdmastate
