// SPDX-License-Identifier: Apache-2.0
#include "yaml/json.hpp"

#include <fmt/format.h>

#include "yaml/json_text.hpp"

namespace rdmastate::yaml {
namespace {

using Problem = Prepass::Problem;

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view ends_a_word = " \t\r\n,:[]{}\"";

// A recursive descent: value() reads what begins at at_, and collection() calls it for what stands within. problem_ is
// the first mistake; after it nothing more is read.
class JsonReader {
 public:
  /// Without a builder (nullptr) the bytes are only checked.
  JsonReader(std::string_view bytes, Builder* builder) : bytes_(bytes), builder_(builder) {}

  std::optional<Problem> run() {
    pass_blanks();
    if (at_ == bytes_.size()) return std::nullopt;  // nothing at all, as in an empty file of YAML
    value();
    pass_blanks();
    if (!problem_ && at_ < bytes_.size())
      refuse(at_, "more text behind the end of the JSON value", "one file is one value");
    return std::move(problem_);
  }

 private:
  At here() const { return {at_, line_, at_ - line_start_}; }
  char next() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }

  template <class Event>
  void tell(Event event) {
    if (builder_ != nullptr) event(*builder_);
  }

  void refuse(std::size_t offset, std::string message, std::string hint) {
    if (!problem_) problem_ = Problem{offset, {std::move(message), {}, std::move(hint), Severity::error}};
  }

  void pass_blanks() {
    for (; at_ < bytes_.size() && blanks.find(bytes_[at_]) != std::string_view::npos; ++at_) {
      if (bytes_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }

  // Takes the character, and the blanks before it; false, with only the blanks taken, when another one is next.
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
    if (next() == '{') return collection(NodeType::map, '}');
    if (next() == '[') return collection(NodeType::list, ']');
    if (next() == '"') return text();
    const std::string_view literal = word();
    const bool is_null = literal == "null";
    if (is_null || literal == "true" || literal == "false" || is_json_number(literal))
      tell([&](Builder& to) { is_null ? to.null(here()) : to.scalar(here(), /*plain=*/true, std::string(literal)); });
    else if (at_ == bytes_.size())
      return refuse(innermost_, "the file ends where a value is expected", "is it whole?");
    else
      return refuse_word(literal);
    at_ += literal.size();
  }

  void refuse_word(std::string_view word) {
    if (!problem_) problem_ = Problem{at_, explain_json_word(word, next())};
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
      if (!problem_) problem_ = std::move(problem);
      return;
    }
    tell([&](Builder& to) { to.scalar(start, is_plain(text_), text_); });
    at_ = end;
  }

  void collection(NodeType type, char close) {
    if (depth_ == max_depth) return refuse(at_, fmt::format("nested more than {} deep", max_depth), {});
    const std::size_t outer = innermost_;
    innermost_ = at_;
    tell([&](Builder& to) { to.open(here(), type); });
    ++depth_;
    ++at_;
    if (!take(close)) {
      do type == NodeType::map ? entry() : value();
      while (!problem_ && goes_on(close));
    }
    if (!problem_) tell([](Builder& to) { to.close(); });
    --depth_;
    innermost_ = outer;
  }

  void entry() {
    pass_blanks();
    if (next() != '"') return refuse_key();
    key();
    if (problem_) return;
    if (!take(':')) return refuse(at_, "expected ':' between a key and its value", {});
    value();
  }

  void refuse_key() {
    const std::string_view key = word();
    if (at_ == bytes_.size()) return refuse(innermost_, "this { has no }", {});
    const bool is_no_word = key.empty() || key.front() == '#' || key.front() == '/' || key.front() == '\'';
    if (is_no_word) return refuse_word(key);  // a comment, or a text in single quotes
    refuse(at_, fmt::format("the key '{}' without quotes", printable(key)),
           fmt::format("in JSON a key stands in double quotes: \"{}\"", printable(key)));
  }

  // Takes what stands behind an entry or an item: a comma, or `close`. False: no other entry follows, or a mistake was
  // found.
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
    return !problem_;
  }

  std::string_view bytes_;
  Builder* builder_;
  std::optional<Problem> problem_;
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
