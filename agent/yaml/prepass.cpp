// SPDX-License-Identifier: Apache-2.0
#include "yaml/prepass.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"

namespace rdmastate::yaml {
namespace {

using Problem = Prepass::Problem;

constexpr std::size_t none = std::string_view::npos;

Problem problem(std::size_t offset, std::string message, std::string hint = {}) {
  return {offset, {std::move(message), {}, std::move(hint), Severity::error}};
}

std::optional<Problem> check_control(std::string_view bytes, std::size_t at) {
  const auto c = static_cast<unsigned char>(bytes[at]);
  if (c == 0) return problem(at, "a NUL byte", "this is no text file, or it is UTF-16: save it as UTF-8");
  if (c == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n') return std::nullopt;
  if (c == '\r') return problem(at, "a carriage return that ends no line", "end lines with a newline");
  if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
    return problem(at, fmt::format("a control character, byte 0x{:02x}", c),
                   "in double quotes it can be written as an escape");
  return std::nullopt;
}

std::optional<Problem> check_characters(std::string_view bytes, bool& ascii) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const auto c = static_cast<unsigned char>(bytes[at]);
    if (c < 0x80) {
      if (auto found = check_control(bytes, at)) return found;
      ++at;
      continue;
    }
    ascii = false;
    const std::size_t length = utf8_length(bytes.substr(at));
    if (length == 0) return problem(at, fmt::format("byte 0x{:02x} is not UTF-8", c), "save the file as UTF-8");
    at += length;
  }
  return std::nullopt;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Follows brackets through quotes, comments and block scalars. run() gives each character that is no blank and in no
// comment to token() where a token may begin, and to inside() in the middle of plain text.
class Brackets {
 public:
  explicit Brackets(std::string_view bytes) : bytes_(bytes) {}

  void run(Prepass& result) {
    while (at_ < bytes_.size() && !problem_) {
      const char c = bytes_[at_];
      if (c == '\n') may_begin_ = true;
      if (is_blank(c))
        ++at_;
      else if (c == '#' && (at_ == 0 || is_blank(bytes_[at_ - 1])))
        at_ = end_of_line(at_);
      else if (may_begin_)
        token(c);
      else
        inside(c);
    }
    if (!problem_ && depth_ > 0) check_size();  // of a bracket that is never closed
    result.problem = std::move(problem_);
    if (open_quote_ != none) result.open_quote = open_quote_;
  }

 private:
  bool blank_follows() const { return at_ + 1 >= bytes_.size() || is_blank(bytes_[at_ + 1]); }
  std::size_t end_of_line(std::size_t from) const { return std::min(bytes_.find('\n', from), bytes_.size()); }

  void token(char c) {
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '!' || c == '&') return property();
    if ((c == '|' || c == '>') && depth_ == 0) return block_scalar();
    if (c == '[' || c == '{') return open();
    if ((c == '-' || c == '?' || c == ':') && blank_follows()) {
      ++at_;
      return;
    }
    may_begin_ = false;
    inside(c);
  }

  void inside(char c) {
    const bool flow = depth_ > 0;
    if (flow && (c == '[' || c == '{')) return open();
    if (flow && (c == ']' || c == '}')) {
      check_size();
      --depth_;
      colon_needs_no_blank_ = true;
    } else if (flow && c == ',') {
      may_begin_ = true;
      check_size();
    } else if (c == ':' && (blank_follows() || (flow && colon_needs_no_blank_))) {
      may_begin_ = true;
    } else {
      colon_needs_no_blank_ = false;
    }
    ++at_;
  }

  void open() {
    if (depth_ == 0) start_ = at_;
    ++depth_;
    if (depth_ > max_flow_depth)
      problem_ = problem(at_, fmt::format("brackets nested more than {} deep", max_flow_depth));
    may_begin_ = true;
    ++at_;
  }

  void check_size() {
    if (at_ - start_ > max_flow_bytes)
      problem_ = problem(start_, fmt::format("a collection in brackets of more than {} KiB", max_flow_bytes >> 10U),
                         "write it as a block, one entry per line");
  }

  // Skips a tag or an anchor, up to the next blank. In brackets that may skip a "," or a bracket too, which does no
  // harm: load() refuses every tag and anchor, so the document fails anyway.
  void property() {
    while (at_ < bytes_.size() && !is_blank(bytes_[at_])) ++at_;
  }

  // Between ' and ', a quote is written twice; between " and ", behind a backslash.
  void quoted(char quote) {
    const std::size_t start = at_;
    for (++at_; at_ < bytes_.size(); ++at_) {
      if ((quote == '"' && bytes_[at_] == '\\') || (quote == '\'' && bytes_.substr(at_, 2) == "''")) {
        ++at_;
      } else if (bytes_[at_] == quote) {
        ++at_;
        may_begin_ = false;
        colon_needs_no_blank_ = true;
        return;
      }
    }
    at_ = bytes_.size();
    open_quote_ = start;
  }

  // Skips a block scalar: the lines that are indented more than its key, or the dash of a list.
  void block_scalar() {
    const std::size_t parent = block_parent();
    at_ = end_of_line(at_);
    while (at_ < bytes_.size()) {
      const std::size_t text = std::min(bytes_.find_first_not_of(' ', at_ + 1), bytes_.size());
      const bool empty = text == bytes_.size() || bytes_[text] == '\n' || bytes_[text] == '\r';
      if (!empty && text - at_ - 1 <= parent) return;
      at_ = end_of_line(text);
    }
  }

  // The column of that key or dash, from 0. Where the | begins its line, the key stands in a line above, and the column
  // is taken for 0: the scalar then seems longer than it is, and what stands behind it is left to the parser's limits.
  std::size_t block_parent() const {
    const std::size_t newline = bytes_.rfind('\n', at_);
    const std::size_t line = newline == none ? 0 : newline + 1;
    std::size_t dash = line;
    std::size_t at = line;
    for (;;) {
      while (at < at_ && bytes_[at] == ' ') ++at;
      if (at >= at_) return dash - line;
      if (bytes_[at] != '-' && bytes_[at] != '?') return at - line;
      dash = at++;
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t start_ = 0;  // of the outermost bracket that is open
  std::size_t open_quote_ = none;
  bool may_begin_ = true;              // a token may begin at at_
  bool colon_needs_no_blank_ = false;  // within brackets, behind quotes or a closing bracket, as in JSON
  std::optional<Problem> problem_;
};

}  // namespace

Prepass prepass_characters(std::string_view bytes) {
  Prepass result;
  if (bytes.size() > max_bytes) {
    result.problem = problem(0, fmt::format("is {} bytes long; at most {} are read", bytes.size(), max_bytes));
    return result;
  }
  result.problem = check_characters(bytes, result.ascii);
  return result;
}

Prepass prepass(std::string_view bytes) {
  Prepass result = prepass_characters(bytes);
  if (!result.problem) Brackets(bytes).run(result);
  return result;
}

}  // namespace rdmastate::yaml
