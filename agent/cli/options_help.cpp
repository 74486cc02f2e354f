// SPDX-License-Identifier: Apache-2.0
#include "cli/options_help.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "base/wrap.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t width = 80;

// The text in so many columns, where the parser's formatter indents each line that follows.
std::string in_columns(std::size_t columns, const std::string& text) {
  return CLI::detail::find_and_replace(wrapped_lines(text, columns), "\n  ", "\n");
}

// "NAME a|b|c" with a line break before a choice that would go beyond the width; `used`: the columns before it.
std::string broken_at_choices(const std::string& text, std::size_t used) {
  constexpr std::string_view deeper = "      ";
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('|', at), text.size() - 1) + 1;
    if (used + end - at > width) {
      all.append("\n").append(deeper);
      used = deeper.size();
    }
    all += text.substr(at, end - at);
    used += end - at;
    at = end;
  }
  return all;
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::size_t name = 2 + make_option_name(option, option->get_positional()).size();
    return broken_at_choices(CLI::Formatter::make_option_opts(option), name);
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return in_columns(width - column_width_, CLI::Formatter::make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(), in_columns(width - column_width_, command->get_description()),
                             column_width_);
    return out.str();
  }
  std::string make_description(const CLI::App* app) const override {
    return wrapped_lines(CLI::Formatter::make_description(app), width);
  }
  std::string make_footer(const CLI::App* app) const override {
    return wrapped_lines(CLI::Formatter::make_footer(app), width);
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace rdmastate
