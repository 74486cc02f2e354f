// SPDX-License-Identifier: Apache-2.0
#include "fixes.hpp"

#include <algorithm>
#include <regex>

#include "base/error.hpp"
#include "base/fields_explain.hpp"
#include "sections/list.hpp"
#include "spec/load.hpp"

namespace rdmastate::doctor {
namespace {

#define RDMASTATE_NAME(name, type, doc) #name,
constexpr std::string_view sections[] = {RDMASTATE_SECTIONS(RDMASTATE_NAME)};
#undef RDMASTATE_NAME

/// `key: value` in a fix. Where the key has a dot, the value is a part of that section.
struct Line {
  std::string key;
  std::string value;
};

// Where the value that begins at `from` with a bracket ends: behind the bracket that closes it.
std::size_t end_of(const std::string& text, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '{' || text[at] == '[') ++depth;
    if ((text[at] == '}' || text[at] == ']') && --depth == 0) return at + 1;
  }
  return text.size();
}

std::vector<Line> lines_in(const std::string& fix) {
  static const std::regex begin(R"(([a-z][a-z0-9_.]*): (?=[\[{]))");
  std::vector<Line> lines;
  std::smatch found;
  for (std::size_t at = 0; std::regex_search(fix.begin() + static_cast<std::ptrdiff_t>(at), fix.end(), found, begin);) {
    const std::size_t value = at + static_cast<std::size_t>(found.position() + found.length());
    at = end_of(fix, value);
    lines.push_back({found[1], fix.substr(value, at - value)});
  }
  return lines;
}

// What a section has beside the part of it that a fix says.
std::string rest_of(const std::string& section, const std::string& part) {
  const std::pair<const char*, const char*> needed[] = {
      {"run", "true"}, {"instances", "[{port_guid: \"0xf4521403007bcba1\"}]"}, {"partitions", "[]"}};
  std::string rest;
  if (section != "subnet_manager") return rest;
  for (const auto& [key, value] : needed)
    if (part != key) rest += std::string(", ") + key + ": " + value;
  return rest;
}

std::string spec_with(const Line& line) {
  const auto dot = line.key.find('.');
  if (dot == std::string::npos) return "version: 1\n" + line.key + ": " + line.value + "\n";
  const std::string section = line.key.substr(0, dot);
  const std::string part = line.key.substr(dot + 1);
  return "version: 1\n" + section + ": {" + part + ": " + line.value + rest_of(section, part) + "}\n";
}

std::string why_not_taken(const Line& line) {
  Report report;
  const auto loaded = load_spec("fix", spec_with(line), report);
  return loaded && !report.failed() ? "" : render(report, false);
}

// The names of fields: words with dots that begin with a section's name.
std::vector<std::string> fields_in(const std::string& fix) {
  static const std::regex word(R"((^|[ (`])([a-z_]+(\.[a-z0-9_]+)+))");
  std::vector<std::string> fields;
  for (std::sregex_iterator at(fix.begin(), fix.end(), word), end; at != end; ++at) {
    const std::string name = (*at)[2];
    const std::string section = name.substr(0, name.find('.'));
    if (std::find(std::begin(sections), std::end(sections), section) != std::end(sections)) fields.push_back(name);
  }
  return fields;
}

}  // namespace

std::string why_refused(const std::string& fix) {
  for (const auto& line : lines_in(fix))
    if (const std::string why = why_not_taken(line); !why.empty()) return why;
  for (const auto& field : fields_in(fix)) try {
      explain(record_of<Spec>(), field);
    } catch (const Error& error) {
      return error.what();
    }
  return "";
}

}  // namespace rdmastate::doctor
