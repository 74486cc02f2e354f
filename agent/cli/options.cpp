// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <map>
#include <string_view>

#include "base/error.hpp"
#include "cli/mistyped.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

// The end of every help text. CLI11 calls it only when help is asked for.
std::string footer() {
  std::string text = "Exit codes:";
  for (const auto& [code, words] : exit_meanings) text += fmt::format("\n  {} {}", static_cast<int>(code), words);
  return text;
}

struct FormName {
  const char* name;
  OutputForm form;
};

constexpr FormName forms[] = {{"text", OutputForm::text},     {"json", OutputForm::json},
                              {"github", OutputForm::github}, {"junit", OutputForm::junit},
                              {"sarif", OutputForm::sarif},   {"prometheus", OutputForm::prometheus}};
using Forms = std::initializer_list<OutputForm>;
constexpr Forms result_forms{OutputForm::text, OutputForm::json};
// A verdict on a host has forms for pipelines too. SARIF is for mistakes in a spec alone: they have a place in a file.
constexpr Forms plan_forms{OutputForm::text, OutputForm::json, OutputForm::github, OutputForm::junit};
constexpr Forms check_forms{OutputForm::text, OutputForm::json, OutputForm::github, OutputForm::junit,
                            OutputForm::sarif};
constexpr Forms doctor_forms{OutputForm::text, OutputForm::json, OutputForm::junit, OutputForm::prometheus};

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

CLI::Option* add_spec(CLI::App& command, Options& options, const char* text, bool required = true) {
  return command.add_option("SPEC", options.specs, text)->required(required)->expected(1)->option_text("FILE");
}

CLI::Option* add_host(CLI::App& command, Options& options) {
  auto* root =
      command
          .add_option(
              "--root", options.root,
              "A tree instead of this host: a directory with the root of a system, such as an image; files only")
          ->option_text("DIR");
  command.add_option("--host", options.host, "A record instead of this host: a host saved as a JSON file")
      ->option_text("FILE")
      ->excludes(root);
  return root;
}

void add_record(CLI::App& command, Options& options) {
  command.add_option("--record", options.record, "With --host: write the changed host to this file")
      ->option_text("FILE")
      ->needs("--host");
}

void add_facts(CLI::App& command, Options& options, CLI::Option* root) {
  command
      .add_option(
          "--facts", options.facts,
          "With --root: the hardware that the tree is for, as `show -o json` or a record has it: devices, versions, "
          "and the network managers where the tree enables none")
      ->option_text("FILE")
      ->needs(root);
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

void add_wait(CLI::App& command, Options& options) {
  add_duration(command, "--wait", options.wait,
               "Repeat the check until the host is as the spec says, at most for this time");
}

CLI::Option* add_confirm_within(CLI::App& command, Options& options, const char* text) {
  constexpr unsigned longest = 86400;
  return add_duration(command, "--confirm-within", options.confirm_within, text)->check(CLI::Range(1U, longest));
}

void add_check(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("check", "Report the mistakes in a spec; needs no host, changes nothing");
  command->add_option("SPEC", options.specs, "Spec files; - is standard input")->required()->option_text("FILE...");
  command->add_flag("--strict", options.strict, "Warnings are errors");
  add_output(*command, options, check_forms);
}

void add_plan(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("plan", "Show what apply would do; changes nothing");
  add_spec(*command, options, "The spec; - is standard input");
  add_facts(*command, options, add_host(*command, options));
  command->add_flag("--adopt", options.adopt, "Plan to take over foreign files that conflict with the spec");
  command->add_flag("--replace", options.replace, "Plan to replace what a spec with another id made");
  add_max_disruption(*command, options);
  add_in_use(*command, options);
  add_restart(*command, options);
  add_allow_fabric(*command, options);
  command
      ->add_option(
          "--out", options.out,
          "Write the plan with its spec to a file (0600), for `apply --plan`, which refuses when the steps have "
          "changed")
      ->option_text("FILE");
  add_confirm_within(*command, options,
                     "Plan as if apply had this option: the interface of this session may go down for a moment");
  command->add_flag("--brief", options.brief, "One line for each step, without columns and diffs");
  command->add_flag("--detailed-exitcode", options.detailed_exitcode,
                    "Exit 2 when there is a step or something blocked");
  add_output(*command, options, plan_forms);
}

void add_apply(CLI::App& app, Options& options) {
  auto* command =
      app.add_subcommand("apply", "Change the host, and its next boot, to what the spec says; or leave it as it was");
  auto* spec = add_spec(*command, options, "The spec; - is standard input, none goes with --plan and --boot", false);
  add_facts(*command, options, add_host(*command, options));
  add_record(*command, options);
  command->add_flag("--adopt", options.adopt,
                    "Take over foreign files that conflict with the spec; the originals are kept in the run");
  command->add_flag("--replace", options.replace, "Replace what a spec with another id made");
  add_max_disruption(*command, options);
  add_in_use(*command, options);
  add_restart(*command, options);
  add_allow_fabric(*command, options);
  auto* plan =
      command
          ->add_option("--plan", options.plan,
                       "A plan that `plan --out` wrote, instead of a spec; refused unless planning again gives the "
                       "same steps")
          ->option_text("FILE")
          ->excludes(spec);
  for (const char* in_plan : {"--adopt", "--replace", "--in-use", "--restart", "--allow-fabric", "--max-disruption"})
    plan->excludes(command->get_option(in_plan));  // the saved plan has its own
  auto* boot = command->add_flag("--boot", options.boot, "Apply /etc/rdmastate/boot.json; for rdmastate.service")
                   ->excludes(spec)
                   ->excludes(plan);
  add_confirm_within(*command, options,
                     "Undo the run unless `rdmastate confirm` follows within this time, even when the terminal or the "
                     "power is lost")
      ->excludes(boot);
  command
      ->add_flag("--coalesce", options.coalesce,
                 "Do nothing when another run already waits; for rdmastate-event@.service")
      ->needs(boot);
  command
      ->add_flag("--bake", options.bake,
                 "The tree becomes an image: keep no record of this run in it, so that two bakes have the same bytes; "
                 "`rollback` cannot take it back")
      ->needs(command->get_option("--root"))
      ->excludes(command->get_option("--confirm-within"));
  add_output(*command, options, result_forms);
}

void add_verify(CLI::App& app, Options& options) {
  auto* command =
      app.add_subcommand("verify", "Compare the host, and its next boot, with the spec; exit 2 when they differ");
  auto* spec = add_spec(*command, options, "The spec; - is standard input, none goes with --boot", false);
  add_facts(*command, options, add_host(*command, options));
  command->add_flag("--allow-pending", options.allow_pending,
                    "Do not count what waits for the next boot or for another program");
  command->add_flag("--boot", options.boot, "Check against /etc/rdmastate/boot.json; for rdmastate-ready.service")
      ->excludes(spec);
  add_wait(*command, options);
  add_output(*command, options, plan_forms);
}

void add_rollback(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("rollback", "Undo the newest run");
  add_host(*command, options);
  add_record(*command, options);
  command->add_flag("--force", options.force, "Also undo what another program changed since");
  command
      ->add_option("--unconfirmed", options.run,
                   "Undo this run if it still awaits confirmation; for the timer of apply --confirm-within")
      ->option_text("RUN");
  add_output(*command, options, result_forms);
}

void add_confirm(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("confirm", "Keep the newest run, since the host can still be reached");
  command->add_option("RUN", options.run, "The run to confirm; if it is not the newest, nothing is confirmed")
      ->option_text("RUN");
  add_host(*command, options);
  add_record(*command, options);
  add_output(*command, options, result_forms);
}

void add_history(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("history", "List the runs, or what one of them changed");
  command->add_option("RUN", options.run, "Show every step of this run; without it, list the runs, newest first")
      ->option_text("RUN");
  add_host(*command, options);
  add_output(*command, options, result_forms);
}

void add_release(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand(
      "release", "Stop managing what rdmastate made: it stays as it is, and no later apply changes or removes it");
  std::vector<std::string> names;
  for (const Section* section : all_sections()) names.emplace_back(section->name);
  command->add_option("SECTION", options.released, "A section of the spec; without it, all sections")
      ->check(CLI::IsMember(names))
      ->option_text(fmt::format("{}", fmt::join(names, "|")));
  command->add_flag("--dry-run", options.dry_run, "Say what would be let go, and change nothing");
  add_host(*command, options);
  add_record(*command, options);
  add_output(*command, options, result_forms);
}

void add_show(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("show", "Show the RDMA configuration of the host");
  add_host(*command, options);
  auto* record = command->add_option("--record", options.record, "Write the host as a record that --host reads")
                     ->option_text("FILE");
  auto* as_spec = command
                      ->add_flag("--as-spec", options.as_spec,
                                 "Print the spec that describes this host, which apply can then manage")
                      ->excludes(record);
  command
      ->add_flag("--explain", options.explain,
                 "Add the file and line, or the object on the host, that each field came from")
      ->needs(as_spec);
  add_output(*command, options, result_forms);
}

void add_active(CLI::App& command, Options& options) {
  constexpr unsigned longest = 60;
  command
      .add_flag("--active", options.active,
                "Also send messages: over a reliable connection between two queue pairs of each port that is ACTIVE")
      ->excludes("--env");
  command
      .add_option(
          "--device", options.device,
          "With messages: try this RDMA device, or one port of it, such as mlx5_0/1, and no other; can be repeated")
      ->option_text("DEVICE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  add_duration(command, "--port-timeout", options.port_timeout,
               "With messages: how long those of one port may take; 5s unless it is said")
      ->check(CLI::Range(1U, longest));
}

void add_peer(CLI::App& command, Options& options) {
  constexpr unsigned longest = 3600;
  constexpr unsigned last_port = 65535;
  command
      .add_option("--peer", options.peer,
                  "With --active: the other end is this host, where `doctor --listen` waits; what the two differ in is "
                  "told too")
      ->option_text("HOST")
      ->needs("--active");
  auto* listen =
      command
          .add_flag(
              "--listen", options.listen,
              "Wait for one peer, a `doctor --active --peer` on another host, and send messages with it; then end")
          ->excludes("--active")
          ->excludes("--env");
  command.add_option("--bind", options.bind, "With --listen: the address of this host to wait at, and no other")
      ->option_text("ADDRESS")
      ->needs(listen);
  add_duration(command, "--timeout", options.timeout, "With --listen: wait no longer than this; 5min unless it is said")
      ->check(CLI::Range(1U, longest))
      ->needs(listen);
  command
      .add_option("--tcp-port", options.tcp_port,
                  "Of --listen and --peer: the same on both hosts; 4795 unless it is said")
      ->check(CLI::Range(1U, last_port))
      ->option_text("PORT");
}

void add_doctor(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand(
      "doctor", "What is wrong with RDMA on this host, why, and what to do? Changes nothing; exit 2 for an error");
  command
      ->add_option("SPEC", options.specs,
                   "A spec, of which what is not as it says is told too; or a check's id, which is explained")
      ->expected(1)
      ->option_text("FILE-OR-ID");
  command->add_option("--host", options.host, "A record instead of this host: a host saved as a JSON file")
      ->option_text("FILE");
  constexpr unsigned longest = 3600;
  auto* interval =
      add_duration(*command, "--interval", options.interval,
                   "Look twice, so long apart, and tell what counters rose meanwhile: links that flap, drops");
  interval->check(CLI::Range(1U, longest));
  command
      ->add_option("--since", options.since, "The same against an earlier look: a file that `doctor -o json` printed")
      ->option_text("FILE")
      ->excludes(interval);
  command
      ->add_flag(
          "--env", options.env,
          "Print, instead of findings, the variables of NCCL, UCX and Open MPI that fit this host, for a shell, or with -o json")
      ->excludes("SPEC")
      ->excludes("--since")
      ->excludes(interval);
  add_active(*command, options);
  add_peer(*command, options);
  add_output(*command, options, doctor_forms);
}

void add_explain(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("explain", "Explain a field of the spec: its meaning, its values, its default");
  command->add_option("FIELD", options.field, "A path such as ipoib.pkey; without it, list the top level")
      ->option_text("PATH");
}

void add_schema(CLI::App& app, Options&) {
  app.add_subcommand("schema", "The spec's JSON Schema (draft-07), for editors and pipelines");
}

void add_packages(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("packages", "List the distribution's packages that the spec needs");
  add_spec(*command, options, "The spec; - is standard input");
  add_host(*command, options);
  command->add_option("--for", options.family, "Use the package names of this distribution instead of this host's")
      ->check(CLI::IsMember({"debian", "ubuntu", "rhel", "suse"}))
      ->option_text("debian|ubuntu|rhel|suse")
      ->excludes("--root")
      ->excludes("--host");
  command->add_flag("--with-tools", options.with_tools,
                    "Also list the tools for checks: ibstat, ibv_devinfo, rping, iperf3");
  add_output(*command, options, result_forms);
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

void add_leave(CLI::App& app, Options& options) {
  auto* command =
      app.add_subcommand("leave",
                         "For packages: refuse where a run is open, say what the next boot will not have without "
                         "rdmastate, and remove the links that enable its units")
          ->group("");
  command->add_option("--root", options.root, "An offline tree instead of this host")->option_text("DIR");
}

struct Adder {
  std::string_view command;
  void (*add)(CLI::App&, Options&);
};

constexpr Adder adders[] = {{"check", add_check},       {"plan", add_plan},
                            {"apply", add_apply},       {"verify", add_verify},
                            {"confirm", add_confirm},   {"rollback", add_rollback},
                            {"release", add_release},   {"history", add_history},
                            {"show", add_show},         {"doctor", add_doctor},
                            {"explain", add_explain},   {"schema", add_schema},
                            {"packages", add_packages}, {"completion", add_completion},
                            {"man", add_man},           {"leave", add_leave}};

// If `named` is a command, only that one is made: all of them cost 1.5 million instructions more, and a whole plan that
// moves nothing takes 6.8 million (callgrind, examples/minimal.yaml).
void build(CLI::App& app, Options& options, std::string_view named = {}) {
  app.name("rdmastate");
  app.footer(footer);
  app.set_version_flag("--version", std::string("rdmastate ") + version);
  app.require_subcommand(1);
  const bool known =
      std::any_of(std::begin(adders), std::end(adders), [&](const Adder& one) { return one.command == named; });
  for (const auto& one : adders)
    if (!known || one.command == named) one.add(app, options);
  for (auto* command : app.get_subcommands(nullptr)) command->footer(footer);
}

// A spec is required unless --boot or --plan takes its place.
void require_spec(const Options& options) {
  const bool knows_boot = options.command == "apply" || options.command == "verify";
  if (knows_boot && !options.boot && options.plan.empty() && options.specs.empty()) throw CLI::RequiredError("SPEC");
}

// --host moves a record, which has to be written somewhere.
void require_record(const Options& options) {
  if (options.command != "apply" && options.command != "release") return;
  if (!options.host.empty() && options.record.empty() && !options.dry_run)
    throw CLI::ValidationError("--host",
                               "a recorded host is moved in memory only: say with --record where to write it");
}

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  if (option.get_positional()) words.names.push_back(option.get_name(true));
  for (const auto& name : option.get_snames()) words.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) words.names.push_back("--" + name);
  words.value = option.get_option_text();
  words.doc = option.get_description();
  words.positional = option.get_positional();
  words.required = option.get_required();
  words.repeated = words.value.ends_with("...") || words.doc.ends_with("can be repeated");
  return words;
}

// A sentence about the unknown command or option; empty: the mistake is another one.
std::string hint_for(const CLI::App& app, const CLI::ParseError& error, std::string_view first) {
  const auto named = app.get_subcommands();
  const bool is_word = !first.empty() && first.front() != '-';
  if (named.empty()) return is_word ? no_such_command(first) : std::string();
  if (static_cast<CLI::ExitCodes>(error.get_exit_code()) != CLI::ExitCodes::ExtrasError) return {};
  for (const auto& word : named.front()->remaining())
    if (word.starts_with("--")) return no_such_option(named.front()->get_name(), word);
  return {};
}

}  // namespace

bool parse_command_line(int argc, char** argv, Options& options, int& exit_code) {
  CLI::App app("Makes a host's RDMA set-up what one YAML spec says, now and for the next boot");
  build(app, options, argc > 1 ? argv[1] : "");
  try {
    app.parse(argc, argv);
    options.command = app.get_subcommands().front()->get_name();
    require_spec(options);
    require_record(options);
    return true;
  } catch (const CLI::ParseError& error) {
    const std::string hint = hint_for(app, error, argc > 1 ? argv[1] : "");
    if (!hint.empty()) talk("rdmastate: " + hint);
    exit_code = !hint.empty() || app.exit(error) != 0 ? static_cast<int>(ExitCode::could_not) : 0;
    return false;
  }
}

std::vector<CommandWords> command_words() {
  CLI::App app;
  Options options;
  build(app, options);
  std::vector<CommandWords> words;
  for (const auto* command : app.get_subcommands(nullptr)) {
    if (command->get_group().empty()) continue;
    CommandWords one{command->get_name(), command->get_description(), {}};
    for (const auto* option : command->get_options())
      if (option != command->get_help_ptr()) one.options.push_back(words_of(*option));
    words.push_back(std::move(one));
  }
  return words;
}

std::vector<std::string> OptionWords::choices() const {
  std::vector<std::string> words;
  if (value.find('|') == std::string::npos) return words;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find('|', at), value.size());
    words.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace rdmastate
