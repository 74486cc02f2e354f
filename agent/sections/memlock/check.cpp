// SPDX-License-Identifier: Apache-2.0
// The checks of section `memlock`, which need no host: for whom the limits are, that the sizes make sense, and that no
// name stands twice.
#include <fmt/format.h>

#include <map>

#include "sections/memlock/files.hpp"

namespace rdmastate {
namespace {

// In bytes. At this limit and below, libibverbs warns that memory registration will be severely limited (init.c,
// check_memlock_limit).
constexpr std::uint64_t too_little = 32 * MemorySize::kib;

void check_size(const MemorySize& size, const char* path, Report& report) {
  if (size.bytes == 0 || size.bytes > too_little) return;  // 0: it could not be read, which is reported already
  complain(report, path,
           fmt::format("{} is too little: libibverbs warns of 32KiB and less, since no queue of use fits into it",
                       to_text(size)),
           "RDMA pins whole buffers: write unlimited, or what the host can spare");
}

void check_limits(const MemlockSection& memlock, Report& report) {
  check_size(memlock.soft, "memlock.soft", report);
  check_size(memlock.hard, "memlock.hard", report);
  if (memlock.hard.bytes != 0 && memlock.soft > memlock.hard)
    complain(report, "memlock.soft",
             fmt::format("the soft limit, {}, is over the hard one, {}", to_text(memlock.soft), to_text(memlock.hard)),
             "a process raises its soft limit up to the hard one, and never over it");
}

template <class Name>
void check_once(const std::vector<Name>& names, std::string_view field, std::string_view what, Report& report) {
  std::map<std::string, std::size_t> index_by_name;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].value.empty()) continue;
    const auto [earlier, is_new] = index_by_name.emplace(names[i].value, i);
    if (!is_new)
      complain(report, fmt::format("memlock.{}[{}]", field, i),
               fmt::format("{} {} stands at memlock.{}[{}] already", what, names[i].value, field, earlier->second),
               fmt::format("name each {} once", what));
  }
}

void check_members(const MemlockSection& memlock, Report& report) {
  if (!memlock.members.empty() && !memlock.group)
    complain(report, "memlock.members", "members of no group: memlock.group is not there",
             "name the group that has the limits, such as group: rdma");
  for (std::size_t i = 0; i < memlock.members.size(); ++i)
    if (memlock.members[i].value == "root")
      complain(report, fmt::format("memlock.members[{}]", i),
               "root gains nothing as a member: pam_limits applies a group's limits to everybody but root",
               "root may pin what it likes (CAP_IPC_LOCK); name the users that run RDMA programs");
  check_once(memlock.members, "members", "user", report);
}

void check_group_and_services(const MemlockSection& memlock, Report& report) {
  if (!memlock.group && memlock.services.empty())
    complain(report, "memlock", "the limits apply to nobody: neither group nor services is given",
             "name a group for those who log in, services for what systemd starts, or both");
  if (memlock.group && memlock.group->value == "root")
    complain(report, "memlock.group", "group root owns the system's files: nobody needs to be in it to pin memory",
             "name a group of its own, such as rdma");
}

}  // namespace

void check_memlock(const Spec& spec, Report& report) {
  if (!spec.memlock) return;
  check_group_and_services(*spec.memlock, report);
  check_limits(*spec.memlock, report);
  check_members(*spec.memlock, report);
  check_once(spec.memlock->services, "services", "unit", report);
}

}  // namespace rdmastate
