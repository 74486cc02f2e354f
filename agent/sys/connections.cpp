// SPDX-License-Identifier: Apache-2.0
// list() gathers mounts (mountinfo), storage (storage.cpp) with the mounts on it (add_carried), the SSH session that
// rdmastate is run from (add_sessions), and routing rules (read_rules).
#include "sys/connections.hpp"

#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "sys/codec/mounts_codec.hpp"
#include "sys/codec/rule_codec.hpp"
#include "sys/codec/sockets_codec.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t table_limit = 64U << 20U;  // the most bytes that are read of one file
// The names of SSH servers. Since 9.8 OpenSSH calls the process of a session "sshd-session".
constexpr std::array<std::string_view, 3> ssh_servers{"sshd", "sshd-session", "dropbear"};

// Adds to each storage the mount points that stand on it (Connection::carries).
void add_carried(const Root& root, const std::vector<MountLine>& mounts, std::vector<Connection>& storage) {
  if (storage.empty()) return;
  for (const auto& mount : mounts)
    for (const auto& name : storage_beneath(root, mount.device, mount.source))
      for (auto& storage_device : storage)
        if (storage_device.name == name) storage_device.carries.push_back(mount.target);
  for (auto& storage_device : storage) {
    std::sort(storage_device.carries.begin(), storage_device.carries.end());
    storage_device.carries.erase(std::unique(storage_device.carries.begin(), storage_device.carries.end()),
                                 storage_device.carries.end());
  }
}

struct Process {
  std::string pid;
  std::string command;
};

// Whether it is an SSH server.
bool is_server(const Process& process) {
  return std::find(ssh_servers.begin(), ssh_servers.end(), process.command) != ssh_servers.end();
}

// The nearest ancestor of this process that is an SSH server. The environment does not tell: a process that outlives
// its session keeps SSH_CONNECTION.
std::optional<Process> server_above(const Root& root) {
  std::string pid = root.read_link("/proc/self").value_or("");
  while (!pid.empty() && pid != "0") {
    const auto stat = root.read("/proc/" + pid + "/stat", table_limit);
    const auto process = stat ? codec::process_from(*stat) : std::nullopt;
    if (!process) break;
    if (Process one{pid, process->command}; is_server(one)) return one;
    pid = std::to_string(process->parent_pid);
  }
  return std::nullopt;
}

// The kernel's audit session (/proc/PID/sessionid, set by pam_loginuid): a process keeps it whoever becomes its parent.
std::optional<std::string> audit_session(const Root& root, const std::string& pid) {
  constexpr std::string_view unset = "4294967295";  // AUDIT_SID_UNSET
  auto text = root.read("/proc/" + pid + "/sessionid", table_limit);
  return text && *text != unset ? text : std::nullopt;
}

// The process `pid`, if it is an SSH server of that audit session.
std::optional<Process> server_in(const Root& root, const std::string& session, const std::string& pid) {
  try {
    if (audit_session(root, pid) != session) return std::nullopt;
    const auto stat = root.read("/proc/" + pid + "/stat", table_limit);
    const auto line = stat ? codec::process_from(*stat) : std::nullopt;
    if (line && is_server({pid, line->command})) return Process{pid, line->command};
  } catch (const SystemError& error) {
    if (error.number() != ESRCH) throw;  // ESRCH: the process has ended
  }
  return std::nullopt;
}

// A process that was detached (Ansible's async, setsid, nohup) has no SSH server among its ancestors, but the server of
// its audit session still runs. OpenSSH has two processes for one session, of which either may have the socket.
std::vector<Process> servers_of_session(const Root& root) {
  std::vector<Process> found;
  const auto own_session = audit_session(root, "self");
  if (!own_session) return found;
  for (const auto& pid : root.names("/proc"))
    if (ascii::is_number(pid))
      if (auto server = server_in(root, *own_session, pid)) found.push_back(std::move(*server));
  return found;
}

// The inodes of the sockets that a process has open.
std::set<std::uint64_t> sockets_of(const Root& root, const std::string& pid) {
  std::set<std::uint64_t> inodes;
  const std::string directory = "/proc/" + pid + "/fd";
  for (const auto& fd : root.names(directory))
    if (const auto inode = codec::socket_inode(root.read_link(directory + "/" + fd).value_or("")))
      inodes.insert(*inode);
  return inodes;
}

// Adds the connections that this SSH server has sockets of.
void add_session(const Root& root, const Process& server, std::vector<Connection>& found) {
  const auto inodes = sockets_of(root, server.pid);
  for (const char* table : {"/net/tcp", "/net/tcp6"})
    for (const auto& socket :
         codec::established_from(root.read("/proc/" + server.pid + table, table_limit).value_or("")))
      if (inodes.contains(socket.inode))
        found.push_back({Connection::What::session,
                         server.pid,
                         server.command,
                         /*source=*/"",
                         {socket.remote},
                         socket.local,
                         /*rdma=*/false,
                         /*carries=*/{}});
}

void add_sessions(const Root& root, std::vector<Connection>& found) {
  if (const auto server = server_above(root)) return add_session(root, *server, found);
  const std::size_t before = found.size();
  // The first process of the session that has the socket is enough.
  for (const auto& server : servers_of_session(root))
    if (found.size() == before) add_session(root, server, found);
}

// The rules of policy routing for single source addresses. Empty on a kernel without policy routing (EOPNOTSUPP or
// EAFNOSUPPORT).
std::vector<Connection> read_rules(NetlinkSocket& netlink) {
  std::vector<Connection> rules;
  try {
    netlink.dump(
        codec::rule_dump(), "listing routing rules", [&] { rules.clear(); },
        [&](std::uint16_t type, codec::Bytes payload) {
          auto rule = type == RTM_NEWRULE ? codec::rule_from(payload) : std::nullopt;
          if (rule) rules.push_back(std::move(*rule));
        });
  } catch (const SystemError& error) {
    if (error.number() != EOPNOTSUPP && error.number() != EAFNOSUPPORT) throw;
  }
  return rules;
}

}  // namespace

std::vector<Connection> KernelConnections::list() {
  const auto mounts = mounts_from(root_.read("/proc/self/mountinfo", table_limit).value_or(""));
  std::vector<Connection> found;
  for (const auto& mount : mounts)
    if (auto connection = codec::connection_of(mount)) found.push_back(std::move(*connection));
  auto storage = read_storage(root_);
  add_carried(root_, mounts, storage);
  std::move(storage.begin(), storage.end(), std::back_inserter(found));
  try {
    add_sessions(root_, found);
  } catch (const SystemError& error) {
    if (!error.is_denied() && error.number() != ESRCH) throw;  // the server is another user's, or has ended
  }
  auto rules = read_rules(netlink_);
  std::move(rules.begin(), rules.end(), std::back_inserter(found));
  return found;
}

}  // namespace rdmastate
