// SPDX-License-Identifier: Apache-2.0
// KernelRdma's calls over RDMA netlink. Opening the socket loads ib_core, so calls that only ask first look whether it
// is loaded.
#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "sys/codec/rdma_codec.hpp"
#include "sys/rdma.hpp"

namespace rdmastate {
namespace {

using codec::Bytes;
using codec::RdmaIndex;

constexpr std::size_t comm_limit = 64;  // the most bytes that are read of /proc/PID/comm

std::string without_newline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// nullopt for a process that is gone, or that only root may look at.
std::optional<std::string> namespace_of(const Root& root, const std::string& process) {
  try {
    return root.read_link(process + "/ns/net");
  } catch (const SystemError&) {
    return std::nullopt;
  }
}

}  // namespace

bool KernelRdma::has_core() const { return bool(root_.open("/sys/class/infiniband", O_PATH | O_DIRECTORY)); }

std::vector<RdmaIndex> KernelRdma::indexes() {
  std::vector<RdmaIndex> found;
  netlink_.dump(
      codec::rdma_device_dump(), "listing RDMA devices", [&] { found.clear(); },
      [&](std::uint16_t type, Bytes payload) {
        if (codec::is_rdma_answer(type)) found.push_back(codec::rdma_index_from(payload));
      });
  return found;
}

std::uint32_t KernelRdma::index_of(const std::string& name, const std::string& doing) {
  for (const auto& device : indexes())
    if (device.name == name) return device.index;
  throw SystemError(doing, ENODEV);
}

std::optional<NetnsMode> KernelRdma::netns_mode() {
  if (!has_core()) return std::nullopt;
  std::optional<NetnsMode> mode;
  netlink_.get(codec::rdma_system_get(), "asking for the network namespace mode of RDMA",
               [&](std::uint16_t, Bytes payload) { mode = codec::rdma_netns_mode_from(payload); });
  return mode;
}

/// The kernel counts network namespaces and does not say whose they are. The usual directories of named ones and the
/// processes show nearly all; three are enough for a message.
std::vector<std::string> KernelRdma::other_namespaces() {
  constexpr std::size_t enough = 3;
  std::vector<std::string> found;
  for (const char* directory : {"/run/netns", "/run/docker/netns"})
    for (const auto& name : root_.names(directory))
      if (found.size() < enough) found.push_back(std::string(directory) + "/" + name);
  const auto own = root_.read_link("/proc/1/ns/net");
  for (const auto& name : root_.names("/proc")) {
    if (found.size() >= enough || name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string process = "/proc/" + name;
    const auto other = namespace_of(root_, process);
    if (own && other && *other != *own)
      found.push_back("process " + name + " (" +
                      without_newline(root_.read(process + "/comm", comm_limit).value_or("")) + ")");
  }
  return found;
}

void KernelRdma::set_netns_mode(NetnsMode mode) {
  netlink_.request(codec::rdma_system_set(mode), "setting the network namespace mode of RDMA to " + to_text(mode));
}

/// The driver's id tells. The kernel gives the id with the uverbs device, and would load ib_uverbs for that: where
/// ib_uverbs has no device, sysfs is read instead.
std::optional<SoftType> KernelRdma::soft_type(const RdmaIndex& device, const std::string& doing) {
  if (root_.names("/sys/class/infiniband_verbs").empty()) return soft_type_in_sysfs(root_, device.name);
  std::uint32_t driver = 0;
  netlink_.get(codec::rdma_uverbs_get(device.index), doing,
               [&](std::uint16_t, Bytes payload) { driver = codec::rdma_driver_from(payload); });
  if (driver == codec::driver_rxe) return SoftType::rxe;
  return driver == codec::driver_siw ? std::optional(SoftType::siw) : std::nullopt;
}

std::optional<SoftDevice> KernelRdma::soft_device(const RdmaIndex& device) {
  const std::string doing = "asking what RDMA device " + device.name + " is";
  const auto type = soft_type(device, doing);
  if (!type) return std::nullopt;
  SoftDevice soft;
  soft.type = *type;
  soft.name = device.name;
  netlink_.get(codec::rdma_port_get(device.index, /*port=*/1), doing,
               [&](std::uint16_t, Bytes payload) { soft.netdev = codec::rdma_netdev_from(payload); });
  return soft;
}

std::string KernelRdma::netdev(const std::string& device, std::uint32_t port) {
  std::string name;
  if (!has_core()) return name;
  const auto all = indexes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const RdmaIndex& one) { return one.name == device; });
  if (found == all.end()) return name;
  try {
    netlink_.get(codec::rdma_port_get(found->index, port), "asking for the network device of RDMA device " + device,
                 [&](std::uint16_t, Bytes payload) { name = codec::rdma_netdev_from(payload); });
  } catch (const SystemError& error) {
    if (error.number() != EINVAL && error.number() != ENODEV) throw;  // no such port, or gone meanwhile
  }
  return name;
}

std::vector<SoftDevice> KernelRdma::soft_devices() {
  std::vector<SoftDevice> found;
  if (!has_core()) return found;
  for (const auto& device : indexes()) {
    try {
      if (auto soft = soft_device(device)) found.push_back(std::move(*soft));
    } catch (const SystemError& error) {
      if (error.number() != EINVAL && error.number() != ENODEV) throw;  // the device is gone meanwhile
    }
  }
  std::sort(found.begin(), found.end(), [](const SoftDevice& a, const SoftDevice& b) { return a.name < b.name; });
  return found;
}

void KernelRdma::add(const SoftDevice& wanted) {
  netlink_.request(codec::rdma_link_add(wanted),
                   "adding " + to_text(wanted.type) + " device " + wanted.name + " on " + wanted.netdev);
}

void KernelRdma::remove(const SoftDevice& device) {
  const std::string doing = "removing RDMA device " + device.name;
  netlink_.request(codec::rdma_link_delete(index_of(device.name, doing)), doing);
}

void KernelRdma::rename(const std::string& from, const std::string& to) {
  const std::string doing = "renaming RDMA device " + from + " to " + to;
  netlink_.request(codec::rdma_set_name(index_of(from, doing), to), doing);
}

/// Of a process of another PID namespace the kernel gives the number 0 and no command.
std::vector<RdmaUser> KernelRdma::users(const std::string& device) {
  std::vector<RdmaUser> users;
  const std::string doing = "asking who uses RDMA device " + device;
  if (!has_core()) return users;
  const auto all = indexes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const RdmaIndex& one) { return one.name == device; });
  if (found == all.end()) return users;
  for (const auto what : {codec::RdmaResource::queue_pair, codec::RdmaResource::cm_id}) {
    const std::size_t before = users.size();
    netlink_.dump(
        codec::rdma_users_dump(found->index, what), doing, [&] { users.resize(before); },
        [&](std::uint16_t, Bytes payload) { codec::add_rdma_users(payload, what, users); });
  }
  for (auto& user : users)
    if (user.pid != 0)
      user.command =
          without_newline(root_.read("/proc/" + std::to_string(user.pid) + "/comm", comm_limit).value_or(""));
  return users;
}

}  // namespace rdmastate
