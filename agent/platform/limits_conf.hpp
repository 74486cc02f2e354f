// SPDX-License-Identifier: Apache-2.0
// The lines of limits.conf(5), as pam_limits takes them apart, and the directories of its files: for the limits of a
// login (kind login_limit) and for foreign files that win over rdmastate's (setting.hpp).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// Where pam_limits looks for limits.conf, and for the files that it reads after that. Of files of one name the first
/// directory's counts. The second one is that of a libpam with a vendor directory, such as SUSE's (pam_limits.c,
/// VENDOR_SCONFIG_DIR).
inline constexpr std::array<std::string_view, 2> limits_conf_directories{"/etc/security", "/usr/etc/security"};
inline constexpr std::array<std::string_view, 2> limits_directories{"/etc/security/limits.d",
                                                                    "/usr/etc/security/limits.d"};

/// A line by its words. pam_limits reads all but the first in lower case, and drops those behind the fourth
/// (pam_limits.c, parse_config_file()). A word that is not there is empty.
struct LimitsConfLine {
  std::string domain;  ///< whom it is for: "hpcuser", "@rdma", "*", "%rdma", "1000:2000"
  std::string type;    ///< "soft", "hard", or "-" for both
  std::string item;    ///< "memlock"
  std::string value;
  std::string text;  ///< as written, with one blank between words and without the comment
  bool is_soft() const { return type == "soft" || type == "-"; }
  bool is_hard() const { return type == "hard" || type == "-"; }
  /// Whether it is "DOMAIN -": no limit at all is set for this user, or for this group's members. For "*" and "%" it
  /// means nothing.
  bool exempts() const;
};

/// The lines of a file that are no comments, in its order.
std::vector<LimitsConfLine> limits_conf_lines(std::string_view text);

}  // namespace rdmastate
