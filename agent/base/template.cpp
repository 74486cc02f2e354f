// SPDX-License-Identifier: Apache-2.0
#include "base/template.hpp"

#include <fmt/format.h>

#include <charconv>
#include <kainjow/mustache.hpp>
#include <map>

#include "base/error.hpp"

namespace rdmastate {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

// kainjow renders an unknown name as nothing; configuration files must not lose a value so quietly.
class StrictContext : public kainjow::mustache::basic_context<std::string> {
 public:
  StrictContext(std::string_view name, const data* root) : name_(name), items_{root} {}
  void push(const data* item) override { items_.push_back(item); }
  void pop() override { items_.pop_back(); }
  const data* get(const std::string& wanted) const override {
    if (wanted == ".") return items_.back();
    for (auto item = items_.rbegin(); item != items_.rend(); ++item)
      if (const data* found = (*item)->get(wanted)) return found;
    throw Error(fmt::format("template {} asks for '{}', which has no value", name_, wanted));
  }
  const data* get_partial(const std::string& wanted) const override { return get(wanted); }

 private:
  std::string_view name_;
  std::vector<const data*> items_;
};

// kainjow renders marks with numbers; the values take their places afterwards. No template holds these characters.
constexpr char mark = '\x01';
constexpr char escaped_mark = '\x02';
constexpr char mark_end = '\x03';
constexpr std::string_view opens = "\x01\x02";

std::string note_escape(const std::string& marked) {
  std::string noted = marked;
  if (!noted.empty() && noted.front() == mark) noted.front() = escaped_mark;
  return noted;
}

class Numbers {
 public:
  std::string next() { return fmt::format("{}{}{}", mark, next_++, mark_end); }

 private:
  std::size_t next_ = 0;
};

data to_data(const Values& values, Numbers& numbers);

data to_data(const std::vector<Values>& list, Numbers& numbers) {
  data items(data::type::list);
  for (const auto& item : list) items.push_back(to_data(item, numbers));
  return items;
}

data to_data(const Values& values, Numbers& numbers) {
  data object(data::type::object);
  for (const auto& [view, value] : values.of) {
    const std::string name(view);
    if (std::holds_alternative<std::string>(value)) {
      object.set(name, data(numbers.next()));
    } else if (const auto* flag = std::get_if<bool>(&value)) {
      object.set(name, data(*flag));
    } else {
      object.set(name, to_data(std::get<std::vector<Values>>(value), numbers));
    }
  }
  return object;
}

// All texts of some values in the order of to_data(), and a text that is the same where all but those texts is.
struct Shape {
  std::vector<const std::string*> texts;
  std::string text;

  void add(const Values& values) {
    for (const auto& [name, value] : values.of) {
      text += name;
      if (const auto* one = std::get_if<std::string>(&value)) {
        text += one->empty() ? '-' : '=';
        texts.push_back(one);
      } else if (const auto* flag = std::get_if<bool>(&value)) {
        text += *flag ? '+' : '!';
      } else {
        text += '[';
        for (const auto& item : std::get<std::vector<Values>>(value)) add(item);
        text += ']';
      }
    }
    text += ';';
  }
};

// What a template makes of one shape: its own text, cut where values stand.
struct Outline {
  struct Slot {
    std::string before;  ///< the template's text up to here
    std::size_t value;   ///< which of the shape's texts
    bool escaped;
  };
  std::vector<Slot> slots;
  std::string after;

  explicit Outline(std::string_view marked) {
    for (std::size_t at = marked.find_first_of(opens); at != std::string_view::npos; at = marked.find_first_of(opens)) {
      const std::size_t end = marked.find(mark_end, at);
      Slot slot{std::string(marked.substr(0, at)), 0, marked[at] == escaped_mark};
      std::from_chars(marked.data() + at + 1, marked.data() + end, slot.value);
      slots.push_back(std::move(slot));
      marked.remove_prefix(end + 1);
    }
    after = marked;
  }

  std::string fill(const std::vector<const std::string*>& texts, Escape escape) const {
    std::string text;
    for (const auto& slot : slots) {
      text += slot.before;
      text += slot.escaped ? escape(*texts[slot.value]) : *texts[slot.value];
    }
    return text += after;
  }
};

// kainjow takes the line of a section's tag away only when the section is shown; of one that is not, an empty line
// would stay. So lines that hold such a tag alone are marked, and a line that holds only marks is dropped afterwards.
constexpr char alone_mark = '\x05';

template <class Each>
std::string by_lines(std::string_view text, Each&& each) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    out += each(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return out;
}

std::string mark_lone_tags(std::string_view text) {
  return by_lines(text, [](std::string_view line) {
    const bool is_section = line.starts_with("{{#") || line.starts_with("{{^") || line.starts_with("{{/");
    const bool is_lone = is_section && line.find("}}") + 3 == line.size() && line.ends_with('\n');
    return is_lone ? std::string(line.substr(0, line.size() - 1)) + alone_mark + "\n" : std::string(line);
  });
}

std::string drop_marked_lines(std::string_view text) {
  return by_lines(text, [](std::string_view line) {
    const bool is_marked = line.starts_with(alone_mark) && line.find_first_not_of(alone_mark) + 1 == line.size();
    return is_marked ? std::string() : std::string(line);
  });
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// Letters, digits, and those of `others`.
bool is_plain(const std::string& value, std::string_view others) {
  return std::all_of(value.begin(), value.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

}  // namespace

struct Template::Parsed {
  std::string name;
  Escape escape;
  mustache parsed;
  std::map<std::string, Outline> outlines;

  const Outline& outline(const Values& values, const std::string& shape) {
    if (const auto found = outlines.find(shape); found != outlines.end()) return found->second;
    Numbers numbers;
    const data root = to_data(values, numbers);
    StrictContext context(name, &root);
    return outlines.emplace(shape, Outline(drop_marked_lines(parsed.render(context)))).first->second;
  }
};

Template::Template(std::string_view name, Escape escape) {
  const std::string_view text = embedded_template(name);
  if (text.data() == nullptr) throw Error(fmt::format("there is no template {}", name));
  parsed_ = std::make_unique<Parsed>(Parsed{std::string(name), escape, mustache(mark_lone_tags(text)), {}});
  if (!parsed_->parsed.is_valid()) throw Error(fmt::format("template {}: {}", name, parsed_->parsed.error_message()));
  parsed_->parsed.set_custom_escape(note_escape);
}

Template::~Template() = default;

std::string Template::render(const Values& values) const {
  Shape shape;
  shape.add(values);
  return parsed_->outline(values, shape.text).fill(shape.texts, parsed_->escape);
}

std::string escape_line(const std::string& value) {
  if (std::any_of(value.begin(), value.end(), is_control))
    throw Error("a value with a control character cannot be written into a configuration file");
  return value;
}

std::string escape_udev(const std::string& value) {
  std::string safe;
  for (const char c : value) {
    if (is_control(c) || c == '"' || c == '\\')
      throw Error("a value with a control character, quote or backslash cannot be written into a udev rule");
    if (c == '$' || c == '%') safe.push_back(c);
    safe.push_back(c);
  }
  return safe;
}

std::string escape_unit(const std::string& value) {
  std::string safe;
  for (const char c : value) {
    if (is_control(c) || c == '\\')
      throw Error("a value with a control character or backslash cannot be written into a systemd unit");
    if (c == '%') safe.push_back(c);
    safe.push_back(c);
  }
  return safe;
}

std::string escape_opensm(const std::string& value) {
  if (!is_plain(value, "._-/"))
    throw Error("a value with separators or blanks cannot be written into a file of OpenSM's");
  return value;
}

std::string escape_interfaces(const std::string& value) {
  if (value.empty() || !is_plain(value, "._:/-"))
    throw Error("a value with anything but letters, digits and ._:/- cannot be written into an interfaces file");
  return value;
}

}  // namespace rdmastate
