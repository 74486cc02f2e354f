// SPDX-License-Identifier: Apache-2.0
// Sections in brackets, KEY=VALUE, comments: what many files look like, and what each owner reads in its own way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate::ini {

/// Whether a line that ends in a backslash goes on with the next one.
enum class Continued : std::uint8_t {
  never,
  by_backslash,  ///< a comment too
  by_odd_ones,   ///< `\\` is a backslash; comments in between are left out
};

/// How a dialect's reader takes a value from a line.
enum class Values : std::uint8_t {
  plain,    ///< without the blanks at both ends, quotes and all
  keyfile,  ///< \s, \n, \t, \r and \\ resolved; blanks at the end belong to it
  quoted,   ///< to the closing quote, or to the first # or ;. An empty one, or one without its closing quote, is none
  shell,    ///< one word of a shell's, with its quotes and backslashes resolved; it may go over several lines
};

/// What counts of a key that a section, or another one of that name, has more than once.
enum class Repeated : std::uint8_t {
  last,
  since_empty,  ///< a list: each, but an empty one takes back those before
};

/// How an owner reads its files.
struct Dialect {
  std::string_view comments;  ///< each makes a comment of a line that begins with it
  std::string_view blanks;    ///< around names, values and lines
  std::string_view newlines = "\n";
  Continued continued = Continued::never;
  Values values = Values::plain;
  bool needs_section = true;   ///< what stands before the first section is nothing
  bool any_case = false;       ///< names of sections and keys come in small letters
  bool loose_header = false;   ///< blanks within the brackets and all behind them are nothing; `[name "argument"]`
  bool skips_bom = false;      ///< a byte order mark at the beginning
  bool needs_newline = false;  ///< a last line without one is nothing
  Repeated repeated = Repeated::last;
};

/// systemd.syntax(7): units, .network, .netdev (systemd's conf-parser.c).
inline constexpr Dialect systemd{.comments = "#;",
                                 .blanks = " \t\n\r",
                                 .newlines = "\n\r",
                                 .continued = Continued::by_odd_ones,
                                 .skips_bom = true,
                                 .repeated = Repeated::since_empty};
/// nm-settings-keyfile(5), which is GLib's GKeyFile. A file that GLib refuses as a whole is read all the same.
inline constexpr Dialect keyfile{.comments = "#", .blanks = " \t\r\f", .values = Values::keyfile};
/// nfs.conf(5) (nfs-utils' conffile.c). `include` and $NAME stay as they are.
inline constexpr Dialect nfs_conf{.comments = "#;",
                                  .blanks = " \t\r\v\f",
                                  .continued = Continued::by_backslash,
                                  .values = Values::quoted,
                                  .any_case = true,
                                  .loose_header = true,
                                  .needs_newline = true};
/// A shell's assignments: os-release(5), openib.conf, /etc/sysconfig. $NAME stays as it is.
inline constexpr Dialect shell{.comments = "#", .blanks = " \t\r", .values = Values::shell, .needs_section = false};

/// A section of a file; offsets are bytes from the beginning of the text.
struct Section {
  std::string name;
  std::size_t begin;  ///< of its header, in the text
  std::size_t end;    ///< behind its last line that is not empty
};

/// A key with its value; offsets are bytes from the beginning of the text.
struct Entry {
  std::size_t line;      ///< of the file, from 1: where it begins
  std::size_t instance;  ///< which of the file's sections: two [Route] are two
  std::size_t begin;     ///< in the text: all lines that it stands on
  std::size_t end;       ///< behind their last newline, where there is one
  std::string key;
  std::string value;
  bool counts = true;  ///< false: taken back further down (Dialect::repeated)
};

/// A file as its owner reads it. What the owner does not understand is left out.
class File {
 public:
  /// Takes any bytes, in a time that grows as they do.
  File(const Dialect& dialect, std::string_view text);

  const std::vector<Entry>& entries() const& { return entries_; }
  void entries() && = delete;
  /// The first one stands for what is before any header.
  const std::vector<Section>& sections() const { return sections_; }
  const std::string& section(const Entry& entry) const { return sections_[entry.instance].name; }
  /// The key's values that count, in their order, without an empty one.
  std::vector<std::string> values(std::string_view section, std::string_view key) const;
  /// The last one, which counts where there can be only one; nullptr when there is none.
  const Entry* find(std::string_view section, std::string_view key) const;
  /// Its value; empty when there is none.
  std::string value(std::string_view section, std::string_view key) const;
  /// Where the last line begins that its owner does not read, having no newline; the text's size when it reads all.
  std::size_t unfinished() const { return unfinished_; }

 private:
  friend class Reader;
  std::vector<Section> sections_{{"", 0, 0}};
  std::vector<Entry> entries_;
  std::size_t unfinished_;
};

}  // namespace rdmastate::ini
