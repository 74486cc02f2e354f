// SPDX-License-Identifier: Apache-2.0
// What PAM makes of the limits of users' managers: the instances of user@.service.
#pragma once

#include <string>

#include "resources/login_limit/login_limit.hpp"

namespace rdmastate {

/// Whether a unit is the manager of a user ("user@1000.service") who has other limits than the wanted ones from PAM, as
/// the plan leaves its files: systemd sets those of the unit, and then asks PAM's systemd-user. Also that of root, whom
/// no limit holds. False of a user whom /etc/passwd lacks, since the groups of such a user are not known. Throws as
/// limits_files() does.
bool has_limit_of_pam(const Scene& scene, const std::string& unit, const LoginLimitState& wanted);

}  // namespace rdmastate
