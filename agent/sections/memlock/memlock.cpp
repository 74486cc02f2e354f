// SPDX-License-Identifier: Apache-2.0
// The Section `memlock`: its expand() and memlock_places(). expand() wants a group whose members' sessions have the
// limits (add_group), and for each service a drop-in and the limit of the running service (add_running).
#include "sections/memlock/spec.hpp"

#include <fmt/format.h>

#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/group/account_text.hpp"
#include "resources/group/group.hpp"
#include "resources/login_limit/login_limit.hpp"
#include "resources/service_limit.hpp"
#include "resources/unit_files.hpp"
#include "sections/memlock/files.hpp"

namespace rdmastate {
namespace {

Wanted wanted_file(std::string path, std::string text, std::string spec_path) {
  return {&file_kind, std::move(path), State(file_kind, regular_file(std::move(text))), std::move(spec_path)};
}

// The size as limits.conf(5) has it.
std::string in_kib(const MemorySize& size) {
  return size.is_unlimited() ? "unlimited" : std::to_string(size.bytes / MemorySize::kib);
}

// The size as systemd.exec(5) has it.
std::string in_bytes(const MemorySize& size) { return size.is_unlimited() ? "infinity" : std::to_string(size.bytes); }

std::vector<std::string> names_of(const std::vector<UserName>& users) {
  std::vector<std::string> names;
  for (const auto& user : users) names.push_back(user.value);
  return names;
}

// The file in sysusers.d. It has no `m` lines: for these systemd-sysusers makes users that it does not find.
std::string sysusers_text(const MemlockSection& memlock) {
  const auto names = names_of(memlock.members);
  const std::string marked = names.empty() ? "" : fmt::format("{} {}", members_mark, join_names(names));
  const Template text("sysusers.conf", escape_line);
  return text.render({{{"has_members", !names.empty()}, {"members", marked}, {"group", memlock.group->value}}});
}

// Wants the group with its members, the file of sysusers.d that makes the group at boot, the file of limits.d for the
// members' sessions, and of each member the limits that such a session gets (login_limit_kind).
void add_group(const MemlockSection& memlock, Desired& desired) {
  const std::string& name = memlock.group->value;
  GroupState state;
  state.members = names_of(memlock.members);
  desired.add({&group_kind, name, State(group_kind, std::move(state)), "memlock.group"});
  desired.add(wanted_file(std::string(common_layout().sysusers), sysusers_text(memlock), "memlock.group"));
  const Template limits("memlock-limits.conf", escape_line);
  desired.add(wanted_file(
      std::string(common_layout().limits),
      limits.render({{{"group", name}, {"soft", in_kib(memlock.soft)}, {"hard", in_kib(memlock.hard)}}}), "memlock"));
  for (std::size_t i = 0; i < memlock.members.size(); ++i)
    desired.add({&login_limit_kind, memlock.members[i].value,
                 State(login_limit_kind, LoginLimitState{memlock.soft, memlock.hard}),
                 fmt::format("memlock.members[{}]", i)});
}

// Wants that systemd has read the unit's files, and that the running service has the limit. The drop-in is the twin of
// both. `path`: where the spec names the service. systemd reads a template (NAME@.service) only for its instances.
void add_running(const MemlockSection& memlock, const ServiceName& service, const std::string& path, Desired& desired) {
  const std::vector<Twin> twins{{{file_kind.name, memlock_drop_in_of(service)}, TwinForm::whole_file}};
  const bool is_template = service.value.ends_with("@.service");
  if (!is_template) desired.add({&unit_files_kind, service.value, read_unit_files(), path, /*awaited_from=*/"", twins});
  desired.add({&service_limit_kind, service.value,
               State(service_limit_kind, ServiceLimitState{memlock.soft, memlock.hard}), path, /*awaited_from=*/"",
               twins});
}

void expand_memlock(const Spec& spec, const Facts&, Backend, Desired& desired, Report&) {
  if (!spec.memlock) return;
  const MemlockSection& memlock = *spec.memlock;
  if (memlock.group) add_group(memlock, desired);
  const Template unit("memlock-unit.conf", escape_line);
  for (std::size_t i = 0; i < memlock.services.size(); ++i) {
    const std::string path = fmt::format("memlock.services[{}]", i);
    desired.add(wanted_file(memlock_drop_in_of(memlock.services[i]),
                            unit.render({{{"soft", in_bytes(memlock.soft)}, {"hard", in_bytes(memlock.hard)}}}), path));
    add_running(memlock, memlock.services[i], path, desired);
  }
}

FilePlaces memlock_places() {
  const Layout& layout = common_layout();
  FilePlaces all = whole_files({layout.sysusers, layout.limits});
  all.push_back({memlock_drop_in_of({"*"})});  // of any service
  return all;
}

}  // namespace

std::string memlock_drop_in_of(const ServiceName& service) {
  return fmt::format("{}/{}.d/{}", common_layout().units, service.value, memlock_drop_in);
}

constinit const Section memlock_section{"memlock", check_memlock, expand_memlock, adopt_memlock, memlock_places};

}  // namespace rdmastate
