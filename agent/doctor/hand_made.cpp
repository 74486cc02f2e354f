// SPDX-License-Identifier: Apache-2.0
// Sources: the guides of Red Hat and of Debian's wiki, mlnx-tools, and units that run `rdma link add`.
#include "doctor/hand_made.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/lines.hpp"
#include "doctor/limits.hpp"

namespace rdmastate::doctor {
namespace {

/// A command, and the field that does the same.
struct Command {
  std::string_view word;
  std::string_view field;
};

constexpr Command commands[] = {
    {"rdma link add", "soft_devices"},
    {"default_roce_mode", "devices.ports.roce.default_mode"},
    {"cma_roce_mode", "devices.ports.roce.default_mode"},
    {"cma_roce_tos", "devices.ports.roce.tos"},
    {"mlnx_qos", "devices.ports.qos"},
    {"rdma system set netns", "rdma.netns"},
    {"create_child", "ipoib.pkey"},
};

// What the boot runs, and where scripts lie that it is told to run.
constexpr std::string_view scripts[] = {"/etc/systemd/system/*.service", "/etc/rc.local", "/etc/rc.d/rc.local",
                                        "/usr/local/bin/*.sh", "/usr/local/sbin/*.sh"};

constexpr HandMade files[] = {
    {"/etc/security/limits.conf", "@rdma", "memlock"},
    {"/etc/security/limits.d/*.conf", "@rdma", "memlock"},
    {"/etc/security/limits.d/rdma.conf", "memlock", "memlock"},
    {"/etc/udev/rules.d/70-persistent-ipoib.rules", "NAME=", "ipoib.name"},
    {"/etc/systemd/network/*.link", ":fe:80:00:00:00:00:00:00:", "ipoib.name", "MACAddress="},
    {"/etc/network/interfaces", "iface ib", "ipoib.ipv4"},
    {"/etc/network/interfaces.d/*", "iface ib", "ipoib.ipv4"},
    {"/etc/network/interfaces", "iface ", "ipoib.ipv4", "_ib"},
    {"/etc/network/interfaces.d/*", "iface ", "ipoib.ipv4", "_ib"},
    {"/etc/sysconfig/network-scripts/ifcfg-*", "InfiniBand", "ipoib.ipv4", "TYPE="},
    {"/etc/udev/rules.d/60-rdma-persistent-naming.rules", "NAME_", "devices.name"},
    {"/etc/udev/rules.d/*.rules", "umad", "permissions.umad", "MODE="},
    {"/usr/lib/udev/rules.d/90-rdma-umad.rules", "umad", "permissions.umad", "MODE="},
    {"/lib/udev/rules.d/90-rdma-umad.rules", "umad", "permissions.umad", "MODE="},
    {"/etc/rdma/modules/*.conf", "rds_rdma", "modules.load"},  // the one module that every rdma-core has commented out
    {"/etc/rdma/mlx4.conf", "ib", "devices.ports.link_type"},
    {"/etc/rdma/mlx4.conf", "eth", "devices.ports.link_type"},
    {"/etc/modprobe.d/*.conf", "port_type_array", "devices.ports.link_type"},
    {"/etc/modprobe.d/*.conf", "options mlx4_", "modules.options", "", "port_type_array"},
    {"/etc/modprobe.d/*.conf", "options mlx5_", "modules.options"},
    {"/etc/modprobe.d/*.conf", "options ib_", "modules.options"},
    {"/etc/modprobe.d/*.conf", "options rdma_", "modules.options"},
    {"/etc/modprobe.d/*.conf", "options rpcrdma", "modules.options"},
    {"/etc/nfs.conf", "rdma=y", "nfs.server.rdma_port", "", "", true},
    {"/etc/nfs.conf", "rdma-port=", "nfs.server.rdma_port", "", "rdma-port=20049"},
    {"/etc/nfs.conf.d/*.conf", "rdma", "nfs.server.rdma_port", "="},
    {"/etc/firewalld/zones/*.xml", "\"20049\"", "nfs.server.firewall"},
    {"/etc/fstab", " rdma", "nfs.client.mounts", "nfs"},
    {"/etc/fstab", "\trdma", "nfs.client.mounts", "nfs"},
    {"/etc/fstab", ",rdma", "nfs.client.mounts", "nfs"},
    {"/etc/fstab", "=rdma", "nfs.client.mounts", "nfs"},
};

constexpr std::pair<std::string_view, std::string_view> examples[] = {
    {"soft_devices", "soft_devices: [{name: rxe0, type: rxe, netdev: enp1s0}]"},
    {"devices.ports.roce.default_mode",
     "devices: [{match: {node_guid: \"f452:1403:007b:cba0\"}, ports: {1: {roce: {default_mode: v2}}}}]"},
    {"devices.ports.roce.tos",
     "devices: [{match: {node_guid: \"f452:1403:007b:cba0\"}, ports: {1: {roce: {tos: 106}}}}]"},
    {"devices.ports.qos",
     "devices: [{match: {node_guid: \"f452:1403:007b:cba0\"}, ports: {1: {qos: {trust: dscp, pfc: [3], dscp: {26: "
     "3}}}}}]"},
    {"devices.ports.link_type",
     "devices: [{match: {node_guid: \"f452:1403:007b:cba0\"}, ports: {2: {link_type: ethernet}}}]"},
    {"devices.name", "devices: [{match: {node_guid: \"f452:1403:007b:cba0\"}, name: mlx4_a}]"},
    {"rdma.netns", "rdma: {netns: exclusive}"},
    {"ipoib.pkey", "ipoib: [{name: mlx4_ib0}, {parent: mlx4_ib0, pkey: 0x8002}]"},
    {"ipoib.name", "ipoib: [{name: mlx4_ib0, match: {port_guid: \"f452:1403:007b:cba1\"}}]"},
    {"ipoib.ipv4", "ipoib: [{name: ib0, mode: datagram, ipv4: {method: manual, addresses: [192.0.2.34/24]}}]"},
    {"memlock", "memlock: {group: rdma, soft: unlimited, hard: unlimited}"},
    {"memlock.services", "memlock: {services: [slurmd.service], soft: unlimited, hard: unlimited}"},
    {"permissions.umad", "permissions: {umad: {group: ibdiag, mode: \"0660\"}}"},
    {"modules.load", "modules: {load: [rds_rdma]}"},
    {"modules.options", "modules: {options: {mlx4_en: {pfctx: 8, pfcrx: 8}}}"},
    {"nfs.server.rdma_port", "nfs: {server: {rdma_port: 20049, run: true}}"},
    {"nfs.server.firewall", "nfs: {server: {rdma_port: 20049, firewall: {zone: internal}}}"},
    {"nfs.client.mounts",
     "nfs: {client: {mounts: [{source: \"server.example.com:/nfs/projects\", target: /mnt/projects}]}}"},
    {"subnet_manager", "subnet_manager: {run: true, instances: [{port_guid: \"f452:1403:007b:cba1\", priority: 14}]}"},
};

// Drop-ins of services that start programs of users. The limit of another service may have nothing to do with RDMA.
const std::vector<std::string>& limited_services() {
  static const std::vector<std::string> patterns = [] {
    std::vector<std::string> made;
    for (const auto& starter : starters()) made.push_back(fmt::format("/etc/systemd/system/{}.d/*.conf", starter.unit));
    return made;
  }();
  return patterns;
}

bool holds(std::string_view line, std::string_view word) { return line.find(word) != std::string_view::npos; }

// "rdma = y" as "rdma=y".
std::string without_blanks_at_equals(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return std::string(line);
  return std::string(trimmed(line.substr(0, equals))).append("=").append(trimmed(line.substr(equals + 1)));
}

}  // namespace

bool HandMade::is(std::string_view line) const {
  const std::string text = without_blanks_at_equals(trimmed(line));
  const bool is_comment = text.starts_with('#') || text.starts_with(';');
  return !is_comment && holds(text, word) && holds(text, also) && (except.empty() || !holds(text, except));
}

std::span<const HandMade> all_hand_made() {
  static const std::vector<HandMade> all = [] {
    std::vector<HandMade> made(std::begin(files), std::end(files));
    for (const auto script : scripts)
      for (const auto& command : commands) made.push_back({script, command.word, command.field});
    for (const auto& pattern : limited_services()) made.push_back({pattern, "LimitMEMLOCK=", "memlock.services"});
    return made;
  }();
  return all;
}

std::string_view example_of(std::string_view field) {
  const auto* found =
      std::find_if(std::begin(examples), std::end(examples), [&](const auto& one) { return one.first == field; });
  return found == std::end(examples) ? std::string_view() : found->second;
}

}  // namespace rdmastate::doctor
