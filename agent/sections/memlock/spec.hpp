// SPDX-License-Identifier: Apache-2.0
// Section `memlock`: who may pin how much memory. RDMA pins what it sends from and receives into.
#pragma once

#include <optional>
#include <vector>

#include "base/fields.hpp"
#include "base/types_account.hpp"

namespace rdmastate {

struct MemlockSection {
  std::optional<GroupName> group;
  std::vector<UserName> members;
  MemorySize soft;
  MemorySize hard;
  std::vector<ServiceName> services;
};

template <>
struct Fields<MemlockSection> {
  static constexpr std::string_view name = "memlock";
  static constexpr std::string_view doc =
      "How much memory may be pinned (RLIMIT_MEMLOCK): of users by their group, of services by their units. A session or a service that runs keeps what it was started with, until it is started anew.";
  static constexpr auto table = Table{
      Field{
          "group",
          &MemlockSection::group,
          "The group whose members have the limits when they log in (pam_limits). A group that does not exist is created as a system group.",
          {.example = "rdma"}},
      Field{
          "members",
          &MemlockSection::members,
          "Users that are added to the group. Other members stay, and so does a user who is removed from this list. rdmastate never creates users: a user who is not known yet is pending.",
          {.example = "[hpcuser]"}},
      Field{"soft",
            &MemlockSection::soft,
            "How much memory a process may pin; it may raise this up to the hard limit.",
            {.required = true, .example = "64GiB"}},
      Field{"hard",
            &MemlockSection::hard,
            "How far a process may raise its own limit.",
            {.required = true, .example = "unlimited"}},
      Field{
          "services",
          &MemlockSection::services,
          "Units that have the limits: systemd reads no limits of PAM for them. What runs keeps its limit until it is started anew, which `--restart UNIT` does.",
          {.example = "[slurmd.service]"}},
  };
};

}  // namespace rdmastate
