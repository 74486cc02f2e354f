// SPDX-License-Identifier: Apache-2.0
// Collects the mistakes in what a person wrote, with their places, and shows each with its line.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// A point in a source. Lines and columns count from 1, columns in characters (code points); line 0 is "nowhere".
struct Place {
  std::uint32_t source = 0;  ///< index into Report::sources()
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t width = 1;  ///< how many characters the caret underlines
};

/// One file that was read, kept so that a mistake can show its line.
struct Source {
  std::string name;  ///< as the user named it
  std::string text;
};

/// Whether a diagnostic makes the spec wrong (error) or is only told (warning).
enum class Severity { error, warning };

/// What is wrong about one value: the part that does not depend on where it stands.
struct Complaint {
  std::string message;   ///< what is wrong, with the offending text
  std::string expected;  ///< what would have been right; may be empty
  std::string hint;      ///< what to do; may be empty
  Severity severity = Severity::error;
  /// The value names hardware that the host may only not have yet, as an adapter at boot: `apply --wait` waits for it.
  bool comes_late = false;
};

/// A complaint with the place that it is about.
struct Diagnostic {
  Place place;
  std::string path;  ///< "ipoib[1].pkey"; empty where no structure is known yet
  Complaint complaint;
};

/// Collects every mistake of a phase. Never throws: the caller asks failed() at the end of a phase.
class Report {
 public:
  /// Nobody reads more at once; a file of 1 MiB can hold 200000, which took 0.7 s and 140 MiB to tell.
  static constexpr std::size_t kept_at_most = 1000;

  /// Keeps a source for rendering. Returns its number for Place::source.
  std::uint32_t add_source(std::string name, std::string text);
  /// Keeps the mistake; where kept_at_most are kept already, notes only that there are more.
  void add(Place place, std::string path, Complaint complaint);
  /// A mistake known by its path alone; locate() finds the place afterwards.
  void add(std::string path, Complaint complaint) { add(Place{}, std::move(path), std::move(complaint)); }

  /// Whether there was an error, also one that was not kept. Warnings do not count.
  bool failed() const { return failed_; }
  /// Notes a value that is missing though it is required, by its path: it holds a default, so no rule judges it.
  void note_unread(std::string path) { unread_.insert(std::move(path)); }
  /// Takes over what `reading`, the report of the phase that read the values, noted so, and the paths of its errors:
  /// those values could not be read and hold defaults.
  void note_unread(const Report& reading);
  /// Whether the value at this path, or one that it holds, could not be read or is missing.
  bool is_unread(std::string_view path) const;
  /// The number of errors among diagnostics().
  std::size_t errors() const { return errors_; }
  /// There were mistakes after the last one that was kept.
  bool has_more() const { return has_more_; }
  void note_more() { has_more_ = true; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  const std::vector<Source>& sources() const { return sources_; }

  /// Gives every diagnostic that has a path but no place the one that `find(path)` returns.
  template <class Find>
  void locate(Find&& find) {
    for (auto& d : diagnostics_)
      if (d.place.line == 0 && !d.path.empty()) d.place = find(std::string_view(d.path));
  }
  /// Sorts by source, line and column; diagnostics of one place stay in the order in which they were added.
  void sort();

 private:
  std::vector<Source> sources_;
  std::vector<Diagnostic> diagnostics_;
  std::set<std::string, std::less<>> unread_;
  std::size_t errors_ = 0;
  bool failed_ = false;
  bool has_more_ = false;
};

/// "spec.yaml:3:9: error: ipoib[1].pkey: ..." with the source line, a caret, what was expected and a hint. Control
/// characters of the source are shown as escapes, so that a hostile spec cannot drive the terminal; the values of
/// secrets in the line are hidden.
std::string render(const Report& report, const Diagnostic& diagnostic, bool colour);
/// All of them, with a closing count: "2 errors, 1 warning", "1000 errors, and more".
std::string render(const Report& report, bool colour);

/// `text` with control characters, marks that turn the direction of text, and bytes that are not UTF-8, as \xNN: safe
/// to print in one line.
std::string printable(std::string_view text);
/// The same for text of many lines: newlines, tabs and the terminal's colour sequences stay.
std::string printable_lines(std::string_view text);

/// The candidate nearest to `word` (case-blind equality first, then a small edit distance), or empty.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace rdmastate
