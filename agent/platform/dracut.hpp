// SPDX-License-Identifier: Apache-2.0
// Reads dracut's settings (dracut.conf(5)) as far as they decide whether an image holds files of /etc. Pure.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// The file that dracut reads first; then it reads the files *.conf of these directories, by name; of files of one name
/// that of the first directory.
inline constexpr std::string_view dracut_conf = "/etc/dracut.conf";
inline constexpr std::array<std::string_view, 2> dracut_directories{"/etc/dracut.conf.d",
                                                                    "/usr/lib/dracut/dracut.conf.d"};
/// dracut 059 and 106 have it, and make images for any host (hostonly=no) where no file says otherwise; 112 does not
/// have it, and makes them for this host. (What Debian packages; RHEL's and SUSE's set hostonly in a file.)
inline constexpr std::string_view dracut_version_file = "/usr/lib/dracut/dracut-version.sh";

/// What dracut's files say, read one after the other.
struct DracutSettings {
  bool hostonly = true;            ///< images are made for this host: dracut copies files of /etc by itself
  std::vector<std::string> items;  ///< files that it copies in any case, with *, ? and [...]

  /// Whether a pattern of `items` matches the path.
  bool names(std::string_view path) const;
};

/// Adds what one more file says, shell as people write it there: `hostonly="no"`, `install_items+=" FILE "`,
/// `install_optional_items+=" FILE "`. Other shell is not understood, and adds nothing.
void add_dracut_settings(std::string_view text, DracutSettings& settings);

/// For a record: the lines that add_dracut_settings() reads.
std::string dracut_lines(std::string_view text);

}  // namespace rdmastate
