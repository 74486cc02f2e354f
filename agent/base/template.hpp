// SPDX-License-Identifier: Apache-2.0
// Strict rendering of the files in templates/: a name that is not given is an error, never an empty string.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rdmastate {

/// What a template's names stand for: text, a yes or no for a section, or a list of further values.
struct Values {
  using Value = std::variant<std::string, bool, std::vector<Values>>;
  std::vector<std::pair<std::string_view, Value>> of;  ///< names are literals

  void set(std::string_view name, Value value) { of.emplace_back(name, std::move(value)); }
};

/// Makes one value safe inside one file format, or throws Error when the format cannot hold it.
using Escape = std::string (*)(const std::string&);

/// For formats of one value per line: refuses control characters (a newline would start another key).
std::string escape_line(const std::string& value);
/// For udev rules' quoted values: refuses control characters, quotes and backslashes; doubles '$' and '%'.
std::string escape_udev(const std::string& value);
/// For systemd's units: refuses control characters and backslashes (one at the end would continue the line); doubles
/// '%'.
std::string escape_unit(const std::string& value);
/// For OpenSM's files, which quote nothing: letters, digits, '.', '_', '-' and '/'.
std::string escape_opensm(const std::string& value);
/// For interfaces(5) and the commands in it, which a shell reads: lets letters, digits and "._:/-" through, which
/// neither takes for anything else, and refuses the rest.
std::string escape_interfaces(const std::string& value);

/// A parsed template; rendering it often costs no parsing. In it {{name}} is a text, escaped; {{#name}} to {{/name}} is
/// there for a text, once for true and once for each of a list, {{^name}} for false and an empty list; {{.}} is the
/// text of the section that it is in. A section's tag alone in its line takes the line along.
class Template {
 public:
  /// `name` is the file's name in templates/. Throws Error when there is none, or a tag in it is none of these.
  Template(std::string_view name, Escape escape);
  /// Of a text that outlives it; messages call it `name`.
  Template(std::string_view name, std::string_view text, Escape escape);
  ~Template();
  Template(const Template&) = delete;
  Template& operator=(const Template&) = delete;
  /// Throws Error naming the template and the name that `values` lacks, or gives no text for; and what `escape` throws.
  std::string render(const Values& values) const;

 private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

/// The text of templates/NAME as it was built in, or nullopt as an empty data() pointer.
std::string_view embedded_template(std::string_view name);

}  // namespace rdmastate
