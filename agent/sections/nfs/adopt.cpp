// SPDX-License-Identifier: Apache-2.0
// Adopts section `nfs` from the units and the NFS server's configuration that rdmastate wrote: adopt_nfs(), at the end,
// takes the server (adopt_server), its exports (exports.cpp), then each .mount unit (adopt_mount).
#include <fmt/format.h>

#include "base/lines.hpp"
#include "host/mark.hpp"
#include "platform/layout.hpp"
#include "platform/nfs.hpp"
#include "resources/entry/entry.hpp"
#include "resources/unit/on_disk.hpp"
#include "resources/unit/unit.hpp"
#include "sections/ini_file.hpp"
#include "sections/nfs/check.hpp"
#include "sections/nfs/exports.hpp"
#include "sections/nfs/firewall.hpp"
#include "sections/nfs/threads.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

NfsSection& section_of(Adopted& to) { return to.spec.nfs ? *to.spec.nfs : to.spec.nfs.emplace(); }

std::optional<ini::File> own_ini(const Snapshot& snapshot, const std::string& path, const ini::Dialect& dialect) {
  const auto text = snapshot.read(path);
  if (!text || !carries_mark(*text)) return std::nullopt;
  return ini::File(dialect, *text);
}

// The value of `rdma` in nfs.conf. adopt_server() leaves out one that is no port, such as a distribution's "rdma=y".
std::string port_in_entry(const Adoption& from, std::string_view path) {
  const auto seen = entry_kind.observe(from.snapshot, entry_key(path, "nfsd.rdma"));
  const State* state = state_of(seen);
  return state == nullptr ? std::string() : state->as<EntryState>().value;
}

std::string port_in_unit(const ini::File& unit) {
  constexpr std::string_view option = "--rdma=";
  const std::string command = unit.value("Service", "ExecStart");
  const std::size_t at = command.find(option);
  if (at == std::string::npos) return {};
  return command.substr(at + option.size(), command.find(' ', at) - at - option.size());
}

// `run` of the spec: true where the server is enabled and runs. In a tree, and while its package is not installed,
// enabled is enough. Otherwise nullopt: the administrator starts and stops it.
std::optional<bool> run_of_server(const Snapshot& snapshot) {
  const Observation seen = unit_kind.observe(snapshot, std::string(nfs_server_unit));
  const State* state = state_of(seen);
  if (state == nullptr || !state->as<UnitState>().enabled.value_or(false)) return std::nullopt;
  const bool runs = state->as<UnitState>().active.value_or(snapshot.is_tree());
  return runs || found_unit(snapshot, nfs_server_unit).empty() ? std::optional(true) : std::nullopt;
}

void adopt_server(const Adoption& from, Adopted& to) {
  const NfsServerConf conf = nfs_server_conf(platform_of(from.facts));
  const std::string path(conf.path);
  std::string port;
  if (conf.form == NfsServerForm::entry) {
    port = port_in_entry(from, path);
  } else {
    const bool is_unit = conf.form == NfsServerForm::unit;
    const auto file = own_ini(from.snapshot, path, is_unit ? ini::systemd : ini::nfs_conf);
    if (file) port = is_unit ? port_in_unit(*file) : file->value("nfsd", "rdma-port");
  }
  const auto number = value_from<NfsPort>(port);
  if (!number) return;
  NfsServer& server = section_of(to).server.emplace();
  server.run = run_of_server(from.snapshot);
  server.rdma_port = number;
  server.threads = adopted_threads(from, conf);
  server.firewall = adopted_firewall(from, *number, to);
  to.came_from("nfs.server.rdma_port", path);
}

// A unit has "%%" for a percent sign (systemd.unit(5), specifiers).
std::string without_doubled_percent(const std::string& value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    text += value[i];
    if (value[i] == '%' && i + 1 < value.size() && value[i + 1] == '%') ++i;
  }
  return text;
}

// Whether the text is a T, which `out` is then.
template <class T>
bool read_field(const std::string& text, T& out) {
  return !text.empty() && !Text<T>::read({text, /*plain=*/false}, out);
}

// Takes one of the options of Options=. A transport that the mount would have anyway is not said in a spec.
void take_option(const std::string& text, NfsMount& mount) {
  constexpr std::string_view proto_word = "proto=";
  constexpr std::string_view port_word = "port=";
  NfsProto proto = NfsProto::rdma;
  if (text.starts_with(proto_word) && !Text<NfsProto>::read({text.substr(proto_word.size()), /*plain=*/true}, proto)) {
    if (proto != mount.transport()) mount.proto = proto;
  } else if (text.starts_with(port_word)) {
    mount.rdma_port = value_from<NfsPort>(text.substr(port_word.size()));
  } else if (MountOption option; read_field(text, option)) {
    mount.options.push_back(std::move(option));
  }
}

void adopt_mount(const Adoption& from, const std::string& path, Adopted& to) {
  const auto unit = own_ini(from.snapshot, path, ini::systemd);
  if (!unit) return;
  const auto value = [&](std::string_view key) { return without_doubled_percent(unit->value("Mount", key)); };
  NfsMount mount;
  if (!read_field(value("What"), mount.source) || !read_field(value("Where"), mount.target)) return;
  for (const auto& option : split(value("Options"), ",")) take_option(option, mount);
  const std::string stem = path.substr(0, path.rfind('.'));
  if (from.snapshot.exists(stem + ".automount")) mount.automount = true;
  auto& section = section_of(to);
  auto& mounts = (section.client ? *section.client : section.client.emplace()).mounts;
  to.came_from(fmt::format("nfs.client.mounts[{}]", mounts.size()), path);
  mounts.push_back(std::move(mount));
}

}  // namespace

void adopt_nfs(const Adoption& from, Adopted& to) {
  adopt_server(from, to);
  adopt_exports(from, to);
  const std::string folder(common_layout().units);
  for (const auto& name : from.snapshot.list(folder))
    if (name.ends_with(".mount")) adopt_mount(from, folder + "/" + name, to);
}

}  // namespace rdmastate
