// SPDX-License-Identifier: Apache-2.0
// The command doctor: what is wrong with RDMA on a host. Flow of run_doctor(): a check's id is explained, and that is
// all; --env prints variables, and that is all; else a first look for counters (--interval), the meeting with a peer
// (--peer, --listen), the look of all checks, messages (--active, --listen), a spec's differences, and the result.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/doctor_forms.hpp"
#include "cli/hosts.hpp"
#include "cli/output.hpp"
#include "cli/wish.hpp"
#include "doctor/peer.hpp"
#include "doctor/spec_findings.hpp"
#include "sys/peers.hpp"
#include "sys/queue_pairs.hpp"

namespace rdmastate {
namespace {

void print(const doctor::Diagnosis& diagnosis, const Facts& facts, const Options& options) {
  switch (options.form) {
    case OutputForm::json:
      return print_json(diagnosis_json(diagnosis, facts));
    case OutputForm::junit:
      return print_result(junit_text(cases_of(diagnosis), "rdmastate doctor of " + facts.host));
    case OutputForm::prometheus:
      return print_result(diagnosis_metrics(diagnosis));
    case OutputForm::text:
    case OutputForm::github:  // doctor refuses this form, and sarif
    case OutputForm::sarif:
      break;
  }
  print_text(diagnosis_text(diagnosis, Paint(wants_colour(options, STDOUT_FILENO))));
}

// Refuses a word that is neither a file nor a check's id, and does not look like a path; names the nearest check.
void refuse_mistyped(const std::string& word) {
  if (word == "-" || word.find_first_of("/.") != std::string::npos || std::filesystem::exists(word)) return;
  std::vector<std::string_view> ids;
  for (const doctor::Check* check : doctor::all_checks()) ids.push_back(check->id);
  const std::string_view near = nearest(word, ids);
  throw Error(fmt::format("there is neither a spec nor a check {}{}", word,
                          near.empty() ? ": rdmastate(8) lists the checks" : fmt::format(": did you mean {}?", near)));
}

// Prints what the check is about. No host is asked for that, so no option has an effect on it.
ExitCode explain_check(const doctor::Check& check, const Options& options) {
  for (const auto& said : options.said)
    if (said != "SPEC" && said != "-o=text" && said != "--color")
      throw Error(fmt::format("{} is the id of a check, which is explained: {} has no effect on that", check.id, said));
  print_text(check_text(check));
  return ExitCode::done;
}

ExitCode print_environment(OpenHost& open, const Options& options) {
  const Snapshot snapshot(open.host());
  const Facts facts = read_facts(snapshot);
  doctor::Examination look(snapshot, facts);
  const auto environment = doctor::environment_of(look);
  if (options.form == OutputForm::json)
    print_json(environment_json(environment));
  else
    print_text(environment_text(environment));
  return ExitCode::done;
}

// The counters to compare with: those of the file of --since, or those of now, and then waits for --interval. nullopt:
// neither option was given.
std::optional<doctor::Counters> earlier_counters(OpenHost& open, const Options& options) {
  if (!options.since.empty())
    return doctor::counters_of_look(read_named_file(options.since, "earlier look"), options.since);
  if (options.interval == 0) return std::nullopt;
  const Snapshot snapshot(open.host());
  const Facts facts = read_facts(snapshot);
  doctor::Examination look(snapshot, facts);
  auto counters = doctor::read_counters(look);
  open.host().clock.sleep(std::chrono::seconds(options.interval));
  return counters;
}

bool sends(const Options& options) { return options.active || options.listen; }

doctor::ActiveWish active_wish(const Options& options) {
  return {options.device, std::chrono::seconds(options.port_timeout)};
}

std::unique_ptr<Conversation> connect_to(const PeerPlace& place) {
  constexpr std::chrono::seconds patience{10};
  try {
    return TcpPeers().connect(place, patience);
  } catch (const SystemError& error) {
    throw Error(
        fmt::format("{}: let `rdmastate doctor --listen --bind ADDRESS` run there first, and let no firewall "
                    "close its TCP port",
                    error.what()));
  }
}

// The conversation that was asked for; null: messages stay on this host. The caller has refused wrong names of
// --device before, so that no peer waits in vain.
std::unique_ptr<Conversation> conversation_with(const Options& options) {
  const auto port = static_cast<std::uint16_t>(options.tcp_port == 0 ? doctor::peer_port : options.tcp_port);
  if (!options.peer.empty()) return connect_to({options.peer, port});
  if (!options.listen) return nullptr;
  talk(
      fmt::format("rdmastate: waits at {} port {} for one peer, for {} s: run `rdmastate doctor --active --peer` there",
                  options.bind, port, options.timeout));
  auto peer = TcpPeers().await_one({options.bind, port}, std::chrono::seconds(options.timeout));
  talk(fmt::format("rdmastate: {} has connected", peer->with()));
  return peer;
}

void try_connections(Clock& clock, const Options& options, const Snapshot& snapshot, const Facts& facts,
                     Conversation* peer, doctor::Diagnosis& to) {
  VerbsQueuePairs queue_pairs;
  const doctor::Sender sender{queue_pairs, clock};
  const auto side = options.listen ? doctor::Side::listener : doctor::Side::connector;
  if (peer == nullptr) return doctor::try_ports(sender, snapshot, facts, active_wish(options), to);
  doctor::try_with_peer(sender, snapshot, facts, active_wish(options), *peer, side, to);
}

}  // namespace

ExitCode run_doctor(const Options& options) {
  const bool has_word = !options.specs.empty();
  if (const auto* check = has_word ? doctor::check_named(options.spec()) : nullptr)
    return explain_check(*check, options);
  if (has_word) refuse_mistyped(options.spec());
  const auto file = has_word ? open_spec(options) : nullptr;
  if (has_word && !file) return ExitCode::bad_spec;
  OpenHost open(options);
  if (options.env) return print_environment(open, options);
  if (!options.device.empty()) doctor::must_have(read_facts(Snapshot(open.host())), options.device);
  const auto before = earlier_counters(open, options);  // before a peer waits for us
  const auto peer = conversation_with(options);
  const Snapshot snapshot(open.host());
  const Facts facts = read_facts(snapshot);
  doctor::Diagnosis diagnosis = doctor::Examination(snapshot, facts, before ? &*before : nullptr).all();
  if (sends(options)) try_connections(open.host().clock, options, snapshot, facts, peer.get(), diagnosis);
  if (file) {
    const Plan plan = plan_host(open.host(), wish_of(*file, options));
    print_remarks(plan, options);
    doctor::add_findings(plan, options.spec(), std::string(snapshot.who_sees()), diagnosis);
  }
  print(diagnosis, facts, options);
  return diagnosis.count(doctor::Severity::error) == 0 ? ExitCode::done : ExitCode::differs;
}

}  // namespace rdmastate
