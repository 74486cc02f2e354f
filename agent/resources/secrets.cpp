// SPDX-License-Identifier: Apache-2.0
// without_secrets() gives the lines of a text to class Hiding, which looks for names of secrets and hides their values.
#include "resources/secrets.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "host/mark.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

// Of interfaces(5): what such a line hands to a program may be anything.
constexpr std::array<std::string_view, 6> commands{"pre-up", "up", "post-up", "pre-down", "down", "post-down"};

bool is_quote(char c) { return c == '"' || c == '\''; }

std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

// Where what a line of commands hands to its program begins; npos where it is no such line.
std::size_t arguments_at(std::string_view line) {
  const std::size_t begin = indentation(line);
  const std::size_t word = std::min(line.find_first_of(" \t", begin), line.size());
  if (std::find(commands.begin(), commands.end(), line.substr(begin, word - begin)) == commands.end()) return line.npos;
  const std::size_t program = std::min(line.find_first_not_of(" \t", word), line.size());
  return std::min(line.find_first_of(" \t", program), line.size());
}

bool ends_in_backslash(std::string_view line) { return trimmed(line, "\r").ends_with('\\'); }

// systemd skips comments between the lines of one continued value.
bool is_comment(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.starts_with('#') || text.starts_with(';');
}

// Goes through a text line by line, and knows which lines belong to a secret that began above: those up to the closing
// quote, those that are indented more than its name (YAML), and those that follow a backslash.
class Hiding {
 public:
  /// `is_ours`: rdmastate wrote the text, so what its lines of commands hand to programs is no secret.
  explicit Hiding(bool is_ours) : is_ours_(is_ours) {}

  /// The line as it may be shown. Call it for each line, in order.
  std::string line(std::string_view line) {
    if (continues_secret(line)) return hidden_from(line, 0);
    if (line.starts_with('[')) enter_section(line);
    const std::size_t value = value_to_hide(line);
    if (value == nowhere || value == 0) return std::string(line);
    note_lines_below(line, value);
    goes_on_ = ends_in_backslash(line);
    return hidden_from(line, value);
  }

 private:
  static constexpr std::size_t nowhere = std::string_view::npos;

  static bool is_empty(std::string_view line) { return indentation(line) == line.size(); }

  // The line with what stands at `begin` and behind it hidden; blanks there stay.
  static std::string hidden_from(std::string_view line, std::size_t begin) {
    const std::size_t text = std::min(line.find_first_not_of(" \t", begin), line.size());
    return text == line.size() ? std::string(line) : std::string(line.substr(0, text)) + std::string(hidden_secret);
  }

  // Whether the line belongs to a secret that began above. Notes whether the secret goes on below it.
  bool continues_secret(std::string_view line) {
    if (quote_ != 0) {
      look_for_end(line);
      return true;
    }
    if (name_indentation_ != nowhere && (is_empty(line) || indentation(line) > name_indentation_)) return true;
    name_indentation_ = nowhere;
    if (!goes_on_) return false;
    goes_on_ = is_comment(line) || ends_in_backslash(line);
    return true;
  }

  // Where the part of the line begins that is hidden; npos or 0: none is.
  std::size_t value_to_hide(std::string_view line) const {
    if (const std::size_t arguments = arguments_at(line); arguments != line.npos && !is_ours_) return arguments;
    return in_secrets_ && !line.starts_with('[') ? line.find('=') + 1 : secret_at(line);
  }

  void enter_section(std::string_view line) { in_secrets_ = ascii::lower(line).find("secret") != std::string::npos; }

  // Notes how far a secret goes that begins at `value`. In YAML it takes the lines that are indented more, and a quoted
  // text to its closing quote.
  void note_lines_below(std::string_view line, std::size_t value) {
    if (line[value - 1] != ':') return;
    name_indentation_ = indentation(line);
    const std::size_t text = line.find_first_not_of(" \t", value);
    if (text == std::string_view::npos || !is_quote(line[text])) return;
    quote_ = line[text];
    look_for_end(line.substr(text + 1));
  }

  // Ends the quoted secret where this text has its closing quote.
  void look_for_end(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (quote_ == '"' && line[i] == '\\') {
        ++i;
      } else if (line[i] == quote_) {
        quote_ = 0;
        return;
      }
    }
  }

  bool is_ours_;
  bool in_secrets_ = false;                 // in a section of secrets alone, such as [vpn-secrets]
  bool goes_on_ = false;                    // by a backslash: systemd.syntax(7), interfaces(5)
  std::size_t name_indentation_ = nowhere;  // of the name in YAML whose value is hidden
  char quote_ = 0;                          // which has to close the secret; 0: none has
};

// Whether the text is the ledger or boot.json, where "key" is a resource's key and no secret.
bool is_own_json(std::string_view text) {
  constexpr std::string_view first = "\"format_version\"";
  const std::size_t at = text.find_first_not_of("{ \n");
  return text.starts_with('{') && at != std::string_view::npos && text.substr(at).starts_with(first);
}

}  // namespace

std::string without_secrets(std::string_view text) {
  if (is_own_json(text)) return std::string(text);
  Hiding hiding(carries_mark(text));
  std::string safe;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    safe += hiding.line(text.substr(at, end == std::string_view::npos ? end : end - at));
    if (end == std::string_view::npos) break;
    safe += '\n';
    at = end + 1;
  }
  return safe;
}

State without_secrets(const State& state) {
  if (state.kind().shown != nullptr) return state.kind().shown(state);
  if (!state.is<FileState>()) return state;
  return state.changed<FileState>([](FileState& file) {
    if (file.content) file.content->value = without_secrets(file.content->value);
  });
}

std::optional<State> without_secrets(const std::optional<State>& state) {
  return state ? std::optional(without_secrets(*state)) : std::nullopt;
}

}  // namespace rdmastate
