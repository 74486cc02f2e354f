// SPDX-License-Identifier: Apache-2.0
// Shows a mistake: a headline, the line of the source, and a caret below it. Also printable() and printable_lines(),
// which escape what could drive a terminal.
//
// Flow: render() writes headline() and excerpt(). excerpt() asks Lines for the line, and show() for the part of it that
// fits, made of pieces: a character as it is shown, a hostile one as \xNN, a secret's value as one piece.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/report.hpp"
#include "base/secret_names.hpp"
#include "base/spec_secrets.hpp"
#include "base/utf8.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t window = 100;        // characters shown of a long line: one of more bytes than this
constexpr std::size_t window_before = 60;  // how many of these characters may stand in front of the caret
constexpr std::string_view tab = "    ";

// Puts a text between the terminal's codes for a colour; leaves it as it is where `on` is false.
struct Paint {
  bool on;
  std::string operator()(std::string_view code, std::string_view text) const {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
};

// Controls (below U+0020, U+007F to U+009F) drive a terminal; marks of direction (U+200E, U+200F, U+202A to U+202E,
// U+2066 to U+2069) make a line read as something else than it says. Also line separators and the byte order mark.
bool is_hostile(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

// Whether a terminal shows the character in two columns: those of East Asian scripts, and emoji.
bool is_wide(std::uint32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

// Characters of the source as they are shown, mostly one, and the terminal columns that they take.
struct Piece {
  std::string text;
  std::size_t width = 1;
  std::size_t characters = 1;
};

Piece escaped(std::string_view bytes) {
  Piece piece{{}, 4 * bytes.size()};
  for (const char c : bytes) piece.text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return piece;
}

// Takes one character off the front of `text`.
Piece next_piece(std::string_view& text) {
  const std::size_t length = utf8_length(text);
  const std::string_view bytes = text.substr(0, std::max<std::size_t>(length, 1));
  text.remove_prefix(bytes.size());
  if (length == 0) return escaped(bytes);
  const std::uint32_t point = utf8_code_point(bytes);
  if (is_hostile(point)) return escaped(bytes);
  return {std::string(bytes), is_wide(point) ? 2U : 1U};
}

// How many bytes at the front of `text` are a newline, a tab or "\x1b[NNm", which only changes how the terminal
// shows what follows.
std::size_t harmless_control(std::string_view text) {
  if (text.front() == '\n' || text.front() == '\t') return 1;
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789", 2);
  return end <= 4 && text[end] == 'm' ? end + 1 : 0;
}

// The part of a line that is shown.
struct Shown {
  std::string line;
  std::size_t caret = 0;   // columns in front of it
  std::size_t length = 0;  // columns that it underlines
};

// Takes one character off the front of `line`; a tab is shown as four blanks.
Piece shown_piece(std::string_view& line) {
  const bool is_tab = line.front() == '\t';
  Piece piece = next_piece(line);
  return is_tab ? Piece{std::string(tab), tab.size()} : piece;
}

// Takes what is left of a secret's value off the front of `rest`, which is the end of `line`; else one character.
Piece next_shown(std::string_view line, std::string_view& rest, const std::vector<SecretValue>& secrets) {
  const std::size_t here = line.size() - rest.size();
  const auto secret = std::find_if(secrets.begin(), secrets.end(),
                                   [&](const SecretValue& one) { return one.begin <= here && here < one.end; });
  if (secret == secrets.end()) return shown_piece(rest);
  Piece piece{std::string(hidden_secret), hidden_secret.size(), 0};
  while (line.size() - rest.size() < secret->end) {
    next_piece(rest);
    ++piece.characters;
  }
  return piece;
}

// `rest` is `line` from its character number `first` on (from 0). The caret stands below number `at`, and underlines
// `width` characters.
Shown show(std::string_view line, std::string_view rest, const std::vector<SecretValue>& secrets, std::size_t first,
           std::size_t at, std::size_t width) {
  Shown shown{first > 0 ? "..." : "", first > 0 ? 3U : 0U, 0};
  for (std::size_t i = first; i < first + window && !rest.empty();) {
    const Piece piece = next_shown(line, rest, secrets);
    shown.line += piece.text;
    const std::size_t next = i + piece.characters;
    if (next <= at) shown.caret += piece.width;
    if (next > at && (i < at || i - at < width)) shown.length += piece.width;
    i = next;
  }
  if (!rest.empty()) shown.line += "...";
  shown.length = std::max<std::size_t>(shown.length, 1);
  return shown;
}

std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  return starts;
}

// The lines of all sources of a report, found once.
class Lines {
 public:
  explicit Lines(const Report& report)
      : report_(report), starts_(report.sources().size()), secrets_(report.sources().size()) {}

  std::string_view line(const Place& place) {
    auto& starts = starts_[place.source];
    const std::string_view text = report_.sources()[place.source].text;
    if (starts.empty()) starts = line_starts(text);
    if (place.line > starts.size()) return {};
    std::string_view line = text.substr(starts[place.line - 1]);
    line = line.substr(0, line.find('\n'));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  // The secrets in the line of `place`, also those that began above it. Call line() for this source first.
  const std::vector<SecretValue>& secrets(const Place& place) {
    static const std::vector<SecretValue> none;
    auto& known = secrets_[place.source];
    for (Place one = place; known.lines.size() < std::min<std::size_t>(place.line, starts_[place.source].size());) {
      one.line = static_cast<std::uint32_t>(known.lines.size() + 1);
      known.lines.push_back(known.reading.next(line(one)));
    }
    return place.line > known.lines.size() ? none : known.lines[place.line - 1];
  }

  // The offset in bytes of the character number `index`, from 0, in `line`, which is the line of `place`. A spec that a
  // program wrote may be one line with a thousand mistakes, so the search goes on where the last one ended.
  std::size_t offset(const Place& place, std::string_view line, std::size_t index) {
    if (place.source != last_.source || place.line != last_.line || index < last_index_) {
      last_ = place;
      last_index_ = last_offset_ = 0;
    }
    for (; last_index_ < index && last_offset_ < line.size(); ++last_index_)
      last_offset_ += std::max<std::size_t>(utf8_length(line.substr(last_offset_)), 1);
    return last_offset_;
  }

 private:
  // Of the lines of one source, as far as they were asked for.
  struct Secrets {
    SpecSecrets reading;
    std::vector<std::vector<SecretValue>> lines;
  };

  const Report& report_;
  std::vector<std::vector<std::size_t>> starts_;
  std::vector<Secrets> secrets_;
  Place last_;
  std::size_t last_index_ = 0;
  std::size_t last_offset_ = 0;
};

std::string where(const Report& report, const Place& place) {
  if (place.source >= report.sources().size()) return {};
  const std::string name = printable(report.sources()[place.source].name);
  return place.line == 0 ? name + ": " : fmt::format("{}:{}:{}: ", name, place.line, place.column);
}

std::string headline(const Report& report, const Diagnostic& d, const Paint& paint) {
  const bool error = d.complaint.severity == Severity::error;
  const std::string path = d.path.empty() ? "" : printable(d.path) + ": ";
  return paint("1", where(report, d.place)) + paint(error ? "1;31" : "1;35", error ? "error:" : "warning:") + " " +
         paint("1", path + printable(d.complaint.message)) + "\n";
}

std::string excerpt(Lines& lines, const Place& place, const Paint& paint) {
  const std::string_view line = lines.line(place);
  const std::size_t at = place.column == 0 ? 0 : place.column - 1;
  const std::size_t first = line.size() > window && at > window_before ? at - window_before : 0;
  const Shown shown =
      show(line, line.substr(lines.offset(place, line, first)), lines.secrets(place), first, at, place.width);
  const std::string number = fmt::format("{:>5}", place.line);
  const std::string caret = "^" + std::string(shown.length - 1, '~');
  return fmt::format("{} | {}\n{} | {}{}\n", number, shown.line, std::string(number.size(), ' '),
                     std::string(shown.caret, ' '), paint("1;32", caret));
}

std::string render(Lines& lines, const Report& report, const Diagnostic& d, bool colour) {
  const Paint paint{colour};
  std::string text = headline(report, d, paint);
  if (d.place.line > 0 && d.place.source < report.sources().size()) text += excerpt(lines, d.place, paint);
  if (!d.complaint.expected.empty()) text += "  expected: " + printable(d.complaint.expected) + "\n";
  if (!d.complaint.hint.empty()) text += "  " + paint("36", "hint:") + " " + printable(d.complaint.hint) + "\n";
  return text;
}

std::string count_of(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace

std::string render(const Report& report, const Diagnostic& diagnostic, bool colour) {
  Lines lines(report);
  return render(lines, report, diagnostic, colour);
}

std::string render(const Report& report, bool colour) {
  if (report.diagnostics().empty()) return {};
  Lines lines(report);
  std::string text;
  for (const auto& d : report.diagnostics()) text += render(lines, report, d, colour);
  const std::size_t warnings = report.diagnostics().size() - report.errors();
  if (report.errors() > 0) text += count_of(report.errors(), "error");
  if (report.errors() > 0 && warnings > 0) text += ", ";
  if (warnings > 0) text += count_of(warnings, "warning");
  return text + (report.has_more() ? ", and more\n" : "\n");
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) shown += next_piece(text).text;
  return shown;
}

std::string printable_lines(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t harmless = harmless_control(text);
    shown += harmless > 0 ? std::string(text.substr(0, harmless)) : next_piece(text).text;
    if (harmless > 0) text.remove_prefix(harmless);
  }
  return shown;
}

}  // namespace rdmastate
