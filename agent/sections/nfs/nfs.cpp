// SPDX-License-Identifier: Apache-2.0
// The section nfs.
#include "sections/nfs/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/ini.hpp"
#include "base/template.hpp"
#include "host/nfs_claims.hpp"
#include "platform/layout.hpp"
#include "platform/nfs.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "resources/module.hpp"
#include "sections/boot_file.hpp"
#include "sections/nfs/check.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view entry_name = "nfsd.rdma";
constexpr std::string_view port_name = "nfsd.rdma-port";

Wanted file_at(std::string path, FileState state, std::string where) {
  State wanted(file_kind, std::move(state));
  return {&file_kind, std::move(path), std::move(wanted), std::move(where), "", {}};
}

// What mountd and its like were given by hand. An iWARP device's listener takes a port of TCP.
void check_ports(const Facts& facts, NfsPort port, Report& report) {
  for (const auto& one : facts.nfs_settings)
    if (!one.key.starts_with("nfsd.rdma") && one.value == to_text(port))
      complain(report, "nfs.server.rdma_port",
               fmt::format("port {} is {}'s in {}, and on iWARP an RDMA listener takes a port of TCP", to_text(port),
                           one.key.substr(0, one.key.find('.')), one.path),
               "give one of them another port");
}

bool is_yes(const std::string& value) {
  static constexpr std::array<const char*, 6> yes{"1", "t", "true", "y", "yes", "on"};  // conf_get_bool
  return std::any_of(yes.begin(), yes.end(), [&](const char* word) { return ::strcasecmp(word, value.c_str()) == 0; });
}

// rpc.nfsd reads rdma-port beside a `rdma` that is yes, and not beside a number: there it would say what is not so.
void add_entries(const NfsServerConf& conf, const std::string& port, const std::string& path, Desired& desired) {
  desired.add({&entry_kind, entry_key(conf.path, entry_name), entry_of(conf.path, entry_name, port), path, "", {}});
  desired.add({&entry_kind, entry_key(conf.path, port_name), std::nullopt, path, "", {}});
}

// The kernel loads svcrdma by itself when a listener asks for it (svc_create_xprt), so no module is wanted here.
void expand_server(const NfsServer& server, const Facts& facts, Desired& desired, Report& report) {
  const std::string path = "nfs.server";
  const NfsServerConf conf = nfs_server_conf(platform_of(facts));
  const std::string port = to_text(server.port());
  check_ports(facts, server.port(), report);
  if (conf.form == NfsServerForm::entry) {
    if (is_yes(port))
      complain(report, path + ".rdma_port", "this host's rpc.nfsd reads port 1 as yes, and listens on 20049");
    return add_entries(conf, port, path, desired);
  }
  const bool drop_in = conf.form == NfsServerForm::drop_in;
  const Template text(drop_in ? "nfs.conf" : "nfs-server.service", escape_line);
  desired.add(file_at(std::string(conf.path), regular_file(text.render({{{"port", port}}})), path));
}

std::string options_of(const NfsMount& mount) {
  std::string options = fmt::format("proto={},port={}", to_text(mount.transport()), to_text(mount.port()));
  for (const auto& option : mount.options) options.append(",").append(option.value);
  return options;
}

// The link that `systemctl enable` would make.
void enable(const std::string& unit, const std::string& where, Desired& desired) {
  const auto& layout = common_layout();
  desired.add(file_at(fmt::format("{}/{}", layout.remote_wants, unit),
                      symlink_to(fmt::format("{}/{}", layout.units, unit)), where));
}

void add_mount(const NfsMount& mount, std::size_t i, Desired& desired) {
  const Template mount_unit("nfs.mount", escape_unit);
  const Template automount_unit("nfs.automount", escape_unit);
  const std::string where = nfs_mount_path(i);
  const std::string name = escaped_path(mount.target.value);
  const std::string file = fmt::format("{}/{}", common_layout().units, name);
  const bool automount = mount.is_automounted();
  Values values{{{"source", mount.source.value},
                 {"target", mount.target.value},
                 {"options", options_of(mount)},
                 {"at_boot", !automount}}};
  desired.add(file_at(file + ".mount", regular_file(mount_unit.render(values)), where));
  if (automount) desired.add(file_at(file + ".automount", regular_file(automount_unit.render(values)), where));
  enable(name + (automount ? ".automount" : ".mount"), where, desired);
}

// Before that the kernel looks for a module of the name xprtrdma6, which none has (xprt_load_transport).
void add_transport(const NfsMount& mount, std::size_t i, const Spec& spec, const Facts& facts, Desired& desired) {
  constexpr Version loads_rdma6{5, 10, 0};
  const std::string module = "rpcrdma";
  if (mount.transport() != NfsProto::rdma6 || facts.kernel.empty() || loads(spec, module)) return;
  const bool is_there = std::any_of(desired.wanted.begin(), desired.wanted.end(),
                                    [&](const Wanted& one) { return one.kind == &module_kind && one.key == module; });
  if (is_there || version_from(facts.kernel) >= loads_rdma6) return;
  State wanted(module_kind, ModuleState{{module}});
  desired.add({&module_kind, module, std::move(wanted), nfs_mount_path(i), "", {boot_twin()}});
}

void find_mounts(const NfsMount& mount, const Facts& facts, Desired& desired) {
  for (const auto& claim : facts.mounts)
    if (claim.target == mount.target.value)
      desired.claimants.push_back(
          {{claim.target, claim.manager, claim.path}, &file_kind, "the mount", claim.manager == "fstab"});
}

void expand_nfs(const Spec& spec, const Facts& facts, Backend, Desired& desired, Report& report) {
  if (!spec.nfs) return;
  if (spec.nfs->server) expand_server(*spec.nfs->server, facts, desired, report);
  if (!spec.nfs->client) return;
  for (std::size_t i = 0; i < spec.nfs->client->mounts.size(); ++i) {
    const auto& mount = spec.nfs->client->mounts[i];
    add_transport(mount, i, spec, facts, desired);
    find_mounts(mount, facts, desired);
    add_mount(mount, i, desired);
  }
}

// A unit of another file system is not ours to show.
FilePlaces places() {
  const Layout& layout = common_layout();
  FilePlaces all = whole_files({layout.nfs_conf, layout.nfs_unit});
  const auto keep = [](const FileToKeep& file) {
    const std::string type = ini::File(ini::systemd, file.text).value("Mount", "Type");
    return Kept{type.starts_with("nfs") || file.name().ends_with(".automount") ? Kept::How::whole : Kept::How::nothing};
  };
  for (const char* units : {"/*.mount", "/*.automount"}) all.push_back({std::string(layout.units) + units, keep});
  all.push_back({std::string(layout.remote_wants) + "/*"});
  return all;
}

}  // namespace

constinit const Section nfs_section{"nfs", check_nfs, expand_nfs, adopt_nfs, nullptr, places};

}  // namespace rdmastate
