// SPDX-License-Identifier: Apache-2.0
#include "cli/options_shared.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <map>

namespace rdmastate {
namespace {

struct FormName {
  const char* name;
  OutputForm form;
};

constexpr FormName forms[] = {{"text", OutputForm::text},     {"json", OutputForm::json},
                              {"github", OutputForm::github}, {"junit", OutputForm::junit},
                              {"sarif", OutputForm::sarif},   {"prometheus", OutputForm::prometheus}};

}  // namespace

std::string_view form_name(OutputForm form) {
  return std::find_if(std::begin(forms), std::end(forms), [&](const FormName& one) { return one.form == form; })->name;
}

void add_output(CLI::App& command, Options& options, Forms allowed) {
  std::map<std::string, OutputForm> known;
  std::string text;
  for (const auto& [name, form] : forms) {
    if (std::find(allowed.begin(), allowed.end(), form) == allowed.end()) continue;
    text += (known.empty() ? "" : "|") + std::string(name);
    known.emplace(name, form);
  }
  command.add_option("-o,--output", options.form, "Form of the result")
      ->transform(CLI::CheckedTransformer(std::move(known)))
      ->option_text(std::move(text));
  const std::map<std::string, ColourChoice> colours{
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  command.add_option("--color", options.colour, "Colour: on a terminal unless NO_COLOR is set, always, never")
      ->transform(CLI::CheckedTransformer(colours))
      ->option_text("auto|always|never");
}

void add_spec(CLI::App& command, Options& options, const char* text, Presence presence) {
  command.add_option("SPEC", options.specs, text)
      ->required(presence == Presence::required)
      ->expected(1)
      ->option_text("FILE");
}

void add_host(CLI::App& command, Options& options) {
  command
      .add_option("--root", options.root,
                  "A tree instead of this host: a directory with the root of a system, such as an image; files only")
      ->option_text("DIR");
  command.add_option("--host", options.host, "A record instead of this host: a host saved as a JSON file")
      ->option_text("FILE");
}

void add_record(CLI::App& command, Options& options) {
  command.add_option("--record", options.record, "With --host: write the changed host to this file")
      ->option_text("FILE");
}

void add_facts(CLI::App& command, Options& options) {
  command
      .add_option(
          "--facts", options.facts,
          "With --root: the hardware that the tree is for, as `show -o json` or a record has it: devices, versions, "
          "and the network managers where the tree enables none")
      ->option_text("FILE");
}

void add_in_use(CLI::App& command, Options& options) {
  command
      .add_option("--in-use", options.in_use,
                  "An RDMA device that may be interrupted although it, or an address on it, is in use; can be repeated")
      ->option_text("DEVICE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

void add_restart(CLI::App& command, Options& options) {
  command
      .add_option("--restart", options.restart,
                  "A unit that may be restarted or stopped now where the spec needs that; can be repeated")
      ->option_text("UNIT")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

void add_allow_fabric(CLI::App& command, Options& options) {
  command.add_flag("--allow-fabric", options.allow_fabric,
                   "Allow what other hosts notice: stopping a subnet manager, removing a partition or a member");
}

// `fabric` is no value of this option: it has a flag of its own, --allow-fabric.
void add_max_disruption(CLI::App& command, Options& options) {
  std::map<std::string, Disruption> ladder;
  for (const auto& [value, name] : Names<Disruption>::table)
    if (value != Disruption::fabric) ladder.emplace(name, value);
  command
      .add_option("--max-disruption", options.max_disruption,
                  "The most that a step may disturb: an interface goes down for a moment (link, the default), a daemon "
                  "restarts (service), a driver is reloaded (module)")
      ->transform(CLI::CheckedTransformer(std::move(ladder)))
      ->option_text("none|link|service|module");
}

CLI::Option* add_duration(CLI::App& command, const char* name, unsigned& seconds, const char* text) {
  constexpr unsigned minute = 60;
  const std::map<std::string, unsigned> units{{"s", 1}, {"min", minute}, {"m", minute}, {"h", minute * minute}};
  return command.add_option(name, seconds, text)
      ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_REQUIRED))
      ->option_text("120s|2min");
}

void add_wait(CLI::App& command, Options& options, const char* text) {
  add_duration(command, "--wait", options.wait, text);
}

void add_confirm_within(CLI::App& command, Options& options, const char* text) {
  constexpr unsigned longest = 86400;
  add_duration(command, "--confirm-within", options.confirm_within, text)->check(CLI::Range(1U, longest));
}

}  // namespace rdmastate
