// SPDX-License-Identifier: Apache-2.0
// next() takes what belongs to a secret that began above off the front of the line (end_of_continued), then looks for
// names of secrets. read_to() follows quotes, comments and brackets up to each value, so that it is known what ends it.
#include "base/spec_secrets.hpp"

#include <algorithm>

#include "base/secret_names.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view ends_in_flow = ",]}";  // of a value without quotes

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_opening(char c) { return c == '{' || c == '['; }

std::size_t text_at(std::string_view line, std::size_t from) {
  return std::min(line.find_first_not_of(" \t", from), line.size());
}

// The column of the first key of a line, behind the dashes of lists.
std::size_t key_at(std::string_view line) {
  std::size_t at = text_at(line, 0);
  while (line.substr(at).starts_with("- ")) at = text_at(line, at + 1);
  return at;
}

// Where a quoted text ends whose inside begins at `from`; npos: it goes on below.
std::size_t end_of_quoted(std::string_view line, std::size_t from, char quote) {
  for (std::size_t i = from; i < line.size(); ++i) {
    const bool is_doubled = quote == '\'' && line.substr(i).starts_with("''");
    if (is_doubled || (quote == '"' && line[i] == '\\'))
      ++i;
    else if (line[i] == quote)
      return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<SecretValue> SpecSecrets::next(std::string_view line) {
  std::vector<SecretValue> found;
  const auto take = [&](std::size_t begin, std::size_t end) {
    at_ = std::max(end, at_);
    if (end > begin) found.push_back({begin, end});
  };
  at_ = 0;
  before_ = 0;
  in_comment_ = false;
  opened_above_ = open_;
  take(text_at(line, 0), end_of_continued(line));
  for (std::size_t value = secret_at(line, at_); value != line.npos; value = secret_at(line, at_)) {
    const std::size_t begin = text_at(line, value);
    take(begin, std::max(take_value(line, begin), begin));
  }
  read_to(line, line.size());
  return found;
}

// Whether the line belongs to the secret of block_: it is empty, or stands deeper than the secret's name, or is in the
// name's column an entry of a list, which YAML allows.
bool SpecSecrets::goes_on_in_block(std::string_view line) const {
  const std::size_t at = text_at(line, 0);
  const bool is_of_list = at == block_ && line.substr(at).starts_with("-");
  return at == line.size() || at > block_ || is_of_list;
}

// How much of the line's front belongs to a secret that began above. Outside of { and [ that is the whole line, even
// where a quote is closed in it: nothing but a comment may follow.
std::size_t SpecSecrets::end_of_continued(std::string_view line) {
  if (secret_quote_ != 0) {
    const std::size_t end = end_of_quoted(line, 0, secret_quote_);
    if (end != line.npos) secret_quote_ = 0;
    return open_ > 0 ? std::min(end, line.size()) : line.size();
  }
  if (in_flow_) {
    in_flow_ = line.find_first_of(ends_in_flow) == line.npos;
    return line.size();
  }
  if (list_in_ >= 0) {
    read_to(line, line.size());
    if (open_ <= list_in_) list_in_ = -1;
    return line.size();
  }
  if (block_ != none && goes_on_in_block(line)) return line.size();
  block_ = none;
  return 0;
}

// Of a character in no quotes. Where no value may begin, a quote belongs to a text, and so does a bracket in no other
// one.
void SpecSecrets::open_or_close(char c) {
  constexpr std::string_view in_front_of_values = ":,-[{?";
  const bool may_begin = before_ == 0 || in_front_of_values.find(before_) != std::string_view::npos;
  if (is_quote(c) && may_begin) quote_ = c;
  if (is_opening(c) && (may_begin || open_ > 0)) ++open_;
  if ((c == '}' || c == ']') && open_ > 0) --open_;
}

// Follows quotes, comments and brackets from at_ to the offset `end` of the line.
void SpecSecrets::read_to(std::string_view line, std::size_t end) {
  for (; at_ < end && !in_comment_; ++at_) {
    const char c = line[at_];
    if (quote_ != 0) {
      const std::size_t closed = end_of_quoted(line, at_, quote_);
      if (closed != line.npos) before_ = quote_, quote_ = 0;
      at_ = std::min(closed, line.size()) - 1;
    } else if (c == '#' && (at_ == 0 || is_blank(line[at_ - 1]))) {
      in_comment_ = true;
    } else {
      open_or_close(c);
      if (!is_blank(c)) before_ = c;
    }
  }
  at_ = std::max(at_, end);
}

// Takes the value at `begin`, and notes whether it goes on below: only what stands behind a colon, and in no comment,
// can. Returns where it ends in this line: in block style the line's end.
std::size_t SpecSecrets::take_value(std::string_view line, std::size_t begin) {
  read_to(line, begin);
  const bool can_go_on = !in_comment_ && before_ == ':';
  const bool is_quoted = begin < line.size() && is_quote(line[begin]);
  const std::size_t end_of_quotes = is_quoted ? end_of_quoted(line, begin + 1, line[begin]) : 0;
  if (can_go_on && open_ == 0) block_ = key_at(line);
  if (can_go_on && end_of_quotes == line.npos) secret_quote_ = line[begin];
  if (open_ == 0) return line.size();
  return is_quoted ? std::min(end_of_quotes, line.size()) : take_in_flow(line, begin, can_go_on);
}

// Brackets that were opened in a line above may be meant as text, so what stands behind the value is in doubt.
std::size_t SpecSecrets::take_in_flow(std::string_view line, std::size_t begin, bool can_go_on) {
  if (begin < line.size() && is_opening(line[begin])) {
    const int around = open_;
    read_to(line, line.size());
    if (open_ > around) list_in_ = around;
    return line.size();
  }
  const std::size_t end = line.find_first_of(ends_in_flow, begin);
  in_flow_ = can_go_on && end == line.npos;
  return open_ > opened_above_ ? std::min(end, line.size()) : line.size();
}

}  // namespace rdmastate
