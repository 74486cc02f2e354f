// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/nfsd.hpp"

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/error.hpp"
#include "base/ini.hpp"
#include "base/json_object.hpp"
#include "base/lines.hpp"
#include "base/text.hpp"
#include "host/export_table.hpp"
#include "host/nfs_claims.hpp"
#include "host/nfs_exports.hpp"
#include "host/recorded/files.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t usual_threads = 8;
constexpr std::uint32_t usual_grace = 90;
constexpr std::size_t most_of_file = 16U << 20U;

// In the order in which nfs-utils reads them. It sorts nfs.conf.d by version; the records have no names for which that
// differs from this order.
std::vector<NfsSetting> settings_of(const HostModel& model) {
  std::vector<NfsSetting> settings;
  const auto add = [&](const std::string& path) {
    const auto file = model.files.find(path);
    if (file == model.files.end() || file->second.meta.type != FileType::regular) return;
    for (auto& one : nfs_settings_in(path, file->second.bytes)) settings.push_back(std::move(one));
  };
  add("/etc/nfs.conf");
  add("/etc/nfs.conf.local");
  for (const auto& [path, file] : model.files)
    if (path.starts_with("/etc/nfs.conf.d/") && path.ends_with(".conf")) add(path);
  return settings;
}

// The number behind `option` in the command line that a drop-in gives rpc.nfsd: the RDMA port behind "--rdma=". With
// `option` empty a bare number: the threads. nullopt: there is none. An rpc.nfsd that reads no nfs.conf needs these.
std::optional<std::uint32_t> argument_of_unit(const HostModel& model, std::string_view option) {
  for (const auto& [path, file] : model.files) {
    if (!path.starts_with("/etc/systemd/system/nfs-server.service.d/")) continue;
    for (const auto& word : words(ini::File(ini::systemd, file.bytes).value("Service", "ExecStart"))) {
      std::uint32_t number = 0;
      if (word.starts_with(option) && !Text<std::uint32_t>::read({word.substr(option.size()), /*plain=*/true}, number))
        return number;
    }
  }
  return std::nullopt;
}

// exportfs(8) leaves out what it cannot read.
void add_exports(RecordedFiles& files, const std::string& path, std::vector<NfsExport>& exports) {
  try {
    for (auto& one : exports_in(files.read(path, most_of_file).value_or(""))) exports.push_back(std::move(one));
  } catch (const SystemError&) {
    return;
  }
}

void require_nfsd(const std::optional<RecordedNfsd>& nfsd) {
  if (!nfsd) throw Refusal{ENOENT};
}

}  // namespace

void nfsd::start(HostModel& model) {
  if (!model.nfsd) model.nfsd.emplace();
  NfsdState& state = model.nfsd->state;
  state.threads = threads_of(settings_of(model)).value_or(argument_of_unit(model, "").value_or(usual_threads));
  state.grace = usual_grace;
  state.listeners = {{"tcp", 2049}};
  auto port = rdma_port_of(settings_of(model));
  if (!port) port = argument_of_unit(model, "--rdma=");
  if (port) state.listeners.push_back({"rdma", *port});
  export_files(model);
}

void nfsd::export_files(HostModel& model) {
  if (!model.nfsd || model.nfsd->state.threads == 0) return;
  std::set<std::string, ExportsOrder> paths;
  for (const auto& [path, file] : model.files)
    if (is_exports_file(path)) paths.insert(path);
  CallLog unnoted;
  RecordedFiles files(model, unnoted);
  std::vector<NfsExport> exports;
  for (const auto& path : paths) add_exports(files, path, exports);
  model.nfsd->state.exports = ExportTable(std::move(exports)).all();
}

void nfsd::stop(HostModel& model) {
  if (!model.nfsd) return;
  model.nfsd->state.threads = 0;
  model.nfsd->state.listeners.clear();
  model.nfsd->state.exports.clear();
  model.nfsd->clients.clear();
}

std::optional<NfsdState> RecordedNfsServer::look() {
  ++log_.reads.managers;
  return model_.nfsd ? std::optional(model_.nfsd->state) : std::nullopt;
}

std::vector<NfsdClient> RecordedNfsServer::clients() {
  return model_.nfsd ? model_.nfsd->clients : std::vector<NfsdClient>();
}

void RecordedNfsServer::listen(const NfsListener& listener) {
  log_.move("adding the listener " + listener_text(listener) + " to the NFS server", [&] {
    require_nfsd(model_.nfsd);
    auto& listeners = model_.nfsd->state.listeners;
    if (std::find(listeners.begin(), listeners.end(), listener) == listeners.end()) listeners.push_back(listener);
  });
}

void RecordedNfsServer::set_threads(std::uint32_t count) {
  const std::string doing = "giving the NFS server " + std::to_string(count) + " threads";
  if (count == 0) throw Error(doing + ": that would stop it");
  log_.move(doing, [&] {
    require_nfsd(model_.nfsd);
    if (model_.nfsd->state.threads == 0) throw Refusal{ENOENT};
    model_.nfsd->state.threads = count;
  });
}

RecordedNfsd read_nfsd(JsonObject& in) {
  RecordedNfsd nfsd;
  nfsd.state.threads = in.number("threads");
  nfsd.state.grace = in.number_or("grace", usual_grace);
  in.each("listeners", [&](const Json& value, const std::string& path) {
    JsonObject one(value, path);
    nfsd.state.listeners.push_back({one.text("transport"), one.number("port")});
    one.finish();
  });
  in.each("exports", [&](const Json& value, const std::string& path) {
    JsonObject one(value, path);
    nfsd.state.exports.push_back({one.text("path"), one.text("host"), one.text_or("options", "")});
    one.finish();
  });
  in.each("clients", [&](const Json& value, const std::string& path) {
    JsonObject one(value, path);
    nfsd.clients.push_back({one.text("address"), one.text_or("name", "")});
    one.finish();
  });
  return nfsd;
}

Json nfsd_json(const RecordedNfsd& nfsd) {
  Json out = {{"threads", nfsd.state.threads}, {"grace", nfsd.state.grace}, {"listeners", Json::array()}};
  std::vector<NfsListener> listeners = nfsd.state.listeners;
  std::sort(listeners.begin(), listeners.end());
  for (const auto& one : listeners) out["listeners"].push_back({{"transport", one.transport}, {"port", one.port}});
  for (const auto& one : nfsd.state.exports)
    out["exports"].push_back({{"path", one.path}, {"host", one.host}, {"options", one.options}});
  for (const auto& one : nfsd.clients) out["clients"].push_back({{"address", one.address}, {"name", one.name}});
  return out;
}

}  // namespace rdmastate
