// SPDX-License-Identifier: Apache-2.0
// Reads files of [sections] and KEY=VALUE lines, each in the dialect of the program that owns the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate::ini {

/// Whether a line that ends in a backslash goes on with the next one.
enum class Continued : std::uint8_t {
  never,
  by_backslash,  ///< any line does, also a comment
  /// Where an odd number of backslashes ends it: `\\` stands for a backslash. Comment lines in between are left out.
  by_odd_ones,
};

/// How a dialect's reader takes a value from a line.
enum class Values : std::uint8_t {
  plain,    ///< without the blanks at both ends; quotes stay
  keyfile,  ///< \s, \n, \t, \r and \\ resolved; blanks at the end belong to the value
  quoted,   ///< to the closing quote, or to the first # or ;. Left out: an empty value, or a quote that is never closed
  shell,    ///< one word of a shell, with its quotes and backslashes resolved; it may go over several lines
};

/// Which values count of a key that stands more than once in a section, or in several sections of one name.
enum class Repeated : std::uint8_t {
  last,         ///< the last value alone
  since_empty,  ///< all values, as a list; an empty value takes back those before it
};

/// How an owner reads its files.
struct Dialect {
  std::string_view comments;         ///< characters: a line that begins with one is a comment
  std::string_view blanks;           ///< characters that may stand around names, values and lines
  std::string_view newlines = "\n";  ///< characters that end a line; "\r\n" ends one line, too
  Continued continued = Continued::never;
  Values values = Values::plain;
  bool needs_section = true;   ///< keys before the first section are left out
  bool any_case = false;       ///< names of sections and keys are made lower case
  bool loose_header = false;   ///< [ name "argument" ] is a header; blanks in it and text behind it are ignored
  bool skips_bom = false;      ///< a byte order mark at the beginning is skipped
  bool needs_newline = false;  ///< a last line without a newline is left out
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
  std::string name;   ///< empty: what is before the first header, or has a header without its ']'
  std::size_t begin;  ///< of its header, in the text
  std::size_t end;    ///< behind its last line that is not empty
};

/// A key with its value; offsets are bytes from the beginning of the text.
struct Entry {
  std::size_t line;      ///< on which the entry begins, from 1
  std::size_t instance;  ///< index into File::sections(): two [Route] are two sections
  std::size_t begin;     ///< of its first line, in the text
  std::size_t end;       ///< behind its last line and that line's newline, where there is one
  std::string key;
  std::string value;
  bool counts = true;  ///< false: a later entry replaces it or takes it back (Dialect::repeated)
};

/// A file as its owner reads it. What the owner does not understand is left out.
class File {
 public:
  /// Takes any bytes, in nearly linear time.
  File(const Dialect& dialect, std::string_view text);

  const std::vector<Entry>& entries() const& { return entries_; }
  void entries() && = delete;
  /// The first one has no name and stands for what is before any header.
  const std::vector<Section>& sections() const { return sections_; }
  const std::string& section(const Entry& entry) const { return sections_[entry.instance].name; }
  /// The key's values that count, in the order of the file, without empty ones.
  std::vector<std::string> values(std::string_view section, std::string_view key) const;
  /// The key's last entry, the one that counts where a key has one value; nullptr when there is none.
  const Entry* find(std::string_view section, std::string_view key) const;
  /// The value of find(); empty when there is none.
  std::string value(std::string_view section, std::string_view key) const;
  /// Offset of a last line that its owner does not read, as it has no newline; the text's size when there is none.
  std::size_t unfinished() const { return unfinished_; }

 private:
  friend class Reader;
  std::vector<Section> sections_{{"", 0, 0}};
  std::vector<Entry> entries_;
  std::size_t unfinished_;
};

}  // namespace rdmastate::ini

namespace rdmastate {

/// A boolean as systemd reads it (parse_boolean): whether it is true, or false; neither for every other word.
bool is_yes(const std::string& text);
bool is_no(const std::string& text);

}  // namespace rdmastate
