// SPDX-License-Identifier: Apache-2.0
// A manual page in man(7)'s macros, for groff and mandoc.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// `text` escaped so that roff prints it unchanged: no backslash, hyphen, quote or accent becomes another glyph, and no
/// line becomes a request. Characters outside of ASCII are written as their code points.
std::string roff(std::string_view text);
/// The same in bold or in italics.
std::string roff_bold(std::string_view text);
std::string roff_italic(std::string_view text);

/// A manual page that is written from top to bottom: man(7) macros. Texts are escaped; line() takes roff as it is.
class ManPage {
 public:
  /// `title` in capitals by custom; `about` is what stands behind the dash under NAME.
  ManPage(std::string_view title, unsigned section, std::string_view name, std::string_view about);

  /// Begin a section (.SH) or a subsection (.SS).
  void section(std::string_view heading);
  void subsection(std::string_view heading);
  /// Plain text, wrapped.
  void paragraph(std::string_view text);
  /// Text that is roff already, as a paragraph's one line.
  void line(const std::string& marked);
  /// A tag, roff already, with plain text beside it.
  void item(const std::string& tag, std::string_view text);
  /// A further paragraph of plain text under the last item.
  void more(std::string_view text);
  /// Lines that keep their breaks.
  void example(std::string_view lines);
  const std::string& text() const { return text_; }

 private:
  void wrapped(std::string_view text);
  std::string text_;
};

}  // namespace rdmastate
