// SPDX-License-Identifier: Apache-2.0
// Adopts section `memlock` from the files that rdmastate wrote: the group and its limits from limits.d, its members
// from sysusers.d, services from their drop-ins.
#include <fmt/format.h>

#include <algorithm>

#include "base/ini.hpp"
#include "base/lines.hpp"
#include "base/systemd_size.hpp"
#include "platform/layout.hpp"
#include "resources/group/group.hpp"
#include "sections/memlock/files.hpp"

namespace rdmastate {
namespace {

struct Limits {
  MemorySize soft;
  MemorySize hard;
  bool operator==(const Limits&) const = default;
};

// Whether a spec can say the limit: no limit, or whole KiB, and not 0.
bool is_whole(std::uint64_t bytes) {
  return bytes == MemorySize::no_limit || (bytes != 0 && bytes % MemorySize::kib == 0);
}

// A size as limits.conf has it: a number of KiB, or "unlimited". nullopt where it is neither, is 0 or is too large.
std::optional<MemorySize> size_from(std::string_view text) {
  if (text == "unlimited") return MemorySize{MemorySize::no_limit};
  std::uint64_t number = 0;
  if (Text<std::uint64_t>::read({text}, number) || number > MemorySize::no_limit / MemorySize::kib / 2)
    return std::nullopt;
  return number == 0 ? std::nullopt : std::optional(MemorySize{number * MemorySize::kib});
}

bool is_comment(const std::string& line) { return line.empty() || line[0] == '#'; }

struct GroupLimits {
  std::optional<GroupName> group;
  Limits limits;
  std::size_t line = 0;  ///< the last one that gives a limit
};

// nullopt where the text is not what rdmastate writes.
std::optional<GroupLimits> group_limits_in(const std::string& text) {
  GroupLimits found;
  for (const auto& [number, line] : numbered_lines(text)) {
    if (is_comment(line)) continue;
    const auto parts = words(line);  // @rdma soft memlock 67108864
    if (parts.size() != 4 || !parts[0].starts_with('@') || parts[2] != "memlock") return std::nullopt;
    GroupName group;
    if (Text<GroupName>::read({std::string_view(parts[0]).substr(1), /*plain=*/false}, group)) return std::nullopt;
    if (found.group && *found.group != group) return std::nullopt;
    found.group = group;
    const auto size = size_from(parts[3]);
    if (!size || (parts[1] != "soft" && parts[1] != "hard")) return std::nullopt;
    (parts[1] == "soft" ? found.limits.soft : found.limits.hard) = *size;
    found.line = number;
  }
  if (!found.group || found.limits.soft.bytes == 0 || found.limits.hard.bytes == 0) return std::nullopt;
  return found;
}

std::optional<Limits> limits_of_unit(const std::string& text) {
  const auto limit = systemd_limit(ini::File(ini::systemd, text).value("Service", "LimitMEMLOCK"));
  if (!limit || !is_whole(limit->soft) || !is_whole(limit->hard)) return std::nullopt;
  return Limits{{limit->soft}, {limit->hard}};
}

void adopt_members(const Snapshot& snapshot, MemlockSection& memlock) {
  for (const auto& name : marked_members(snapshot.read(std::string(common_layout().sysusers)).value_or(""))) {
    UserName user;
    if (!Text<UserName>::read({name, /*plain=*/false}, user)) memlock.members.push_back(std::move(user));
  }
}

void adopt_group(const Snapshot& snapshot, Adopted& to) {
  const std::string path(common_layout().limits);
  const auto text = snapshot.read(path);
  if (!text) return;
  const auto found = group_limits_in(*text);
  if (!found) return to.left_out.push_back(fmt::format("{} does not read as rdmastate wrote it", path));
  MemlockSection& memlock = to.spec.memlock.emplace();
  memlock.group = found->group;
  memlock.soft = found->limits.soft;
  memlock.hard = found->limits.hard;
  to.came_from("memlock", place_of(path, found->line));
  adopt_members(snapshot, memlock);
}

void adopt_service(const Snapshot& snapshot, const ServiceName& service, Adopted& to) {
  const std::string path = memlock_drop_in_of(service);
  const auto text = snapshot.read(path);
  if (!text) return;
  const auto limits = limits_of_unit(*text);
  const bool fits = limits && (!to.spec.memlock || Limits{to.spec.memlock->soft, to.spec.memlock->hard} == *limits);
  if (!fits)
    return to.left_out.push_back(fmt::format(
        "{} {}", path, limits ? "has other limits than the rest of memlock" : "does not read as rdmastate wrote it"));
  if (!to.spec.memlock) {
    to.spec.memlock.emplace().soft = limits->soft;
    to.spec.memlock->hard = limits->hard;
  }
  to.came_from(fmt::format("memlock.services[{}]", to.spec.memlock->services.size()), path);
  to.spec.memlock->services.push_back(service);
}

}  // namespace

void adopt_memlock(const Adoption& from, Adopted& to) {
  constexpr std::string_view drop_ins = ".d";
  adopt_group(from.snapshot, to);
  for (const auto& name : from.snapshot.list(std::string(common_layout().units))) {
    ServiceName service;
    if (!name.ends_with(drop_ins) ||
        Text<ServiceName>::read({std::string_view(name).substr(0, name.size() - drop_ins.size()), /*plain=*/false},
                                service))
      continue;
    adopt_service(from.snapshot, service, to);
  }
}

}  // namespace rdmastate
