// SPDX-License-Identifier: Apache-2.0
// Prints JSON. The ledger holds digests of this text, so its form never changes. A JsonText writes brackets, commas and
// scalars; a JsonPrinter walks a Json value and calls it.
#include <algorithm>
#include <charconv>

#include "base/json.hpp"
#include "base/json_text.hpp"
#include "base/report.hpp"
#include "base/utf8.hpp"

namespace rdmastate {
namespace {

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

// `char` has no sign on some processors, so a byte is never compared with '\0'.
bool is_ascii_byte(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool stands_for_itself(char c) { return static_cast<unsigned char>(c) >= ' ' && c != '"' && c != '\\'; }

// Copies bytes that are not UTF-8 as they are.
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

void JsonText::line() {
  if (indent_ < 0) return;
  out_ += '\n';
  out_.append(depth_ * static_cast<std::size_t>(indent_), ' ');
}

// Writes what separates a value from the one before it: a comma and, with indentation, a new line.
void JsonText::separate() {
  if (has_key_ || depth_ == 0) {
    has_key_ = false;
    return;
  }
  if (!is_first_) out_ += ',';
  is_first_ = false;
  line();
}

void JsonText::begin(char bracket) {
  separate();
  out_ += bracket;
  ++depth_;
  is_first_ = true;
}

void JsonText::end(char bracket) {
  --depth_;
  if (!is_first_) line();
  out_ += bracket;
  is_first_ = false;
}

void JsonText::string(std::string_view text) {
  if (limit_ != no_limit)
    append_string(out_, text.substr(0, limit_));
  else if (is_told_ && !is_utf8(text))
    append_string(out_, printable(text));
  else
    append_json_string(out_, text);
}

void JsonText::key(std::string_view name) {
  separate();
  string(name);
  out_ += indent_ < 0 ? ":" : ": ";
  has_key_ = true;
}

void JsonText::value(std::nullptr_t) {
  separate();
  out_ += "null";
}

void JsonText::value(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonText::value(std::int64_t value) {
  separate();
  append_number(out_, value);
}

void JsonText::value(std::uint64_t value) {
  separate();
  append_number(out_, value);
}

void JsonText::value(double value) {
  separate();
  append_number(out_, value);
}

void JsonText::value(std::string_view value) {
  separate();
  string(value);
}

/// Prints a Json value through a JsonText.
class JsonPrinter {
 public:
  explicit JsonPrinter(JsonText text) : text_(text) {}

  void print(const Json& json) {
    std::visit([&](const auto& value) { this->value(value); }, json.value_);
  }

 private:
  template <class Scalar>
  void value(const Scalar& scalar) {
    text_.value(scalar);
  }
  void value(const Json::Array& values) {
    text_.begin_array();
    for (const auto& one : values) {
      if (text_.is_full()) break;
      print(one);
    }
    text_.end_array();
  }
  void value(const Json::Object& members) {
    text_.begin_object();
    for (const auto& [name, one] : members) {
      if (text_.is_full()) break;
      text_.key(name);
      print(one);
    }
    text_.end_object();
  }

  JsonText text_;
};

void Json::append_to(std::string& text) const { JsonPrinter(JsonText(text)).print(*this); }

std::string Json::dump(int indent) const {
  std::string text;
  JsonPrinter(JsonText(text, indent)).print(*this);
  return text;
}

std::string told_json(const Json& json) {
  std::string text;
  JsonText output(text, 2);
  output.tell();
  JsonPrinter(output).print(json);
  return text;
}

std::string Json::brief() const {
  constexpr std::size_t most = 60;
  std::string text;
  JsonPrinter(JsonText(text, -1, most)).print(*this);
  if (text.size() > most) text.replace(most, text.npos, "...");
  return text;
}

void append_json_string(std::string& json, std::string_view text) {
  const bool is_ascii = std::all_of(text.begin(), text.end(), is_ascii_byte);
  if (!is_ascii && !is_utf8(text)) throw Error("a text that is not UTF-8 cannot be written as JSON");
  append_string(json, text);
}

}  // namespace rdmastate
