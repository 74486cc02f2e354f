// SPDX-License-Identifier: Apache-2.0
// Whether a service of PAM (pam.d(5)), such as sshd, asks pam_limits in its session, and how.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "host/facts.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// Where the files of services lie, the strongest first (libpam's _pam_open_config_file()). The last one is that of a
/// libpam with a vendor directory, such as SUSE's.
inline constexpr std::array<std::string_view, 3> pam_directories{"/etc/pam.d", "/usr/lib/pam.d", "/usr/etc/pam.d"};

/// The file of a service; empty: it has none.
std::string pam_service_path(const Snapshot& snapshot, const std::string& service);

/// The session line with pam_limits of a service, its own or one that it includes; empty: there is none. Throws
/// SystemError where a file of PAM may not be read.
std::string limits_line(const Snapshot& snapshot, const std::string& service);

/// Whether a limit that no line sets becomes that of process 1, where the service asks pam_limits: by the option
/// set_all (pam_limits(8)), and on Debian without it (tried with its pam 1.5.2). Throws as limits_line() does.
bool takes_limits_of_init(const Snapshot& snapshot, const Facts& facts, const std::string& service);

}  // namespace rdmastate
