// SPDX-License-Identifier: Apache-2.0
// The manual page rdmastate(8), from the options' own texts.
#include <fmt/format.h>

#include "cli/man_pages.hpp"
#include "cli/options.hpp"
#include "cli/roff.hpp"
#include "doctor/check.hpp"
#include "platform/layout.hpp"
#include "sys/journal.hpp"

namespace rdmastate {
namespace {

std::string names_of(const OptionWords& option) {
  std::string text;
  for (const auto& name : option.names) text += (text.empty() ? "" : ", ") + roff_bold(name);
  return text;
}

// The words to type stand in bold, what they are replaced by in italics.
std::string value_of(const OptionWords& option) {
  if (option.choices().empty()) return roff_italic(option.value);
  std::string text;
  for (const auto& word : option.choices()) text += (text.empty() ? "" : "|") + roff_bold(word);
  return text;
}

std::string usage_of(const OptionWords& option) {
  if (option.positional) {
    constexpr std::size_t half_a_line = 40;  // longer ones could not be broken
    const bool named = option.choices().empty() || option.value.size() > half_a_line;
    const std::string name =
        (named ? roff_italic(option.names.front()) : value_of(option)) + (option.repeated ? "..." : "");
    return option.required ? name : "[" + name + "]";
  }
  const std::string text = roff_bold(option.names.back()) + (option.value.empty() ? "" : " " + value_of(option));
  return "[" + text + "]" + (option.repeated ? "..." : "");
}

void add_synopsis(ManPage& page, const std::vector<CommandWords>& commands) {
  page.section("SYNOPSIS");
  page.line(".nh\n.ad l");  // options are neither broken nor spread
  for (const auto& command : commands) {
    std::string line = roff_bold("rdmastate " + command.name);
    for (const bool positional : {false, true})
      for (const auto& option : command.options)
        if (option.positional == positional) line += "\n" + usage_of(option);
    page.line(line + "\n.br");
  }
  page.line(roff_bold("rdmastate") + " " + roff_bold("--help") + "|" + roff_bold("--version") + "\n.ad\n.hy");
}

void add_description(ManPage& page) {
  page.section("DESCRIPTION");
  page.paragraph(
      "rdmastate reads one YAML file, the spec, that describes a host's RDMA configuration. It looks at the host, says what "
      "differs, and changes the host, and its next boot, to what the spec says. A second run touches nothing. "
      "The spec is described in rdmastate.yaml(5).");
  page.paragraph(
      "The result of a command goes to standard output, everything else to standard error. A run that fails is undone; "
      "a run that was interrupted is undone by rollback, or at the next boot. With --confirm-within a run that is not "
      "confirmed in time is undone too, whether or not the host can be reached.");
}

void add_commands(ManPage& page, const std::vector<CommandWords>& commands) {
  page.section("COMMANDS");
  for (const auto& command : commands) {
    page.item(roff_bold(command.name), command.doc + ".");
    for (const auto& option : command.options)
      if (option.positional) page.more(fmt::format("{}: {}.", option.names.front(), option.doc));
  }
}

// One option as several commands have it in the same words.
struct Shared {
  OptionWords option;
  std::vector<std::string> commands;
};

std::vector<Shared> shared_options(const std::vector<CommandWords>& commands) {
  std::vector<Shared> all;
  for (const auto& command : commands)
    for (const auto& option : command.options) {
      if (option.positional) continue;
      const auto found = std::find_if(all.begin(), all.end(), [&](const Shared& one) {
        return one.option.names == option.names && one.option.value == option.value && one.option.doc == option.doc;
      });
      if (found == all.end())
        all.push_back({option, {command.name}});
      else
        found->commands.push_back(command.name);
    }
  return all;
}

void add_options(ManPage& page, const std::vector<CommandWords>& commands) {
  page.section("OPTIONS");
  for (const auto& [option, of] : shared_options(commands)) {
    page.item(names_of(option) + (option.value.empty() ? "" : " " + value_of(option)), option.doc + ".");
    page.more(fmt::format("Of {}.", fmt::join(of, ", ")));
  }
  page.item(roff_bold("-h") + ", " + roff_bold("--help"), "Print what there is, or what a command takes, and exit.");
  page.item(roff_bold("--version"), "Print the version and exit.");
}

void add_exit_status(ManPage& page) {
  page.section("EXIT STATUS");
  for (const auto& [code, words] : exit_meanings)
    page.item(roff_bold(std::to_string(static_cast<int>(code))), std::string(words) + ".");
}

void add_checks(ManPage& page) {
  page.section("CHECKS");
  page.paragraph("What doctor looks for, by id, and how bad it can be. doctor ID explains one at length.");
  for (const auto* check : doctor::all_checks())
    page.item(roff_bold(std::string(check->id)), fmt::format("{} ({}).", check->title, to_text(check->severity)));
}

void add_files(ManPage& page) {
  const auto& layout = common_layout();
  const auto file = [&](std::string_view path, std::string_view text) { page.item(roff_italic(path), text); };
  page.section("FILES");
  file("/etc/rdmastate/host.yaml", "Where a host's spec lives: what rdmastate-apply.service applies.");
  file(layout.ledger, "What rdmastate made or changed, so that it removes only what it made.");
  file(layout.boot_file, "The volatile part of the spec, which apply --boot sets again at each boot.");
  file(layout.runs, "One directory per run, the newest 20: its plan, every old byte, its progress.");
  file(layout.unit, "First undoes a run that was interrupted or not confirmed, then sets what boot.json says.");
  file("/usr/lib/systemd/system/rdmastate-apply.service",
       "Applies host.yaml once at boot, where it is enabled, and whenever it is started.");
  file("/usr/share/rdmastate/rdmastate.schema.json", "The spec's JSON Schema.");
}

void add_journal(ManPage& page) {
  page.section("JOURNAL");
  page.paragraph("Runs are told to systemd's journal, each with RDMASTATE_RUN and one of these as MESSAGE_ID:");
  for (const auto& message : run_messages) page.item(roff_bold(message.id), fmt::format("Run {}.", message.words));
}

void add_environment(ManPage& page) {
  page.section("ENVIRONMENT");
  page.item(roff_bold("NO_COLOR"),
            "Where it is set and not empty, output has no colours unless --color asks for them.");
}

void add_examples(ManPage& page) {
  page.section("EXAMPLES");
  page.paragraph("Write the present configuration of a host as a spec, look at what would change, and apply it:");
  page.example(
      "rdmastate show --as-spec > host.yaml\nrdmastate plan host.yaml\nrdmastate apply host.yaml\nrdmastate verify host.yaml");
  page.paragraph("Change the interface of this session, and keep the change only if the host can still be reached:");
  page.example("rdmastate apply host.yaml --confirm-within 2min\nrdmastate confirm");
  page.paragraph("Check the specs of a repository in a pipeline and write a report:");
  page.example("rdmastate check -o junit hosts/*.yaml > report.xml");
  page.paragraph("Ask what is wrong with RDMA on a host, as a health check of a batch system or for node_exporter:");
  page.example(
      "rdmastate doctor host.yaml\nrdmastate doctor -o prometheus > /var/lib/prometheus/node-exporter/rdmastate.prom");
  page.paragraph("Write the files into an image, and install the packages that they need:");
  page.example(
      "rdmastate apply host.yaml --root /mnt\nrdmastate packages host.yaml --for debian | sed 's/ *#.*//' | xargs apt-get install");
}

}  // namespace

std::string man_of_command() {
  const auto commands = command_words();
  ManPage page("RDMASTATE", 8, "rdmastate", "make a host's RDMA configuration match one YAML spec");
  add_synopsis(page, commands);
  add_description(page);
  add_commands(page, commands);
  add_options(page, commands);
  add_exit_status(page);
  add_checks(page);
  add_files(page);
  add_journal(page);
  add_environment(page);
  add_examples(page);
  page.section("SEE ALSO");
  page.line(".BR rdmastate.yaml (5),\n.BR rdma (8),\n.BR ibstat (8),\n.BR opensm (8)");
  return page.text();
}

}  // namespace rdmastate
