// SPDX-License-Identifier: Apache-2.0
// check_nfs() judges the server (check_server, and check_exports() of check_exports.cpp), then of each mount its
// transport (check_proto), its options (class MountOptionCheck) and its target (check_target).
#include "sections/nfs/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace rdmastate {
namespace {

struct KnownPort {
  std::uint16_t number;
  std::string_view whose;
};

// TCP ports of other services. The RDMA listener of an iWARP device takes a TCP port too, so it cannot have one of
// them.
constexpr std::array known_ports{KnownPort{111, "rpcbind's"}, KnownPort{2049, "NFS's own over TCP"},
                                 KnownPort{20048, "mountd's"}};

void check_server(const NfsServer& server, Report& report) {
  const bool stops = server.run && !*server.run;
  if (stops && server.rdma_port)
    complain(report, "nfs.server.rdma_port", "a port of a server that run: false stops",
             "take rdma_port out, or write run: true");
  if (stops && server.threads)
    complain(report, "nfs.server.threads", "threads of a server that run: false stops",
             "take threads out, or write run: true");
  if (stops && server.firewall)
    complain(report, "nfs.server.firewall", "run: false stops the server, so it needs no open port",
             "take firewall out, or write run: true");
  for (const auto& known : known_ports)
    if (server.port().value == known.number)
      complain(
          report, "nfs.server.rdma_port",
          fmt::format("port {} is {}, and on iWARP an RDMA listener takes a port of TCP", known.number, known.whose),
          "20049 is the one registered for NFS over RDMA");
}

// Nothing may be mounted exactly at one of `systems` (systemd refuses it, or the host needs what is there), and nothing
// at or below one of `whole_systems`.
constexpr std::array<std::string_view, 15> systems{"/bin",   "/boot",  "/dev",  "/etc",  "/lib",
                                                   "/lib32", "/lib64", "/proc", "/root", "/run",
                                                   "/sbin",  "/sys",   "/tmp",  "/usr",  "/var"};
constexpr std::array<std::string_view, 5> whole_systems{"/dev", "/proc", "/sys", "/etc/rdmastate",
                                                        "/var/lib/rdmastate"};

bool is_at_or_below(std::string_view path, std::string_view directory) {
  return path == directory || (path.starts_with(directory) && path.substr(directory.size(), 1) == "/");
}

void check_target(const std::string& target, std::size_t i, Report& report) {
  constexpr std::size_t longest = 255;  // of the name of a unit (UNIT_NAME_MAX) and of a file
  const auto refuse = [&](std::string message) {
    complain(report, nfs_mount_path(i, "target"), std::move(message), "choose a directory such as /mnt/projects");
  };
  for (const auto directory : whole_systems)
    if (is_at_or_below(target, directory)) return refuse(fmt::format("nothing is mounted at or below {}", directory));
  if (std::find(systems.begin(), systems.end(), target) != systems.end())
    return refuse(fmt::format("a mount at {} would hide what the system itself runs on", target));
  const std::size_t length = escaped_path(target).size() + std::string_view(".automount").size();
  if (length > longest)
    refuse(fmt::format("its unit's name would be {} characters long, and systemd takes {}", length, longest));
}

// An option that no mount of a spec may have.
struct Refused {
  std::string_view name;
  std::string_view reason;
  std::string_view hint;
};

constexpr std::string_view over_rdma = "every mount of this section goes over RDMA";
constexpr std::string_view in_fstab = "is for /etc/fstab, and this mount is a unit of systemd";

constexpr std::array refused{
    Refused{"proto", over_rdma, "the field proto says rdma or rdma6"},
    Refused{"rdma", over_rdma, "take it out: it is said already"},
    Refused{"rdma6", over_rdma, "write the field proto: rdma6"},
    Refused{"tcp", over_rdma, "take it out"},
    Refused{"tcp6", over_rdma, "take it out"},
    Refused{"udp", over_rdma, "take it out"},
    Refused{"udp6", over_rdma, "take it out"},
    Refused{"port", "the field rdma_port says the port", "write rdma_port: with that number"},
    Refused{"auto", in_fstab, "take it out: it is mounted at boot unless automount is true"},
    Refused{"noauto", in_fstab, "write automount: true to mount at the first access"},
    Refused{"nofail", in_fstab, "take it out: the boot goes on when this mount fails"},
    Refused{"_netdev", in_fstab, "take it out: systemd knows that nfs needs the network"},
    Refused{"bg", "leaves systemd with a mount that is neither mounted nor failed", "write automount: true"},
    Refused{"remount", "is for a mount that is there already", "take it out"},
    Refused{"bind", "is no mount over the network", "take it out"},
};

// An option, and the option that says the same thing or its contrary: a mount may have one of them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> same{{{"soft", "hard"},
                                                                              {"softerr", "hard"},
                                                                              {"ro", "rw"},
                                                                              {"nfsvers", "vers"},
                                                                              {"v3", "vers"},
                                                                              {"v4", "vers"},
                                                                              {"v4.0", "vers"},
                                                                              {"v4.1", "vers"},
                                                                              {"v4.2", "vers"},
                                                                              {"nolock", "lock"},
                                                                              {"noac", "ac"},
                                                                              {"nocto", "cto"},
                                                                              {"noacl", "acl"},
                                                                              {"nosharecache", "sharecache"}}};

// One name for all options that say the same thing or its contrary: "hard" of soft and hard.
std::string subject_of(const MountOption& option) {
  const std::string name = option.name();
  const auto found = std::find_if(same.begin(), same.end(), [&](const auto& pair) { return pair.first == name; });
  return found == same.end() ? name : std::string(found->second);
}

// "4.2" of vers=4.2, nfsvers=4.2 and v4.2; empty for any other option.
std::string version_of(const MountOption& option) {
  if (subject_of(option) != "vers") return {};
  const std::size_t equals = option.value.find('=');
  if (equals != std::string::npos) return option.value.substr(equals + 1);
  return option.value.ends_with("vers") ? "" : option.value.substr(1);
}

// Checks the options of one mount.
class MountOptionCheck {
 public:
  MountOptionCheck(const NfsMount& mount, std::size_t index, Report& report)
      : mount_(mount), index_(index), report_(report) {}

  void check() const {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < mount_.options.size(); ++i) {
      check_one(i);
      const auto [seen, fresh] = first.emplace(subject_of(mount_.options[i]), i);
      if (!fresh)
        complain(report_, path(i),
                 fmt::format("{} and {} repeat or contradict each other", mount_.options[seen->second].value,
                             mount_.options[i].value),
                 "keep one of them");
    }
  }

 private:
  std::string path(std::size_t i) const { return fmt::format("{}[{}]", nfs_mount_path(index_, "options"), i); }

  void check_one(std::size_t i) const {
    const MountOption& option = mount_.options[i];
    const std::string name = option.name();
    if (name.starts_with("x-systemd."))
      complain(report_, path(i), fmt::format("{} {}", name, in_fstab), "take it out, or use automount");
    for (const auto& one : refused)
      if (one.name == name)
        complain(report_, path(i), fmt::format("{}: {}", option.value, one.reason), std::string(one.hint));
    if (subject_of(option) == "vers") check_version(i);
  }

  void check_version(std::size_t i) const {
    static const std::set<std::string> versions{"3", "4", "4.0", "4.1", "4.2"};
    const std::string version = version_of(mount_.options[i]);
    if (!versions.contains(version))
      complain(report_, path(i), fmt::format("NFS over RDMA has version 3, 4, 4.0, 4.1 or 4.2, and not '{}'", version),
               version == "2" ? "write vers=3 at least" : "write vers=4.2");
    const bool says_how = std::any_of(mount_.options.begin(), mount_.options.end(),
                                      [](const MountOption& one) { return one.name() == "mountproto"; });
    if (version == "3" && !says_how)
      warn(report_, path(i), "NFS 3 asks the server's mountd for the root of the mount, and mountd does not speak RDMA",
           "add mountproto=tcp");
  }

  const NfsMount& mount_;
  std::size_t index_;
  Report& report_;
};

void check_proto(const NfsMount& mount, std::size_t i, Report& report) {
  if (!mount.proto) return;
  if (mount.source.is_ipv6() && *mount.proto == NfsProto::rdma)
    complain(report, nfs_mount_path(i, "proto"), "rdma reaches servers by IPv4, and source is an IPv6 address",
             "write rdma6, or leave proto out");
  if (mount.source.is_ipv4() && *mount.proto == NfsProto::rdma6)
    complain(report, nfs_mount_path(i, "proto"), "rdma6 reaches servers by IPv6, and source is an IPv4 address",
             "write rdma, or leave proto out");
}

}  // namespace

std::string nfs_mount_path(std::size_t index, std::string_view field) {
  return fmt::format("nfs.client.mounts[{}]{}{}", index, field.empty() ? "" : ".", field);
}

void check_nfs(const Spec& spec, Report& report) {
  if (!spec.nfs) return;
  if (spec.nfs->server) check_server(*spec.nfs->server, report);
  if (spec.nfs->server) check_exports(*spec.nfs->server, report);
  if (!spec.nfs->client) return;
  std::map<std::string, std::size_t> first;
  const auto& mounts = spec.nfs->client->mounts;
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    check_proto(mounts[i], i, report);
    MountOptionCheck(mounts[i], i, report).check();
    const std::string& target = mounts[i].target.value;
    if (target.empty()) continue;  // it could not be read, which is reported already
    check_target(target, i, report);
    const auto [seen, fresh] = first.emplace(target, i);
    if (!fresh)
      complain(report, nfs_mount_path(i, "target"),
               fmt::format("{} is the target of {} already", target, nfs_mount_path(seen->second)),
               "one mount per target");
  }
}

}  // namespace rdmastate
