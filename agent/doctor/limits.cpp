// SPDX-License-Identifier: Apache-2.0
// Services are judged by their main process's limit. A login has what pam_limits makes of its files (logins.hpp). What
// these do not say is as process 1 has it where pam_limits is told so, and on Debian (tried with its pam 1.5.2); else
// as the SSH server's process has it.
#include "doctor/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "host/process_limits.hpp"
#include "resources/login_limit/logins.hpp"
#include "resources/login_limit/pam_service.hpp"

namespace rdmastate::doctor {
namespace {

constexpr MemorySize usual{8ULL << 20U};  // DefaultLimitMEMLOCK=8M, systemd-system.conf(5)

// --- services

constexpr Starter all_starters[] = {{"slurmd.service", Severity::warning},
                                    {"pbs.service", Severity::warning},
                                    {"containerd.service", Severity::info},
                                    {"docker.service", Severity::info},
                                    {"crio.service", Severity::info}};

std::string limits_text(const MemlockLimit& limit) {
  return fmt::format("Max locked memory: soft {}, hard {}", rdmastate::to_text(limit.soft),
                     rdmastate::to_text(limit.hard));
}

Evidence limits_of_process(std::uint32_t pid, const MemlockLimit& limit) {
  return {fmt::format("/proc/{}/limits", pid), limits_text(limit)};
}

// Of a service whose own limit is well: what a restart left running with the limit that it had before.
void look_for_older(Examination& look, const Starter& starter, const UnitLook& unit) {
  if (!unit.older || unit.older->memlock.soft > usual) return;
  const OlderProcesses& older = *unit.older;
  const std::string name(starter.unit);
  auto& finding = look.found(
      {About::service, name},
      fmt::format("{} of its processes, such as {}, may pin {} of memory", older.count, older.command,
                  rdmastate::to_text(older.memlock.soft)),
      "A restart of the service leaves what it started running, with the limit of its own start; what this starts in its "
      "turn inherits that.",
      "End what these processes belong to and start it anew: of a container engine delete and create the containers "
      "(pods), of slurmd wait for the jobs.",
      {{fmt::format("/proc/PID/limits of {}", older.command), limits_text(older.memlock)}});
  finding.severity = starter.severity;
}

void look_at_services(Examination& look) {
  for (const auto& starter : all_starters) {
    const std::string name(starter.unit);
    const UnitLook* unit = look.snapshot.unit(name);
    if (unit == nullptr || !unit->active || !unit->memlock) continue;
    if (unit->memlock->soft > usual) {
      look_for_older(look, starter, *unit);
      continue;
    }
    auto& finding =
        look.found({About::service, name},
                   fmt::format("what it starts may pin {} of memory", rdmastate::to_text(unit->memlock->soft)),
                   "The limit is the one that systemd gives every service; limits.conf is not read for services.",
                   fmt::format("memlock: {{services: [{}], soft: unlimited, hard: unlimited}}, and restart it.", name),
                   {limits_of_process(unit->main_pid, *unit->memlock)});
    finding.severity = starter.severity;
  }
}

// --- logins

/// A process from which a login inherits the limits that no line sets.
struct LimitSource {
  std::string unit;  ///< of the SSH server
  std::string name;  ///< whose limits these are: the unit, or "process 1"
  std::uint32_t pid = 0;
  MemlockLimit limit;
  Evidence evidence() const { return limits_of_process(pid, limit); }
};

// The SSH server. nullopt: none runs, or its limits cannot be read.
std::optional<LimitSource> ssh_server(Examination& look) {
  if (!look.snapshot.systemd_answers()) return std::nullopt;
  for (const auto& unit : look.snapshot.services()) {
    const std::string_view name = std::string_view(unit).substr(0, unit.find_first_of(".@"));
    const UnitLook* found = name == "ssh" || name == "sshd" ? look.snapshot.unit(unit) : nullptr;
    if (found != nullptr && found->active && found->memlock)
      return LimitSource{unit, unit, found->main_pid, *found->memlock};
  }
  return std::nullopt;
}

// The process from which a login inherits that pam_limits sets up; nullopt: not known.
std::optional<LimitSource> source_of_login(Examination& look, const std::optional<LimitSource>& server) {
  if (!server || !takes_limits_of_init(look.snapshot, look.facts, "sshd")) return server;
  const auto limit = memlock_from(look.text("/proc/1/limits").value_or(""));
  if (!limit) return std::nullopt;
  return LimitSource{server->unit, "process 1", 1, *limit};
}

// What a login may pin, and why.
struct Pinnable {
  MemorySize size{MemorySize::no_limit};
  const LimitSaid* said = nullptr;  ///< the line that says so; null: the limit is inherited
  bool is_hard = false;             ///< the hard limit, to which pam_limits cuts a larger soft one
};

// The smaller one of the soft and the hard limit. One that no line says, and whose source is not known, is not judged.
Pinnable pinnable(const LimitsOf& limits, const std::optional<LimitSource>& source) {
  const auto one = [&](const std::optional<LimitSaid>& said, bool is_hard) {
    if (said) return Pinnable{said->size, &*said, is_hard};
    if (!source) return Pinnable{.is_hard = is_hard};
    return Pinnable{is_hard ? source->limit.hard : source->limit.soft, nullptr, is_hard};
  };
  const Pinnable soft = one(limits.soft, /*is_hard=*/false);
  const Pinnable hard = one(limits.hard, /*is_hard=*/true);
  return hard.size < soft.size ? hard : soft;
}

constexpr const char* spec_line =
    "memlock: {group: rdma, soft: unlimited, hard: unlimited}, with the users as members, and log in anew.";

// Finds that who comes by SSH gets nothing of the lines that give enough, since the server does not let pam_limits set
// them. Returns whether that was found.
bool look_at_pam(Examination& look, const std::optional<LimitSource>& server, const LimitSaid& most) {
  std::string why = why_ssh_sets_none(look.snapshot);
  if (why.empty() || !server || server->limit.soft > usual) return false;
  why[0] = ascii::upper(why[0]);
  look.found({About::service, server->unit},
             fmt::format("who logs in by SSH may pin {} of memory, whatever {} says",
                         rdmastate::to_text(server->limit.soft), most.file),
             why + ".",
             fmt::format("Do that: `UsePAM yes`, and `session required pam_limits.so` in /etc/pam.d/sshd; then "
                         "`systemctl reload {}` and log in anew.",
                         server->unit),
             {{most.file, most.line}, server->evidence()});
  return true;
}

// "a, b and 7 more"
std::string listed(const std::vector<std::string>& users) {
  constexpr std::size_t shown = 3;
  if (users.size() <= shown + 1) return fmt::format("{}", fmt::join(users, ", "));
  return fmt::format("{} and {} more", fmt::join(users.begin(), users.begin() + shown, ", "), users.size() - shown);
}

std::string cause_of(const LimitsOf& limits, const Pinnable& what, const std::optional<LimitSource>& source) {
  if (!limits.exempt.empty())
    return fmt::format("{} keeps pam_limits from setting any limit, so a login has that of {}.", limits.exempt,
                       source->name);
  if (what.said != nullptr)
    return fmt::format("{} counts more: a line for a user before one for a group, and among equals the last.",
                       what.said->line);
  return fmt::format("No line sets the {} limit, so a login has that of {}{}.", what.is_hard ? "hard" : "soft",
                     source->name, what.is_hard ? ", to which the soft one is cut" : "");
}

// Users who do not get what a line gives them, all for one reason.
struct Shortage {
  MemorySize size;   ///< what they get
  LimitSaid most;    ///< the line that gives them most, and has no effect
  Evidence counted;  ///< what counts instead
  std::string file;  ///< where it is to be mended
  std::vector<std::string> users;
};

Shortage shortage_of(const Pinnable& what, const std::optional<LimitSource>& source, const LimitSaid& most) {
  if (what.said == nullptr) return {what.size, most, source->evidence(), most.file, {}};
  return {what.size, most, {what.said->file, what.said->line}, what.said->file, {}};
}

// Of a user whom a line exempts pam_limits sets nothing, also not what process 1 has.
void look_at_users(Examination& look, const std::optional<LimitSource>& server,
                   const std::optional<LimitSource>& source, const LoginLimits& limits) {
  std::map<std::pair<std::string, std::string>, Shortage> all;  // by cause and the line that is lost
  for (const auto& login : limits.named) {
    const auto& from = login.in_force.exempt.empty() ? source : server;
    const Pinnable what = pinnable(login.in_force, from);
    if (login.most.size <= usual || what.size > usual) continue;
    const std::pair reason{cause_of(login.in_force, what, from), login.most.line};
    all.try_emplace(reason, shortage_of(what, from, login.most)).first->second.users.push_back(login.user);
  }
  for (const auto& [reason, one] : all)
    look.found({About::file, one.file},
               fmt::format("{} may pin {} of memory after a login, although {} gives more", listed(one.users),
                           rdmastate::to_text(one.size), one.most.line),
               reason.first, fmt::format("Take out what counts more, and give both limits; as a spec: {}", spec_line),
               {{one.most.file, one.most.line}, one.counted});
}

// No line gives anybody more than is usual.
void look_at_anybody(Examination& look, const std::optional<LimitSource>& source, const LimitsOf& limits) {
  const Pinnable what = pinnable(limits, source);
  if (!source || what.size > usual) return;
  auto& finding =
      look.found({About::service, source->unit},
                 fmt::format("who logs in by SSH may pin {} of memory", rdmastate::to_text(what.size)),
                 what.said != nullptr ? what.said->line + " says so."
                                      : fmt::format("No line says it, so a login has what {} has.", source->name),
                 spec_line, {source->evidence()});
  if (what.said != nullptr) finding.evidence.push_back({what.said->file, what.said->line});
  finding.severity = Severity::info;
}

void look_at_logins(Examination& look) {
  const LoginLimits limits = login_limits(look.snapshot);
  const auto server = ssh_server(look);
  const bool has_pam = why_ssh_sets_none(look.snapshot).empty();
  const auto source = has_pam ? source_of_login(look, server) : server;
  if (!limits.most || limits.most->size <= usual)
    return look_at_anybody(look, source, has_pam ? limits.anybody : LimitsOf{});
  if (!look_at_pam(look, server, *limits.most)) look_at_users(look, server, source, limits);
}

}  // namespace

std::span<const Starter> starters() { return all_starters; }

void look_for_limits(Examination& look) {
  if (look.facts.devices.empty()) return;
  if (look.has_systemd()) look_at_services(look);
  look_at_logins(look);
}

FilePlaces limits_places() { return whole_files({"/proc/1/limits"}); }

}  // namespace rdmastate::doctor
