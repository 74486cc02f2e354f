// SPDX-License-Identifier: Apache-2.0
// Parses JSON. This is the only source that sees the JSON library, of which it uses only the event parser. Flow of
// parse_json(): the library calls a Builder for each event; Builder::open(), add() and close() make the Json value, and
// end_object() refuses a key that stands twice.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/report.hpp"

namespace rdmastate {
namespace {

using Library = nlohmann::json;

std::string line_and_column(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", lines + 1, std::max<std::size_t>(before.size() - start, 1));
}

// The sentence without "; last read: '...'", which quotes the text as far as the library had come: the text may be a
// file that holds a secret and was named by mistake.
std::string without_quote(std::string_view sentence) {
  const auto begin = std::min(sentence.find("; last read: '"), sentence.size());
  const auto end = sentence.rfind("'; expected ");
  std::string text(sentence.substr(0, begin));
  if (end != std::string_view::npos && end > begin) text += sentence.substr(end + 1);
  return text;
}

// What follows the place in "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ...".
std::string reason_in(std::string_view library_says) {
  constexpr std::string_view before = "column ";
  const auto column = library_says.find(before);
  const auto colon = column == std::string_view::npos ? library_says.find("] ") : library_says.find(": ", column);
  return printable(without_quote(colon == std::string_view::npos ? library_says : library_says.substr(colon + 2)));
}

// Receives the events of the library's parser (its interface json_sax). A function that returns false ends the parsing;
// error_ says why.
class Builder {
 public:
  Builder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  bool null() { return add({}); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Library::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool key(std::string& name) {
    keys_.push_back(std::move(name));
    return true;
  }
  bool end_object();
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string&, const Library::exception& error) {
    return fail(fmt::format("it is not JSON: {}: {}", line_and_column(text_, position), reason_in(error.what())));
  }

  bool fail(std::string why) {
    error_ = std::move(why);
    return false;
  }
  Json result;
  const std::string& error() const { return error_; }

 private:
  bool add(Json value);
  bool open(Json container);
  bool close();

  std::string_view text_;
  JsonLimits limits_;
  std::size_t values_ = 0;
  std::vector<Json> open_;         // containers that have not ended, from the outermost to the innermost
  std::vector<std::string> keys_;  // of each object in open_, the key of the member that is being read
  std::string error_;
};

// Whether a key stands twice. Only for few members: quadratic, but allocates nothing.
bool has_repeated_key(const Json::Object& members) {
  for (auto one = members.begin(); one != members.end(); ++one)
    if (std::any_of(members.begin(), one, [&](const JsonMember& before) { return before.key == one->key; }))
      return true;
  return false;
}

bool Builder::add(Json value) {
  if (++values_ > limits_.values) return fail(fmt::format("it holds more than {} values", limits_.values));
  if (open_.empty()) {
    result = std::move(value);
  } else if (open_.back().is_array()) {
    open_.back().push_back(std::move(value));
  } else {
    open_.back().add(std::move(keys_.back()), std::move(value));
    keys_.pop_back();
  }
  return true;
}

bool Builder::open(Json container) {
  if (open_.size() == limits_.depth) return fail(fmt::format("it is nested more than {} deep", limits_.depth));
  open_.push_back(std::move(container));
  return true;
}

bool Builder::close() {
  Json whole = std::move(open_.back());
  open_.pop_back();
  return add(std::move(whole));
}

bool Builder::end_object() {
  constexpr std::size_t few = 16;
  const Json::Object& members = open_.back().members();
  if (members.size() <= few && !has_repeated_key(members)) return close();
  std::vector<std::string_view> names;
  names.reserve(members.size());
  for (const auto& one : members) names.push_back(one.key);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return close();
  return fail(fmt::format("the key {} stands twice in one object", Json(*twice).brief()));
}

}  // namespace

Json parse_json(std::string_view text, const JsonLimits& limits) {
  Builder builder(text, limits);
  if (!Library::sax_parse(text, &builder)) throw Error(builder.error());
  return std::move(builder.result);
}

}  // namespace rdmastate
