// SPDX-License-Identifier: Apache-2.0
// Services are judged by their main process's limit. A login has what pam_limits makes of its files (logins.hpp), and
// what these do not say it inherits from the SSH server's process.
#include "doctor/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "host/units.hpp"
#include "resources/login_limit/logins.hpp"

namespace rdmastate::doctor {
namespace {

constexpr MemorySize usual{8ULL << 20U};  // DefaultLimitMEMLOCK=8M, systemd-system.conf(5)

// --- services

struct Starter {
  std::string_view unit;
  Severity severity;  ///< of a low limit: how sure it is that what it starts uses RDMA
};
// Services that start programs of users, which open RDMA devices.
constexpr Starter starters[] = {{"slurmd.service", Severity::warning},
                                {"pbs.service", Severity::warning},
                                {"containerd.service", Severity::info},
                                {"docker.service", Severity::info},
                                {"crio.service", Severity::info}};

Evidence limits_of_process(const UnitLook& unit) {
  return {fmt::format("/proc/{}/limits", unit.main_pid),
          fmt::format("Max locked memory: soft {}, hard {}", rdmastate::to_text(unit.memlock->soft),
                      rdmastate::to_text(unit.memlock->hard))};
}

void look_at_services(Examination& look) {
  for (const auto& starter : starters) {
    const std::string name(starter.unit);
    const UnitLook* unit = look.snapshot.unit(name);
    if (unit == nullptr || !unit->active || !unit->memlock || unit->memlock->soft > usual) continue;
    auto& finding =
        look.found({About::service, name},
                   fmt::format("what it starts may pin {} of memory", rdmastate::to_text(unit->memlock->soft)),
                   "The limit is the one that systemd gives every service; limits.conf is not read for services.",
                   fmt::format("memlock: {{services: [{}], soft: unlimited, hard: unlimited}}, and restart it.", name),
                   {limits_of_process(*unit)});
    finding.severity = starter.severity;
  }
}

// --- logins

// The SSH server that runs, whose sessions inherit its limits.
struct SshServer {
  std::string unit;
  const UnitLook* look = nullptr;
};

// nullopt: none runs, or its limits cannot be read.
std::optional<SshServer> ssh_server(Examination& look) {
  if (!look.snapshot.systemd_answers()) return std::nullopt;
  for (const auto& unit : look.snapshot.services()) {
    const std::string_view name = std::string_view(unit).substr(0, unit.find_first_of(".@"));
    const UnitLook* found = name == "ssh" || name == "sshd" ? look.snapshot.unit(unit) : nullptr;
    if (found != nullptr && found->active && found->memlock) return SshServer{unit, found};
  }
  return std::nullopt;
}

// What a login may pin, and why.
struct Pinnable {
  MemorySize size{MemorySize::no_limit};
  const LimitSaid* said = nullptr;  ///< the line that says so; null: the SSH server's limit
  bool is_hard = false;             ///< the hard limit, to which pam_limits cuts a larger soft one
};

// The smaller one of the soft and the hard limit. Where no line says one, and no SSH server is known, it is not judged.
Pinnable pinnable(const LimitsOf& limits, const std::optional<SshServer>& server) {
  const auto one = [&](const std::optional<LimitSaid>& said, bool is_hard) {
    if (said) return Pinnable{said->size, &*said, is_hard};
    if (!server) return Pinnable{.is_hard = is_hard};
    const MemlockLimit& inherited = *server->look->memlock;
    return Pinnable{is_hard ? inherited.hard : inherited.soft, nullptr, is_hard};
  };
  const Pinnable soft = one(limits.soft, /*is_hard=*/false);
  const Pinnable hard = one(limits.hard, /*is_hard=*/true);
  return hard.size < soft.size ? hard : soft;
}

constexpr const char* spec_line =
    "memlock: {group: rdma, members: [...], soft: unlimited, hard: unlimited}, and log in anew.";

// Lines that give enough do not count for who comes by SSH. Returns whether that was found.
bool look_at_pam(Examination& look, const std::optional<SshServer>& server, const LimitSaid& most) {
  std::string why = why_ssh_sets_none(look.snapshot);
  if (why.empty() || !server || server->look->memlock->soft > usual) return false;
  why[0] = ascii::upper(why[0]);
  look.found({About::service, server->unit},
             fmt::format("who logs in by SSH may pin {} of memory, whatever {} says",
                         rdmastate::to_text(server->look->memlock->soft), most.file),
             why + ".",
             fmt::format("Do that: `UsePAM yes`, and `session required pam_limits.so` in /etc/pam.d/sshd; then "
                         "`systemctl reload {}` and log in anew.",
                         server->unit),
             {{most.file, most.line}, limits_of_process(*server->look)});
  return true;
}

// "a, b and 7 more"
std::string listed(const std::vector<std::string>& users) {
  constexpr std::size_t shown = 3;
  if (users.size() <= shown + 1) return fmt::format("{}", fmt::join(users, ", "));
  return fmt::format("{} and {} more", fmt::join(users.begin(), users.begin() + shown, ", "), users.size() - shown);
}

std::string cause_of(const Pinnable& what, const std::optional<SshServer>& server) {
  if (what.said != nullptr)
    return fmt::format("{} counts more: a line for a user before one for a group, and among equals the last.",
                       what.said->line);
  return fmt::format("No line sets the {} limit, so a login has that of {}{}.", what.is_hard ? "hard" : "soft",
                     server->unit, what.is_hard ? ", to which the soft one is cut" : "");
}

// Users who do not get what a line gives them, all for one reason.
struct Shortage {
  MemorySize size;  ///< what they get
  LimitSaid most;   ///< what is lost on them
  Evidence counted;
  std::string file;  ///< where it is to be mended
  std::vector<std::string> users;
};

Shortage shortage_of(const Pinnable& what, const std::optional<SshServer>& server, const LimitSaid& most) {
  if (what.said == nullptr) return {what.size, most, limits_of_process(*server->look), most.file, {}};
  return {what.size, most, {what.said->file, what.said->line}, what.said->file, {}};
}

void look_at_users(Examination& look, const std::optional<SshServer>& server, const LoginLimits& limits) {
  std::map<std::pair<std::string, std::string>, Shortage> all;  // by cause and the line that is lost
  for (const auto& login : limits.named) {
    const Pinnable what = pinnable(login.in_force, server);
    if (login.most.size <= usual || what.size > usual) continue;
    const std::pair reason{cause_of(what, server), login.most.line};
    all.try_emplace(reason, shortage_of(what, server, login.most)).first->second.users.push_back(login.user);
  }
  for (const auto& [reason, one] : all)
    look.found({About::file, one.file},
               fmt::format("{} may pin {} of memory after a login, although {} gives more", listed(one.users),
                           rdmastate::to_text(one.size), one.most.line),
               reason.first, fmt::format("Take out what counts more, and give both limits; as a spec: {}", spec_line),
               {{one.most.file, one.most.line}, one.counted});
}

void look_at_anybody(Examination& look, const std::optional<SshServer>& server, const LoginLimits& limits) {
  const bool has_pam = why_ssh_sets_none(look.snapshot).empty();
  const Pinnable what = pinnable(has_pam ? limits.anybody : LimitsOf{}, server);
  if (!server || what.size > usual) return;
  auto& finding = look.found(
      {About::service, server->unit},
      fmt::format("who logs in by SSH may pin {} of memory", rdmastate::to_text(what.size)),
      what.said != nullptr ? what.said->line + " says so." : "No file gives anybody more than systemd gives a service.",
      spec_line, {limits_of_process(*server->look)});
  if (what.said != nullptr) finding.evidence.push_back({what.said->file, what.said->line});
  finding.severity = Severity::info;
}

void look_at_logins(Examination& look) {
  const LoginLimits limits = login_limits(look.snapshot);
  const auto server = ssh_server(look);
  if (!limits.most || limits.most->size <= usual) return look_at_anybody(look, server, limits);
  if (!look_at_pam(look, server, *limits.most)) look_at_users(look, server, limits);
}

}  // namespace

void look_for_limits(Examination& look) {
  if (look.facts.devices.empty()) return;
  if (look.has_systemd()) look_at_services(look);
  look_at_logins(look);
}

}  // namespace rdmastate::doctor
