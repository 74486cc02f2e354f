// SPDX-License-Identifier: Apache-2.0
#include "yaml/writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace rdmastate::yaml {
namespace {

constexpr std::size_t longest_inline = 90;  // of a list in brackets on one line, in bytes

// A value to write, made by output_of() from Json or from a record; written() prints it. Its texts are in quotes
// already where they need them.
struct Output {
  enum class Kind { text, list, map } kind = Kind::text;
  std::string key;   // of a map's child
  std::string text;  // of a text
  std::vector<Output> children;
};

// The value as that key's, in a map.
Output keyed(std::string key, Output out) {
  out.key = std::move(key);
  return out;
}

// Whether the text needs no quotes, in brackets either. YAML allows more plain texts; these are the common ones.
bool can_be_plain(std::string_view text) {
  constexpr std::string_view others = "_./@+=-";
  if (text.empty() || !ascii::is_one_of(text[0], "_/")) return false;
  return ascii::holds_only(text, others);
}

// The character as it stands in double quotes. Control characters, Unicode's line ends, marks that change the direction
// of text, and the byte order mark become escapes, since a person would not see them.
std::string escape(std::string_view character) {
  if (character == "\"") return "\\\"";
  if (character == "\\") return "\\\\";
  if (character == "\n") return "\\n";
  if (character == "\t") return "\\t";
  const std::uint32_t point = utf8_code_point(character);
  const bool special = point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x2028 && point <= 0x202e) ||
                       (point >= 0x2066 && point <= 0x2069) || point == 0xfeff;
  return special ? fmt::format("\\u{:04x}", point) : std::string(character);
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    quoted += escape(text.substr(0, length));
    text.remove_prefix(length);
  }
  return quoted + '"';
}

std::string string_text(std::string_view text) {
  return can_be_plain(text) && core_type({text}) == CoreType::string ? std::string(text) : quote(text);
}

// A key that is a number reads the same with and without quotes; people write it without.
std::string key_text(std::string_view key) {
  const CoreType type = core_type({key});
  return can_be_plain(key) && type != CoreType::null ? std::string(key) : quote(key);
}

Output output_of(const Json& json) {
  Output out;
  if (json.is_object()) {
    out.kind = Output::Kind::map;
    for (const auto& [key, value] : json.members()) out.children.push_back(keyed(key_text(key), output_of(value)));
  } else if (json.is_array()) {
    out.kind = Output::Kind::list;
    for (const auto& value : json.items()) out.children.push_back(output_of(value));
  } else {
    out.text = json.is_string() ? string_text(json.text()) : json.dump();
  }
  return out;
}

Output output_of(const Record& record, const void* value);

std::string scalar_text(const ValueType& type, const void* value) {
  std::string text = type.print(value);
  return can_be_plain(text) && type.reads_as({text}, value) ? text : quote(text);
}

Output output_of(const ValueType& type, const void* value) {
  Output out;
  switch (type.shape) {
    case Shape::scalar:
      out.text = scalar_text(type, value);
      break;
    case Shape::list:
      out.kind = Output::Kind::list;
      for (std::size_t i = 0; i < type.size(value); ++i)
        out.children.push_back(output_of(*type.element, type.at(value, i)));
      break;
    case Shape::map:
      out.kind = Output::Kind::map;
      type.each(value, [&](const void* key, const void* element) {
        out.children.push_back(keyed(scalar_text(*type.key, key), output_of(*type.element, element)));
      });
      break;
    case Shape::record:
      return output_of(type.record(), value);
  }
  return out;
}

// Whether a field is an empty list or map that can be left out: the spec reads the same without it.
bool is_nothing(const FieldInfo& field, const void* member) {
  const bool holds_others = field.type->shape == Shape::list || field.type->shape == Shape::map;
  return holds_others && !field.optional && !field.rules.required && field.type->size(member) == 0;
}

Output output_of(const Record& record, const void* value) {
  Output out;
  out.kind = Output::Kind::map;
  for (const auto& field : record.fields)
    if (const void* member = field.look(value); member != nullptr && !is_nothing(field, member))
      out.children.push_back(keyed(std::string(field.name), output_of(*field.type, member)));
  return out;
}

// A value in one line: a text, or "[a, b]"; empty when it does not fit in a line or holds lists or maps.
std::string in_brackets(const Output& out) {
  if (out.kind == Output::Kind::text) return out.text;
  if (out.children.empty()) return out.kind == Output::Kind::list ? "[]" : "{}";
  if (out.kind == Output::Kind::map) return {};
  std::string text = "[";
  for (const Output& child : out.children) {
    if (child.kind != Output::Kind::text) return {};
    text += (text.size() > 1 ? ", " : "") + child.text;
  }
  return text.size() < longest_inline ? text + "]" : std::string{};
}

// Appends a list or map to `text`, one child per line, `indent` spaces in. The caller has indented the first line.
void write_block(const Output& out, std::size_t indent, std::string& text) {
  bool first = true;
  for (const Output& child : out.children) {
    if (!first) text.append(indent, ' ');
    first = false;
    const bool is_item = out.kind == Output::Kind::list;
    text += is_item ? "-" : child.key + ":";
    if (const std::string line = in_brackets(child); !line.empty()) {
      text += " " + line + "\n";
    } else if (is_item) {
      text += " ";
      write_block(child, indent + 2, text);
    } else {
      text += "\n" + std::string(indent + 2, ' ');
      write_block(child, indent + 2, text);
    }
  }
}

// Any value in one line, however long: "{name: ib0, addresses: [192.0.2.1/24]}".
std::string in_one_line(const Output& out) {
  if (out.kind == Output::Kind::text) return out.text;
  const bool is_list = out.kind == Output::Kind::list;
  std::string text;
  for (const Output& child : out.children)
    text += (text.empty() ? "" : ", ") + (is_list ? "" : child.key + ": ") + in_one_line(child);
  return is_list ? "[" + text + "]" : "{" + text + "}";
}

// The parts of a value that are asked for, by their paths.
class Parts {
 public:
  explicit Parts(const std::vector<std::string>& paths) : paths_(paths) {}

  // Whether the value at the path, or a part of it, is asked for, or a value that it is a part of.
  bool touch(const std::string& path) const {
    return std::any_of(paths_.begin(), paths_.end(),
                       [&](const std::string& one) { return begins(one, path) || begins(path, one); });
  }

  Output of(const ValueType& type, const void* value, const std::string& path) const {
    const bool whole = std::any_of(paths_.begin(), paths_.end(), [&](const auto& one) { return begins(path, one); });
    if (whole || type.shape == Shape::scalar) return output_of(type, value);
    if (type.shape == Shape::record) return of(type.record(), value, path);
    return type.shape == Shape::list ? of_list(type, value, path) : of_map(type, value, path);
  }

  Output of(const Record& record, const void* value, const std::string& path) const {
    Output out;
    out.kind = Output::Kind::map;
    for (const auto& field : record.fields) {
      const void* member = field.look(value);
      const std::string inner = fmt::format("{}{}{}", path, path.empty() ? "" : ".", field.name);
      if (member == nullptr || (!touch(inner) && !field.rules.required)) continue;
      out.children.push_back(keyed(std::string(field.name),
                                   touch(inner) ? of(*field.type, member, inner) : output_of(*field.type, member)));
    }
    return out;
  }

 private:
  // Whether the path is `start`, or leads on from it.
  static bool begins(std::string_view path, std::string_view start) {
    return path.starts_with(start) &&
           (path.size() == start.size() || path[start.size()] == '.' || path[start.size()] == '[');
  }

  Output of_list(const ValueType& type, const void* list, const std::string& path) const {
    Output out;
    out.kind = Output::Kind::list;
    for (std::size_t i = 0; i < type.size(list); ++i)
      if (touch(fmt::format("{}[{}]", path, i))) out.children.push_back(output_of(*type.element, type.at(list, i)));
    return out;
  }

  Output of_map(const ValueType& type, const void* map, const std::string& path) const {
    Output out;
    out.kind = Output::Kind::map;
    type.each(map, [&](const void* key, const void* element) {
      const std::string inner = path + "." + type.key->print(key);
      if (touch(inner)) out.children.push_back(keyed(scalar_text(*type.key, key), of(*type.element, element, inner)));
    });
    return out;
  }

  const std::vector<std::string>& paths_;
};

std::string written(const Output& out) {
  if (const std::string line = in_brackets(out); !line.empty()) return line + "\n";
  std::string text;
  write_block(out, 0, text);
  return text;
}

}  // namespace

std::string to_yaml(const Json& json) { return written(output_of(json)); }

std::string to_yaml(const Record& record, const void* value) { return written(output_of(record, value)); }

std::vector<std::string> to_lines(const Record& record, const void* value, const std::vector<std::string>& paths) {
  std::vector<std::string> lines;
  const Parts parts(paths);
  for (const auto& field : record.fields) {
    const void* member = field.look(value);
    const std::string name(field.name);
    if (member != nullptr && parts.touch(name))
      lines.push_back(name + ": " + in_one_line(parts.of(*field.type, member, name)));
  }
  return lines;
}

}  // namespace rdmastate::yaml
