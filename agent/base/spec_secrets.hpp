// SPDX-License-Identifier: Apache-2.0
// Finds the secrets in a spec, line by line, so that render() hides them where it shows a line with a mistake. A value
// may begin in one line and end in a later one.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace rdmastate {

/// A secret's value in a line: offsets in bytes, `end` is the one behind it.
struct SecretValue {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Reads the lines of one text of YAML or JSON. Where the end of a value is in doubt, more is taken for it, not less.
class SpecSecrets {
 public:
  /// The values of the secrets in the next line, without its line end, in their order. Call it for each line.
  std::vector<SecretValue> next(std::string_view line);

 private:
  std::size_t end_of_continued(std::string_view line);
  bool goes_on_in_block(std::string_view line) const;
  void read_to(std::string_view line, std::size_t end);
  void open_or_close(char c);
  std::size_t take_value(std::string_view line, std::size_t begin);
  std::size_t take_in_flow(std::string_view line, std::size_t begin, bool can_go_on);

  // The lexer: where it is in the present line, and what is open there.
  std::size_t at_ = 0;
  char before_ = 0;  ///< the last character that is no blank; 0: the line begins
  char quote_ = 0;   ///< that closes the text in which it is; 0: it is in none
  bool in_comment_ = false;
  int open_ = 0;          ///< how many { and [ of YAML's flow style
  int opened_above_ = 0;  ///< of these, where the present line begins

  // A secret that goes on below the line in which it began.
  static constexpr std::size_t none = std::string_view::npos;
  char secret_quote_ = 0;     ///< that has to close it; 0: none
  bool in_flow_ = false;      ///< up to a line with , or } or ]
  int list_in_ = -1;          ///< a list, which ends where so many brackets are open; -1: none
  std::size_t block_ = none;  ///< the lines that are indented more than its name, which stands in this column
};

}  // namespace rdmastate
