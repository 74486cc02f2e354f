// SPDX-License-Identifier: Apache-2.0
#include "yaml/json.hpp"

#include <fmt/format.h>

#include "yaml/json_text.hpp"

namespace rdmastate::yaml {
namespace {

using Problem = Prepass::Problem;

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view ends_a_word = " \t\r\n,:[]{}\"";

class JsonReader {
 public:
  /// Without a builder (nullptr) the bytes are only checked.
  JsonReader(std::string_view bytes, Builder* builder) : bytes_(bytes), builder_(builder) {}

  std::optional<Problem> run() {
    pass_blanks();
    if (at_ == bytes_.size()) return std::nullopt;  // nothing at all, as in an empty file of YAML
    value();
    pass_blanks();
    if (!found_ && at_ < bytes_.size())
      refuse(at_, "more text behind the end of the JSON value", "one file is one value");
    return std::move(found_);
  }

 private:
  At here() const { return {at_, line_, at_ - line_start_}; }
  char next() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }

  template <class Event>
  void tell(Event event) {
    if (builder_ != nullptr) event(*builder_);
  }

  void refuse(std::size_t offset, std::string message, std::string hint) {
    if (!found_) found_ = Problem{offset, {std::move(message), {}, std::move(hint), Severity::error}};
  }

  void pass_blanks() {
    for (; at_ < bytes_.size() && blanks.find(bytes_[at_]) != std::string_view::npos; ++at_) {
      if (bytes_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }

  bool take(char c) {
    pass_blanks();
    if (next() != c) return false;
    ++at_;
    return true;
  }

  std::string_view word() const {
    const std::string_view rest = bytes_.substr(at_);
    return rest.substr(0, rest.find_first_of(ends_a_word));
  }

  void value() {
    pass_blanks();
    if (next() == '{') return collection(Kind::map, '}');
    if (next() == '[') return collection(Kind::list, ']');
    if (next() == '"') return text();
    const std::string_view found = word();
    const bool is_null = found == "null";
    if (is_null || found == "true" || found == "false" || is_json_number(found))
      tell([&](Builder& to) { is_null ? to.null(here()) : to.scalar(here(), true, std::string(found)); });
    else if (at_ == bytes_.size())
      return refuse(innermost_, "the file ends where a value is expected", "is it whole?");
    else
      return complain(found);
    at_ += found.size();
  }

  void complain(std::string_view word) {
    if (!found_) found_ = Problem{at_, explain_json_word(word, next())};
  }

  void text() {
    quoted([](std::string_view) { return false; });
  }

  // JSON's keys are always strings, so one that is a number, such as a port's, is told as a plain scalar.
  void key() { quoted(is_json_number); }

  template <class IsPlain>
  void quoted(IsPlain is_plain) {
    const At start = here();
    std::size_t end = at_;
    if (auto problem = read_json_string(bytes_, end, text_)) {
      if (!found_) found_ = std::move(problem);
      return;
    }
    tell([&](Builder& to) { to.scalar(start, is_plain(text_), text_); });
    at_ = end;
  }

  void collection(Kind kind, char close) {
    if (depth_ == max_depth) return refuse(at_, fmt::format("nested more than {} deep", max_depth), {});
    const std::size_t outer = innermost_;
    innermost_ = at_;
    tell([&](Builder& to) { to.open(here(), kind); });
    ++depth_;
    ++at_;
    if (!take(close)) {
      do kind == Kind::map ? entry() : value();
      while (!found_ && goes_on(close));
    }
    if (!found_) tell([](Builder& to) { to.close(); });
    --depth_;
    innermost_ = outer;
  }

  void entry() {
    pass_blanks();
    if (next() != '"') return no_key();
    key();
    if (found_) return;
    if (!take(':')) return refuse(at_, "expected ':' between a key and its value", {});
    value();
  }

  void no_key() {
    const std::string_view found = word();
    if (at_ == bytes_.size() || found.empty() || found.front() == '#' || found.front() == '/' || found.front() == '\'')
      return at_ == bytes_.size() ? refuse(innermost_, "this { has no }", {}) : complain(found);
    refuse(at_, fmt::format("the key '{}' without quotes", printable(found)),
           fmt::format("in JSON a key stands in double quotes: \"{}\"", printable(found)));
  }

  // Takes what stands behind an entry or an item. False: no other one follows, or a mistake was found.
  bool goes_on(char close) {
    if (take(close)) return false;
    const std::size_t comma = at_;
    if (!take(',')) {
      if (at_ == bytes_.size())
        refuse(innermost_, close == '}' ? "this { has no }" : "this [ has no ]", "is the file whole?");
      else
        refuse(at_, fmt::format("expected ',' or '{}'", close), {});
      return false;
    }
    pass_blanks();
    if (next() == close) refuse(comma, "a comma that nothing follows", "JSON has none behind the last one: remove it");
    return !found_;
  }

  std::string_view bytes_;
  Builder* builder_;
  std::optional<Problem> found_;
  std::string text_;  // of the string that was read last
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t line_ = 0;
  std::size_t line_start_ = 0;
  std::size_t innermost_ = 0;  // where the collection begins that is being read
};

}  // namespace

bool looks_like_json(std::string_view name, std::string_view bytes) {
  if (name.ends_with(".json")) return true;
  const std::size_t brace = bytes.find_first_not_of(blanks);
  if (brace == std::string_view::npos || bytes[brace] != '{') return false;
  const std::size_t key = bytes.find_first_not_of(blanks, brace + 1);
  return key != std::string_view::npos && bytes[key] == '"';
}

std::optional<Problem> json_problem(std::string_view bytes) { return JsonReader(bytes, nullptr).run(); }

void read_json(std::string_view bytes, Builder& builder) { JsonReader(bytes, &builder).run(); }

}  // namespace rdmastate::yaml
