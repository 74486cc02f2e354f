// SPDX-License-Identifier: Apache-2.0
// The lines of limits.conf(5), as pam_limits takes them apart: for the limits of a login (kind login_limit) and for
// foreign files that win over rdmastate's (setting.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

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
