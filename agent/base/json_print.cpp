// SPDX-License-Identifier: Apache-2.0
// A JSON value into text. The digests of the ledger are taken from it: it never changes.
#include <algorithm>
#include <charconv>

#include "base/json.hpp"
#include "base/utf8.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t no_limit = std::string::npos;

// RFC 8259, section 7: what has to be escaped, in its shortest form.
void append_escaped(std::string& json, char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  constexpr std::string_view named = "\"\\\b\f\n\r\t", names = "\"\\bfnrt";
  json += '\\';
  if (const auto at = named.find(c); at != std::string_view::npos) {
    json += names[at];
  } else {
    json += "u00";
    json += hex[static_cast<unsigned char>(c) >> 4U];
    json += hex[static_cast<unsigned char>(c) & 0xfU];
  }
}

bool stands_for_itself(char c) { return (c < '\0' || c >= ' ') && c != '"' && c != '\\'; }

// As it is: bytes that are no UTF-8 too.
void append_string(std::string& json, std::string_view text) {
  json += '"';
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (stands_for_itself(text[at])) continue;
    json.append(text, done, at - done);
    append_escaped(json, text[at]);
    done = at + 1;
  }
  json.append(text, done, text.size() - done);
  json += '"';
}

template <class Number>
void append_number(std::string& json, Number number) {
  char digits[32];
  const auto [end, failure] = std::to_chars(std::begin(digits), std::end(digits), number);
  json.append(digits, end);
}

}  // namespace

class JsonPrinter {
 public:
  JsonPrinter(std::string& out, int indent, std::size_t limit) : out_(out), indent_(indent), limit_(limit) {}

  void value(const Json& json, std::size_t depth);

 private:
  bool is_full() const { return out_.size() > limit_; }
  void line(std::size_t depth);
  template <class List, class Each>
  void list(const char* brackets, const List& all, std::size_t depth, const Each& each);
  void string(std::string_view text);

  void print(std::nullptr_t, std::size_t) { out_ += "null"; }
  void print(bool value, std::size_t) { out_ += value ? "true" : "false"; }
  void print(std::int64_t value, std::size_t) { append_number(out_, value); }
  void print(std::uint64_t value, std::size_t) { append_number(out_, value); }
  void print(double value, std::size_t) { append_number(out_, value); }
  void print(const std::string& value, std::size_t) { string(value); }
  void print(const Json::Array& values, std::size_t depth);
  void print(const Json::Object& members, std::size_t depth);

  std::string& out_;
  int indent_;
  std::size_t limit_;
};

void JsonPrinter::line(std::size_t depth) {
  if (indent_ < 0) return;
  out_ += '\n';
  out_.append(depth * static_cast<std::size_t>(indent_), ' ');
}

template <class List, class Each>
void JsonPrinter::list(const char* brackets, const List& all, std::size_t depth, const Each& each) {
  out_ += brackets[0];
  bool first = true;
  for (const auto& one : all) {
    if (is_full()) return;
    if (!first) out_ += ',';
    first = false;
    line(depth + 1);
    each(one);
  }
  if (!first) line(depth);
  out_ += brackets[1];
}

// Where a limit cuts the text, as in messages, it may hold what is no UTF-8.
void JsonPrinter::string(std::string_view text) {
  if (limit_ == no_limit)
    append_json_string(out_, text);
  else
    append_string(out_, text.substr(0, limit_));
}

void JsonPrinter::print(const Json::Array& values, std::size_t depth) {
  list("[]", values, depth, [&](const Json& one) { value(one, depth + 1); });
}

void JsonPrinter::print(const Json::Object& members, std::size_t depth) {
  list("{}", members, depth, [&](const JsonMember& one) {
    string(one.key);
    out_ += indent_ < 0 ? ":" : ": ";
    value(one.value, depth + 1);
  });
}

void JsonPrinter::value(const Json& json, std::size_t depth) {
  std::visit([&](const auto& value) { print(value, depth); }, json.value_);
}

void Json::append_to(std::string& text) const { JsonPrinter(text, -1, no_limit).value(*this, 0); }

std::string Json::dump(int indent) const {
  std::string text;
  JsonPrinter(text, indent, no_limit).value(*this, 0);
  return text;
}

std::string Json::brief() const {
  constexpr std::size_t most = 60;
  std::string text;
  JsonPrinter(text, -1, most).value(*this, 0);
  if (text.size() > most) text.replace(most, text.npos, "...");
  return text;
}

void append_json_string(std::string& json, std::string_view text) {
  const bool is_ascii = std::none_of(text.begin(), text.end(), [](char c) { return c < '\0'; });
  if (!is_ascii && !is_utf8(text)) throw Error("a text that is not UTF-8 cannot be written as JSON");
  append_string(json, text);
}

}  // namespace rdmastate
