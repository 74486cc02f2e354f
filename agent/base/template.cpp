// SPDX-License-Identifier: Apache-2.0
// Parses and renders the part of mustache that the templates use: {{name}}, {{.}}, {{#name}} and {{^name}} with their
// {{/name}}. The Parser makes a flat list of Parts once; a Renderer walks it, again and again for the items of a list.
#include "base/template.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace rdmastate {
namespace {

// A piece of a template. Pieces stand in the order of the text, those within a section directly behind it.
struct Part {
  enum class What : std::uint8_t { text, value, section, inverted };
  What what;
  std::string_view text;  ///< the text itself, or the name in the tag
  std::size_t end = 0;    ///< of a section: the index of the first part behind the section
};
using Parts = std::vector<Part>;

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; }

bool is_name(std::string_view text) {
  return text == "." ||
         (!text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string_view::npos);
}

class Parser {
 public:
  Parser(std::string_view name, std::string_view text) : name_(name), text_(text) {}

  Parts parse() {
    for (std::size_t at = text_.find("{{"); at != std::string_view::npos; at = text_.find("{{", here_)) take_tag(at);
    add_text(text_.size());
    if (!open_.empty()) fail(fmt::format("{{{{#{}}}}} is never closed", parts_[open_.back()].text));
    return std::move(parts_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Error(fmt::format("template {}: {}", name_, why)); }

  void add_text(std::size_t end) {
    if (end > here_) parts_.push_back({Part::What::text, text_.substr(here_, end - here_)});
    here_ = end;
  }

  void take_tag(std::size_t at) {
    const std::size_t end = text_.find("}}", at);
    if (end == std::string_view::npos) fail("a {{ has no }}");
    std::string_view tag = text_.substr(at + 2, end - at - 2);
    const char mark = tag.empty() ? ' ' : tag.front();
    const bool is_section = mark == '#' || mark == '^' || mark == '/';
    if (is_section) tag.remove_prefix(1);
    if (!is_name(tag)) fail(fmt::format("'{}' is no tag", text_.substr(at, end + 2 - at)));
    const auto [from, to] = is_section ? whole_line(at, end + 2) : std::pair(at, end + 2);
    add_text(from);
    here_ = to;
    mark == '/' ? close(tag) : open(mark, tag);
  }

  // The range of the text that a section's tag removes: the whole line where the tag stands alone in it.
  std::pair<std::size_t, std::size_t> whole_line(std::size_t at, std::size_t end) const {
    const std::size_t begin = text_.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::size_t newline = text_.find('\n', end);
    const bool is_alone = newline != std::string_view::npos && is_blank(text_.substr(begin, at - begin)) &&
                          is_blank(text_.substr(end, newline - end));
    return is_alone ? std::pair(begin, newline + 1) : std::pair(at, end);
  }

  static Part::What what_of(char mark) {
    if (mark == '#') return Part::What::section;
    return mark == '^' ? Part::What::inverted : Part::What::value;
  }

  void open(char mark, std::string_view name) {
    const bool is_section = mark == '#' || mark == '^';
    if (is_section) open_.push_back(parts_.size());
    parts_.push_back({what_of(mark), name});
  }

  void close(std::string_view name) {
    if (open_.empty() || parts_[open_.back()].text != name) fail(fmt::format("{{{{/{}}}}} closes nothing", name));
    parts_[open_.back()].end = parts_.size();
    open_.pop_back();
  }

  std::string_view name_;
  std::string_view text_;
  std::size_t here_ = 0;  // where the text begins that is in no part yet
  Parts parts_;
  std::vector<std::size_t> open_;  // indices of the sections that are not closed yet
};

// Renders a template once. scopes_ holds the values of the sections that it is in, innermost last.
class Renderer {
 public:
  Renderer(std::string_view name, Escape escape, const Parts& parts, const Values& values)
      : name_(name), escape_(escape), parts_(parts), scopes_{{&values, nullptr}} {}

  std::string render() {
    render(0, parts_.size());
    return std::move(out_);
  }

 private:
  struct Scope {
    const Values* values;
    const Values::Value* itself;  ///< what {{.}} means; nullptr: nothing
  };

  void render(std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const Part& part = parts_[i];
      if (part.what == Part::What::text) {
        out_ += part.text;
      } else if (part.what == Part::What::value) {
        out_ += escape_(text_of(part.text));
      } else {
        render_section(i);
        i = part.end - 1;
      }
    }
  }

  void render_section(std::size_t index) {
    const Part& part = parts_[index];
    const Values::Value& value = find(part.text);
    const auto* list = std::get_if<std::vector<Values>>(&value);
    const auto* flag = std::get_if<bool>(&value);
    const bool is_shown = list != nullptr ? !list->empty() : flag == nullptr || *flag;
    if (is_shown == (part.what == Part::What::inverted)) return;
    if (list == nullptr || !is_shown) return render_in({nullptr, &value}, index);
    for (const auto& item : *list) render_in({&item, nullptr}, index);
  }

  // Renders what the section holds, once, with the scope's values before those of the scopes around it.
  void render_in(Scope scope, std::size_t section) {
    scopes_.push_back(scope);
    render(section + 1, parts_[section].end);
    scopes_.pop_back();
  }

  const Values::Value& find(std::string_view wanted) const {
    if (wanted == "." && scopes_.back().itself != nullptr) return *scopes_.back().itself;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (scope->values == nullptr) continue;
      for (const auto& [name, value] : scope->values->of)
        if (name == wanted) return value;
    }
    throw Error(fmt::format("template {} needs '{}', which has no value", name_, wanted));
  }

  const std::string& text_of(std::string_view wanted) const {
    const auto* text = std::get_if<std::string>(&find(wanted));
    if (text == nullptr) throw Error(fmt::format("template {} asks for '{}', which is no text", name_, wanted));
    return *text;
  }

  std::string_view name_;
  Escape escape_;
  const Parts& parts_;
  std::vector<Scope> scopes_;
  std::string out_;
};

}  // namespace

struct Template::Parsed {
  std::string name;
  Escape escape;
  Parts parts;
};

namespace {

std::string_view text_of_file(std::string_view name) {
  const std::string_view text = embedded_template(name);
  if (text.data() == nullptr) throw Error(fmt::format("there is no template {}", name));
  return text;
}

}  // namespace

Template::Template(std::string_view name, Escape escape) : Template(name, text_of_file(name), escape) {}

Template::Template(std::string_view name, std::string_view text, Escape escape)
    : parsed_(std::make_unique<Parsed>(Parsed{std::string(name), escape, Parser(name, text).parse()})) {}

Template::~Template() = default;

std::string Template::render(const Values& values) const {
  return Renderer(parsed_->name, parsed_->escape, parsed_->parts, values).render();
}

}  // namespace rdmastate
