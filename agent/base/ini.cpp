// SPDX-License-Identifier: Apache-2.0
// Flow: Reader::read() takes the text line by line, or for a shell command by command; take() makes a section or an
// entry of a line, and decoded() its value; at the end mark_replaced() finds the entries that do not count.
#include "base/ini.hpp"

#include <strings.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "base/ascii.hpp"
#include "base/lines.hpp"

namespace rdmastate::ini {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Sections that may stand several times, each for an object of its own (systemd.network(5), systemd.netdev(5)).
constexpr std::string_view apart[] = {
    "Address",    "Neighbor",  "IPv6AddressLabel", "RoutingPolicyRule", "NextHop",   "Route",  "DHCPServerStaticLease",
    "IPv6Prefix", "BridgeFDB", "IPv6RoutePrefix",  "IPv6PREF64Prefix",  "BridgeMDB", "SR-IOV", "WireGuardPeer",
    "L2TPSession"};

bool is_any(char c, std::string_view characters) { return characters.find(c) != std::string_view::npos; }

// Whether the line's last backslashes make the next line a part of it.
bool goes_on(Continued how, std::string_view line) {
  const std::size_t last = line.find_last_not_of('\\');
  const std::size_t backslashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
  if (how == Continued::by_backslash) return backslashes > 0;
  return how == Continued::by_odd_ones && backslashes % 2 == 1;
}

// Where the first of these newline characters stands, from `begin` on. Mostly there is one, and a search for one
// character is much faster than one for any of several.
std::size_t newline_from(std::string_view text, std::size_t begin, std::string_view newlines) {
  const std::size_t at =
      newlines.size() == 1 ? text.find(newlines.front(), begin) : text.find_first_of(newlines, begin);
  return std::min(at, text.size());
}

// Resolves the escapes of GLib's GKeyFile. GLib refuses a value with an unknown escape; here the escape stays as it is.
std::string without_escapes(std::string_view text) {
  constexpr std::string_view letters = "sntr\\", characters = " \n\t\r\\";  // \s is a blank, \n a newline, ...
  if (text.find('\\') == std::string_view::npos) return std::string(text);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t which =
        text[i] == '\\' && i + 1 < text.size() ? letters.find(text[i + 1]) : std::string_view::npos;
    plain += which == std::string_view::npos ? text[i] : characters[which];
    if (which != std::string_view::npos) ++i;
  }
  return plain;
}

// The value of a line of nfs.conf(5); nullopt where it is empty or a quote is never closed.
std::optional<std::string> without_quotes(std::string_view text, std::string_view blanks) {
  const bool is_quoted = text.starts_with('"') || text.starts_with('\'');
  const std::size_t end = is_quoted ? text.find(text.front(), 1) : std::min(text.find_first_of("#;"), text.size());
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view value = is_quoted ? text.substr(1, end - 1) : trimmed(text.substr(0, end), blanks);
  return value.empty() ? std::nullopt : std::optional(std::string(value));
}

// The value that the owner takes from the text behind the '='; nullopt where the owner leaves the line out.
std::optional<std::string> decoded(const Dialect& dialect, std::string_view text) {
  const std::size_t from = std::min(text.find_first_not_of(dialect.blanks), text.size());
  if (dialect.values == Values::keyfile) return without_escapes(text.substr(from));
  if (dialect.values == Values::quoted) return without_quotes(text.substr(from), dialect.blanks);
  return std::string(trimmed(text, dialect.blanks));
}

// The name in a section's header: [name], or for nfs.conf(5) [name "argument"]; nullopt when no ']' closes it.
std::optional<std::string> name_in(const Dialect& dialect, std::string_view line) {
  const std::size_t end = dialect.loose_header ? line.find(']') : line.size() - 1;
  if (end == std::string_view::npos || line[end] != ']') return std::nullopt;
  std::string_view name = line.substr(1, end - 1);
  if (!dialect.loose_header) return std::string(name);
  const std::size_t quote = std::min(name.find('"'), name.size());
  const std::string_view argument = name.substr(std::min(quote + 1, name.size()));
  std::string whole(trimmed(name.substr(0, quote), dialect.blanks));
  const std::size_t closing = argument.find('"');
  if (closing != std::string_view::npos) whole.append(" \"").append(argument.substr(0, closing)).append("\"");
  return whole;
}

// One word of a shell without its quotes. `end` is the end of the whole text where a quote is never closed.
struct Word {
  std::size_t end;
  bool closed;
  std::string text{};
};

constexpr std::string_view shell_ends = " \t\r\n;&|<>()";

// Reads the word that begins at `at`: up to a blank or an operator outside of quotes.
Word word_at(std::string_view text, std::size_t at) {
  Word word{text.size(), true};
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      const char next = text[at + 1];
      if (quote != 0 && !is_any(next, "\"\\$`\n")) word.text += c;
      if (next != '\n') word.text += next;
      ++at;
    } else if (quote != 0 ? c == quote : is_any(c, "\"'")) {
      quote = quote == 0 ? c : '\0';
    } else if (quote == 0 && is_any(c, shell_ends)) {
      break;
    } else {
      word.text += c;
    }
  }
  word.end = at;
  word.closed = quote == 0;
  return word;
}

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && ascii::is_one_of(text[at], "_")) ++at;
  return at;
}

}  // namespace

/// Reads a text into a File, in one pass.
class Reader {
 public:
  Reader(const Dialect& dialect, std::string_view text, File& file) : dialect_(dialect), text_(text), file_(file) {}

  void read() {
    if (dialect_.skips_bom && text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    file_.unfinished_ = text_.size();
    while (at_ < text_.size()) dialect_.values == Values::shell ? shell_line() : line();
    mark_replaced();
  }

 private:
  bool is_comment(std::string_view line) const { return !line.empty() && is_any(line.front(), dialect_.comments); }

  // Takes the next line, without its newline; \r\n is one newline.
  std::string_view next() {
    const std::size_t begin = at_;
    const std::size_t stop = newline_from(text_, begin, dialect_.newlines);
    at_ = std::min(text_.substr(stop, 2) == "\r\n" ? stop + 2 : stop + 1, text_.size());
    ended_ = stop < text_.size();
    ++number_;
    return text_.substr(begin, stop - begin);
  }

  // Takes one line, joined with the lines on which it goes on. What joins them is what the owner puts there: systemd
  // one blank for the backslash, nfs-utils two for the backslash and the newline.
  void line() {
    const std::size_t begin = at_, number = number_ + 1;
    std::string joined;
    bool more = true;
    while (more && at_ < text_.size()) {
      const std::string_view part = next();
      if (dialect_.continued == Continued::by_odd_ones && is_comment(trimmed(part, dialect_.blanks))) {
        if (joined.empty()) return keep_end();  // the comment is a line of its own
        continue;                               // it stands within a joined line, and is left out
      }
      more = goes_on(dialect_.continued, part);
      const bool is_alone = joined.empty() && !more;  // the usual case, which copies nothing
      if (is_alone && (ended_ || !dialect_.needs_newline)) return take(part, entry_at(number, begin));
      joined.append(part.substr(0, more ? part.size() - 1 : part.size()));
      if (more) joined.append(dialect_.continued == Continued::by_backslash ? "  " : " ");
    }
    if (dialect_.needs_newline && (more || !ended_)) {
      file_.unfinished_ = begin;
    } else {
      take(joined, entry_at(number, begin));
    }
  }

  // An entry of the open section, from `begin` to here; its key and value are not known yet.
  Entry entry_at(std::size_t number, std::size_t begin) const {
    return {.line = number, .instance = file_.sections_.size() - 1, .begin = begin, .end = at_, .key = {}, .value = {}};
  }

  // The open section reaches to here.
  void keep_end() { file_.sections_.back().end = at_; }

  // Takes one joined line: a header, a key with its value, or nothing. `entry` has the offsets already.
  void take(std::string_view line, Entry entry) {
    line = line.substr(std::min(line.find_first_not_of(dialect_.blanks), line.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return;
    if (line.front() == '[') return begin_section(trimmed(line, dialect_.blanks), entry.begin);
    keep_end();
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || is_comment(line) || !inside_) return;
    entry.key = trimmed(line.substr(0, equals), dialect_.blanks);
    if (dialect_.any_case) entry.key = ascii::lower(entry.key);
    auto value = decoded(dialect_, line.substr(equals + 1));
    if (entry.key.empty() || !value) return;
    entry.value = std::move(*value);
    file_.entries_.push_back(std::move(entry));
  }

  // A header without its ']' begins a section without a name, whose keys are left out.
  void begin_section(std::string_view line, std::size_t begin) {
    const auto name = name_in(dialect_, line);
    inside_ = name.has_value();
    file_.sections_.push_back({dialect_.any_case ? ascii::lower(name.value_or("")) : name.value_or(""), begin, at_});
  }

  // Takes one command of a shell, which may go over several lines. Where a quote is never closed, this command and all
  // behind it are read line by line (torn_).
  void shell_line() {
    const std::size_t begin = at_, number = number_ + 1;
    const std::size_t newline = std::min(text_.find('\n', begin), text_.size());
    const std::string_view text = torn_ ? text_.substr(0, newline) : text_;
    Entry entry = entry_at(number, begin);
    at_ = std::min(text.find_first_not_of(dialect_.blanks, begin), text.size());
    const std::size_t end = end_of_name(text, at_);
    if (end > at_ && text.substr(end, 1) == "=") {
      entry.key = text.substr(at_, end - at_);
      Word word = word_at(text, end + 1);
      if (!word.closed && !torn_) return tear(begin);
      entry.value = std::move(word.text);
      at_ = word.end;
    }
    if (!skip_rest(text)) return tear(begin);
    at_ = std::min(at_ + 1, text_.size());
    number_ += static_cast<std::size_t>(std::count(text_.begin() + offset(begin), text_.begin() + offset(at_), '\n'));
    entry.end = at_;
    if (!entry.key.empty()) file_.entries_.push_back(std::move(entry));
  }

  static std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

  // Goes back to `begin`, from where each line is read alone.
  void tear(std::size_t begin) {
    torn_ = true;
    at_ = begin;
  }

  // Moves at_ to the newline that ends the command, which is outside of quotes. False: a quote is never closed.
  bool skip_rest(std::string_view text) {
    while (at_ < text.size() && text[at_] != '\n') {
      if (text[at_] == '#' && (at_ == 0 || is_any(text[at_ - 1], shell_ends))) {
        at_ = std::min(text.find('\n', at_), text.size());
      } else if (is_any(text[at_], shell_ends)) {
        ++at_;
      } else {
        const Word word = word_at(text, at_);
        if (!word.closed && !torn_) return false;
        at_ = word.end;
      }
    }
    return true;
  }

  // Whether the section is one of its own, and not read as one with others of its name.
  bool is_apart(std::string_view section) const {
    return dialect_.repeated == Repeated::since_empty &&
           std::find(std::begin(apart), std::end(apart), section) != std::end(apart);
  }

  // For each section the index of the first section of its name, since these are read as one; its own index where it
  // is_apart(). Names can be very long: by this index each name is compared only once.
  std::vector<std::size_t> first_of_name() const {
    std::map<std::string_view, std::size_t> by_name;
    std::vector<std::size_t> first;
    for (const auto& section : file_.sections_)
      first.push_back(is_apart(section.name) ? first.size()
                                             : by_name.emplace(section.name, first.size()).first->second);
    return first;
  }

  // Sets Entry::counts. The sort puts entries of one section name and key side by side, in the order of the file.
  void mark_replaced() {
    const auto first = first_of_name();
    std::vector<Entry*> order;
    order.reserve(file_.entries_.size());
    for (auto& entry : file_.entries_) order.push_back(&entry);
    const auto name = [&](const Entry* entry) { return std::tie(first[entry->instance], entry->key); };
    std::stable_sort(order.begin(), order.end(), [&](const Entry* a, const Entry* b) { return name(a) < name(b); });
    bool is_below = false;  // whether a later entry of this name replaces this one, or takes it back
    for (std::size_t i = order.size(); i-- > 0;) {
      if (i + 1 == order.size() || name(order[i]) != name(order[i + 1])) is_below = false;
      order[i]->counts = !is_below;
      is_below = is_below || dialect_.repeated == Repeated::last || order[i]->value.empty();
    }
  }

  const Dialect& dialect_;
  std::string_view text_;
  File& file_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;                 // of the line that was read last, from 1
  bool ended_ = true;                      // whether a newline ended that line
  bool inside_ = !dialect_.needs_section;  // whether keys count here: behind a header that has a name
  bool torn_ = false;                      // a quote is never closed: each line is read alone
};

File::File(const Dialect& dialect, std::string_view text) { Reader(dialect, text, *this).read(); }

std::vector<std::string> File::values(std::string_view section, std::string_view key) const {
  std::vector<std::string> found;
  for (const auto& entry : entries_)
    if (entry.key == key && entry.counts && !entry.value.empty() && this->section(entry) == section)
      found.push_back(entry.value);
  return found;
}

const Entry* File::find(std::string_view section, std::string_view key) const {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) {
    return entry.key == key && this->section(entry) == section;
  });
  return found == entries_.rend() ? nullptr : &*found;
}

std::string File::value(std::string_view section, std::string_view key) const {
  const Entry* entry = find(section, key);
  return entry == nullptr ? std::string() : entry->value;
}

}  // namespace rdmastate::ini

namespace rdmastate {
namespace {

bool is_one_of(const std::string& text, std::span<const char* const> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return strcasecmp(text.c_str(), word) == 0; });
}

}  // namespace

bool is_yes(const std::string& text) {
  constexpr std::array words{"1", "yes", "y", "true", "t", "on"};
  return is_one_of(text, words);
}

bool is_no(const std::string& text) {
  constexpr std::array words{"0", "no", "n", "false", "f", "off"};
  return is_one_of(text, words);
}

}  // namespace rdmastate
