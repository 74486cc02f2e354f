// SPDX-License-Identifier: Apache-2.0
// Commands about the command itself: explain, schema, completion.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/fields_explain.hpp"
#include "base/fields_schema.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "sections/spec.hpp"

namespace rdmastate {
namespace {

std::vector<std::string> field_paths(const Record& record, const std::string& prefix) {
  std::vector<std::string> paths;
  for (const auto& field : record.fields) {
    const std::string path = prefix + std::string(field.name);
    paths.push_back(path);
    const ValueType* type = field.type;
    while (type->element != nullptr) type = type->element;
    if (type->shape != Shape::record) continue;
    const auto deeper = field_paths(type->record(), path + ".");
    paths.insert(paths.end(), deeper.begin(), deeper.end());
  }
  return paths;
}

std::string bash_completion() {
  std::string commands;
  std::string cases;
  for (const auto& command : command_words()) {
    commands += (commands.empty() ? "" : " ") + command.name;
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name, fmt::join(command.options, " "));
  }
  return fmt::format(R"(# bash completion for rdmastate
_rdmastate() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands} --help --version" -- "$cur"))
    return
  fi
  case $prev in
    --root) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    --output|-o) COMPREPLY=($(compgen -W "text json github" -- "$cur")); return ;;
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
  esac
  case ${{COMP_WORDS[1]}} in
{cases}  esac
  case ${{COMP_WORDS[1]}} in
    explain) words="$words {fields}" ;;
    completion) words="$words bash" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case $cur in -*) ;; *) [ "${{COMP_WORDS[1]}}" = explain ] || COMPREPLY+=($(compgen -f -- "$cur")) ;; esac
}}
complete -o filenames -F _rdmastate rdmastate
)",
                     fmt::arg("commands", commands), fmt::arg("cases", cases),
                     fmt::arg("fields", fmt::format("{}", fmt::join(field_paths(record_of<Spec>(), ""), " "))));
}

}  // namespace

ExitCode run_explain(const Options& options) {
  print_result(explain(record_of<Spec>(), options.field));
  return ExitCode::done;
}

ExitCode run_schema(const Options&) {
  print_result(json_schema(record_of<Spec>()).dump(2) + "\n");
  return ExitCode::done;
}

ExitCode run_completion(const Options&) {
  print_result(bash_completion());
  return ExitCode::done;
}

}  // namespace rdmastate
