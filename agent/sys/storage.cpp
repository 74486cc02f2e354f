// SPDX-License-Identifier: Apache-2.0
// The storage part of connections.hpp: block devices over the network, and which of them a mount stands on, as sysfs
// shows them (drivers/nvme/host/core.c, drivers/scsi/scsi_transport_iscsi.c).
#include <algorithm>
#include <set>

#include "sys/codec/mounts_codec.hpp"
#include "sys/connections.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t attribute_limit = 64U << 10U;  // the most bytes that are read of one file

// The text of a file in sysfs, without blanks at its end; empty where there is none.
std::string attribute(const Root& root, const std::string& path) {
  std::string text = root.read(path, attribute_limit).value_or("");
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::vector<std::string> sorted_names(const Root& root, const std::string& directory) {
  auto names = root.names(directory);
  std::sort(names.begin(), names.end());
  return names;
}

// The one address in a text of sysfs. addresses_in() expects IPv6 in brackets, and sysfs writes none.
std::optional<IpAddress> first_address(const std::string& text) {
  const auto all = codec::addresses_in(text.find(':') == text.rfind(':') ? text : "[" + text + "]");
  return all.empty() ? std::nullopt : std::optional(all.front());
}

// The file `address` has "traddr=192.0.2.9,trsvcid=4420,host_traddr=192.0.2.1"; since Linux 6.1 src_addr is there
// whether it was asked for or not. nullopt for a controller that is not reached over the network (pcie, loop).
std::optional<Connection> nvme_controller(const Root& root, const std::string& name) {
  const std::string directory = "/sys/class/nvme/" + name + "/";
  const std::string transport = attribute(root, directory + "transport");
  if (transport != "rdma" && transport != "tcp") return std::nullopt;
  const std::string address = attribute(root, directory + "address");
  Connection one;
  one.what = Connection::What::storage;
  one.name = name;
  one.type = "nvme-" + transport;
  one.source = attribute(root, directory + "subsysnqn");
  one.rdma = transport == "rdma";
  if (const auto remote = first_address(option_of(address, "traddr"))) one.remotes = {*remote};
  for (const char* key : {"src_addr", "host_traddr"})
    if (!one.local) one.local = first_address(option_of(address, key));
  return one;
}

// The iSCSI connection "connection1:0" belongs to session1.
Connection iscsi_connection(const Root& root, const std::string& name) {
  constexpr std::string_view head = "connection";
  const std::string directory = "/sys/class/iscsi_connection/" + name + "/";
  Connection one;
  one.what = Connection::What::storage;
  one.name = "session" + name.substr(head.size(), name.find(':') - head.size());
  one.type = "iscsi";
  one.source = attribute(root, "/sys/class/iscsi_session/" + one.name + "/targetname");
  if (const auto remote = first_address(attribute(root, directory + "address"))) one.remotes = {*remote};
  one.local = first_address(attribute(root, directory + "local_ipaddr"));
  return one;
}

// Whether the name is `head` and a number: "nvme0" of "nvme", but not "nvme0n1".
bool is_numbered(std::string_view name, std::string_view head) {
  return name.size() > head.size() && name.starts_with(head) &&
         name.substr(head.size()).find_first_not_of("0123456789") == std::string_view::npos;
}

// Adds the NVMe controllers and iSCSI sessions that stand in a device's path in sysfs. With NVMe multipath the path has
// the subsystem, and its controllers are added.
void add_from_sysfs_path(const Root& root, const std::string& path, std::set<std::string>& found) {
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    at = end + 1;
    if (is_numbered(part, "nvme") || is_numbered(part, "session")) found.insert(part);
    if (is_numbered(part, "nvme-subsys"))
      for (const auto& name : root.names("/sys/class/nvme-subsystem/" + part))
        if (is_numbered(name, "nvme")) found.insert(name);
  }
}

// Adds the controllers and sessions of a block device, and of each device that it is made of (device mapper and md list
// these as slaves).
void add_beneath(const Root& root, const std::string& device, std::set<std::string>& found) {
  add_from_sysfs_path(root, root.read_link(device).value_or(""), found);
  for (const auto& slave : root.names(device + "/slaves")) add_beneath(root, "/sys/class/block/" + slave, found);
}

}  // namespace

std::vector<Connection> read_storage(const Root& root) {
  std::vector<Connection> found;
  for (const auto& name : sorted_names(root, "/sys/class/nvme"))
    if (auto one = nvme_controller(root, name)) found.push_back(std::move(*one));
  for (const auto& name : sorted_names(root, "/sys/class/iscsi_connection"))
    found.push_back(iscsi_connection(root, name));
  return found;
}

std::vector<std::string> storage_beneath(const Root& root, const std::string& device, const std::string& source) {
  std::set<std::string> found;
  if (!device.starts_with("0:")) {  // major 0: a file system's own number, which no block device has (btrfs, nfs)
    add_beneath(root, "/sys/dev/block/" + device, found);
  } else if (source.starts_with("/dev/")) {
    const std::string node = root.read_link(source).value_or(source);
    add_beneath(root, "/sys/class/block/" + node.substr(node.rfind('/') + 1), found);
  }
  return {found.begin(), found.end()};
}

}  // namespace rdmastate
