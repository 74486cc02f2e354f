// SPDX-License-Identifier: Apache-2.0
#include "platform/opensm.hpp"

#include <fmt/format.h>

namespace rdmastate {
namespace {

constexpr OpensmLayout debian{
    .settings = "/etc/default/opensm",
    .ports = "PORTS",
    .priority = "",
    .partitions = "/etc/opensm/partitions.conf",
    .drop_ins = "/etc/systemd/system",
    .instance_configs = "/etc/opensm/opensm.conf.",
    .configs = "",
    .standard = "/etc/opensm/opensm.conf",
    .unit = "/lib/systemd/system/opensm.service",
    .boot_link = "/etc/systemd/system/multi-user.target.wants/opensm.service",
    .wants_link = "",
};

constexpr OpensmLayout rhel{
    .settings = "/etc/sysconfig/opensm",
    .ports = "GUIDS",
    .priority = "PRIORITY",
    .partitions = "/etc/rdma/partitions.conf",
    .drop_ins = "",
    .instance_configs = "",
    .configs = "/etc/rdma/opensm.conf.",
    .standard = "/etc/rdma/opensm.conf",
    .unit = "/usr/lib/systemd/system/opensm.service",
    .boot_link = "",
    .wants_link = "/etc/systemd/system/network.target.wants/opensm.service",
};

constexpr OpensmLayout suse = [] {
  OpensmLayout layout = rhel;
  layout.reads_partitions = false;
  layout.standard = "/etc/opensm/opensm.conf";
  return layout;
}();

}  // namespace

std::string opensm_guid(std::uint64_t value) { return fmt::format("0x{:016x}", value); }

std::string opensm_unit_on(std::uint64_t port_guid) { return fmt::format("opensm@{}.service", opensm_guid(port_guid)); }

std::string opensm_config_on(const OpensmLayout& layout, std::uint64_t port_guid) {
  return fmt::format("{}{}", layout.instance_configs, opensm_guid(port_guid));
}

std::vector<const OpensmLayout*> opensm_layouts() { return {&debian, &rhel, &suse}; }

const OpensmLayout* opensm_layout(DistroFamily family) {
  switch (family) {
    case DistroFamily::debian:
      return &debian;
    case DistroFamily::rhel:
      return &rhel;
    case DistroFamily::suse:
      return &suse;
    case DistroFamily::other:
      break;
  }
  return nullptr;
}

}  // namespace rdmastate
