// SPDX-License-Identifier: Apache-2.0
// The Section `nfs`: its expand() and nfs_places(). expand_server() wants the server's configuration in the form that
// the host's nfs-utils reads (NfsServerForm), its RDMA listener, threads, exports and firewall. For each mount
// expand_nfs() wants unit files (add_mount) and the mount itself (add_mounted).
#include "sections/nfs/spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ini.hpp"
#include "base/template.hpp"
#include "host/nfs_claims.hpp"
#include "platform/layout.hpp"
#include "platform/nfs.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "resources/module.hpp"
#include "resources/nfs_listener.hpp"
#include "resources/nfs_mount.hpp"
#include "resources/unit/on_disk.hpp"
#include "resources/unit/unit.hpp"
#include "resources/unit_files.hpp"
#include "sections/boot_file.hpp"
#include "sections/nfs/check.hpp"
#include "sections/nfs/exports.hpp"
#include "sections/nfs/firewall.hpp"
#include "sections/nfs/threads.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view entry_name = "nfsd.rdma";
constexpr std::string_view port_name = "nfsd.rdma-port";
const std::string server_path = "nfs.server";
const std::string unit_name(nfs_server_unit);

Wanted file_at(std::string path, FileState state, std::string where) {
  State wanted(file_kind, std::move(state));
  return {&file_kind, std::move(path), std::move(wanted), std::move(where), "", {}};
}

// Refuses a port that the NFS configuration gives to something else, such as mountd: the RDMA listener of an iWARP
// device takes a TCP port.
void check_ports(const Facts& facts, NfsPort port, Report& report) {
  for (const auto& one : facts.nfs_settings)
    if (one.key.ends_with("port") && !one.key.starts_with("nfsd.rdma") && one.value == to_text(port))
      complain(report, "nfs.server.rdma_port",
               fmt::format("port {} is {}'s in {}, and on iWARP an RDMA listener takes a port of TCP", to_text(port),
                           one.key.substr(0, one.key.find('.')), one.path),
               "give one of them another port");
}

// rpc.nfsd reads rdma-port where `rdma` is yes, and ignores it where `rdma` is a number: there rdmastate removes it,
// since it could show another port than the one in use.
Ref add_entries(const NfsServerConf& conf, const std::string& port, Desired& desired) {
  Ref entry{entry_kind.name, entry_key(conf.path, entry_name)};
  desired.add({&entry_kind, entry.key, entry_of(conf.path, entry_name, port), server_path, "", {}});
  desired.add({&entry_kind, entry_key(conf.path, port_name), std::nullopt, server_path, "", {}});
  return entry;
}

Ref add_conf(const NfsServerConf& conf, const NfsServer& server, Desired& desired) {
  const std::string port = to_text(server.port());
  if (conf.form == NfsServerForm::entry) return add_entries(conf, port, desired);
  const bool drop_in = conf.form == NfsServerForm::drop_in;
  const Template text(drop_in ? "nfs.conf" : "nfs-server.service", escape_line);
  Values values{{{"port", port}}};
  values.set("threads", server.threads ? Values::Value(to_text(*server.threads)) : Values::Value(false));
  desired.add(file_at(std::string(conf.path), regular_file(text.render(values)), server_path));
  return {file_kind.name, std::string(conf.path)};
}

// The configuration brings the listener at the next boot, once the server starts. With `run: true` rdmastate enables
// the server's unit, which is then a twin too; otherwise the administrator decides whether the server starts.
void add_listener(const NfsServer& server, Ref conf, Desired& desired) {
  Wanted listener{&nfs_listener_kind,
                  rdma_listener_key(server.port().value),
                  rdma_listener(server.port().value),
                  server.rdma_port ? server_path + ".rdma_port" : server_path,
                  "",
                  {}};
  listener.twins.push_back({std::move(conf), TwinForm::whole_file, {}});
  if (server.runs()) listener.twins.push_back({{unit_kind.name, unit_name}, TwinForm::whole_file, {}});
  desired.add(std::move(listener));
}

void add_unit(const NfsServer& server, Desired& desired) {
  std::optional<State> unit;
  if (server.runs()) unit = running_unit();
  desired.add({&unit_kind, unit_name, std::move(unit), server_path + ".run", "", {}});
}

// The kernel loads svcrdma by itself when a listener asks for it (svc_create_xprt), so no module is wanted here.
void expand_server(const NfsServer& server, const Facts& facts, Desired& desired, Report& report) {
  if (server.run) add_unit(server, desired);
  if (server.run && !*server.run) return;
  const NfsServerConf conf = nfs_server_conf(platform_of(facts));
  const std::string port = to_text(server.port());
  check_ports(facts, server.port(), report);
  if (conf.form == NfsServerForm::entry && is_nfs_yes(port))
    complain(report, "nfs.server.rdma_port", "this host's rpc.nfsd reads port 1 as yes, and listens on 20049");
  const Ref file = add_conf(conf, server, desired);
  add_listener(server, file, desired);
  add_threads(server, conf, file, desired);
  add_exports(server, facts, desired);
  add_firewall(server, desired);
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

// Wants that systemd has read the unit's files (`started` is the file of the unit that the link starts), and the mount
// now. The mount's twins are its .mount file, and the link that starts it at the next boot.
void add_mounted(const NfsMount& mount, std::size_t i, Desired& desired) {
  const auto& layout = common_layout();
  const std::string where = nfs_mount_path(i);
  const std::string stem = escaped_path(mount.target.value);
  const std::string unit = stem + (mount.is_automounted() ? ".automount" : ".mount");
  const auto by_file = [](std::string path, std::vector<std::string> fields) {
    return Twin{{file_kind.name, std::move(path)}, TwinForm::whole_file, std::move(fields)};
  };
  const Twin file = by_file(fmt::format("{}/{}.mount", layout.units, stem), {"source", "options"});
  const Twin started = by_file(fmt::format("{}/{}", layout.units, unit), {});
  const Twin link = by_file(fmt::format("{}/{}", layout.remote_wants, unit), {});
  desired.add({&unit_files_kind, unit, read_unit_files(), where, "", {started}});
  desired.add({&nfs_mount_kind,
               mount.target.value,
               State(nfs_mount_kind, NfsMountState{mount.source.value, options_of(mount), mount.is_automounted()}),
               where,
               "",
               {file, link}});
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
  add_mounted(mount, i, desired);
}

// A kernel before 5.10 looks for a module xprtrdma6, which does not exist (xprt_load_transport), so a mount by IPv6
// needs rpcrdma loaded before.
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

// Adds as claimants the files that mount something at this mount's target, our own unit among them: the planner, which
// has the ledger, leaves it out. /etc/fstab holds other mounts too.
void find_mounts(const NfsMount& mount, const Facts& facts, Desired& desired) {
  for (const auto& claim : facts.mounts)
    if (claim.target == mount.target.value)
      desired.claimants.push_back({{claim.target, claim.manager, claim.path},
                                   &file_kind,
                                   "the mount",
                                   /*holds_more=*/claim.manager == "fstab"});
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

// A record keeps no .mount unit of another file system than NFS: rdmastate does not write it.
FilePlaces nfs_places() {
  const Layout& layout = common_layout();
  FilePlaces all = whole_files({layout.nfs_conf, layout.nfs_unit, layout.nfs_exports});
  const auto keep = [](const FileToKeep& file) {
    const std::string type = ini::File(ini::systemd, file.text).value("Mount", "Type");
    return Kept{type.starts_with("nfs") || file.name().ends_with(".automount") ? Kept::How::whole : Kept::How::nothing};
  };
  for (const char* units : {"/*.mount", "/*.automount"}) all.push_back({std::string(layout.units) + units, keep});
  all.push_back({std::string(layout.remote_wants) + "/*"});
  append(all, unit_places(nfs_server_unit));
  return all;
}

}  // namespace

constinit const Section nfs_section{"nfs", check_nfs, expand_nfs, adopt_nfs, nfs_places};

}  // namespace rdmastate
