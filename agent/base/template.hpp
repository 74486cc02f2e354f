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
  std::vector<std::pair<std::string_view, Value>> of;  ///< names are not copied: string literals

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
/// For a path of exports(5): writes spaces, double quotes and '#' as octal escapes (\040); refuses control characters,
/// and backslashes, which nfs-utils reads again behind an escape.
std::string escape_exports(const std::string& value);
/// For OpenSM's files, which have no quotes: takes letters, digits, '.', '_', '-' and '/' alone.
std::string escape_opensm(const std::string& value);
/// For opensm.conf, where one value stands in a line and '#' begins a comment: takes ':' and ',' too.
std::string escape_opensm_option(const std::string& value);
/// For interfaces(5) and the commands in it, which a shell reads: takes only letters, digits and "._:/-", which have no
/// special meaning for either; refuses an empty value.
std::string escape_interfaces(const std::string& value);

/// A parsed template, which can be rendered many times. {{name}} is a text, escaped. What stands between {{#name}} and
/// {{/name}} is rendered once for a text or true, and once for each item of a list; between {{^name}} and {{/name}},
/// once for false or an empty list. {{.}} is the text of the section that it is in. A line that holds only a section's
/// tag is left out.
class Template {
 public:
  /// `name` is the file's name in templates/. Throws Error when there is none, a tag in it is none of these, or a
  /// section is not closed.
  Template(std::string_view name, Escape escape);
  /// Parses `text`, which must outlive the template; messages call it `name`. Throws Error for the same mistakes in it.
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

/// The text of templates/NAME that is compiled into the binary; its data() is nullptr when there is no such template.
std::string_view embedded_template(std::string_view name);

}  // namespace rdmastate
