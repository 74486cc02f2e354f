// SPDX-License-Identifier: Apache-2.0
// The options of commands that print what the binary knows, about no host: explain, schema, completion, man.
#include "cli/options_shared.hpp"

#include <CLI/App.hpp>

namespace rdmastate {

void add_explain(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("explain", "Explain a field of the spec: its meaning, its values, its default");
  command->add_option("FIELD", options.field, "A path such as ipoib.pkey; without it, list the top level")
      ->option_text("PATH");
}

void add_schema(CLI::App& app, Options&) {
  app.add_subcommand("schema", "The spec's JSON Schema (draft-07), for editors and pipelines");
}

void add_completion(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("completion", "Print the completion script for a shell, to be sourced");
  command->add_option("SHELL", options.shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text("bash|zsh|fish");
}

// For the build, which installs what it prints.
void add_man(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("man", "The manual page rdmastate.yaml(5), as roff")->group("");
  command->add_option("SECTION", options.manual, "Of the manual")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"5"}))
      ->option_text("5");
}

}  // namespace rdmastate
