// SPDX-License-Identifier: Apache-2.0
#include "sections/nfs/threads.hpp"

#include "base/ini.hpp"
#include "base/lines.hpp"
#include "host/mark.hpp"
#include "host/snapshot.hpp"
#include "resources/entry/entry.hpp"
#include "resources/nfs_threads.hpp"
#include "resources/unit/unit.hpp"
#include "sections/ini_file.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view threads_name = "nfsd.threads";
const std::string threads_path = "nfs.server.threads";

// The number of threads in the command of rdmastate's drop-in; empty: it has none. rpc.nfsd takes the first number
// among its arguments, so this one counts before a number in $RPCNFSDARGS.
std::string threads_in_unit(const ini::File& unit) {
  for (const auto& word : words(unit.value("Service", "ExecStart")))
    if (ascii::is_number(word)) return word;
  return {};
}

// The value of the entry; empty where it is missing or unseen.
std::string threads_in_entry(const Adoption& from, std::string_view path) {
  const auto seen = entry_kind.observe(from.snapshot, entry_key(path, threads_name));
  const State* state = state_of(seen);
  return state == nullptr ? std::string() : state->as<EntryState>().value;
}

}  // namespace

void add_threads(const NfsServer& server, const NfsServerConf& conf, const Ref& file, Desired& desired) {
  if (!server.threads) return;
  Ref twin = file;
  if (conf.form == NfsServerForm::entry) {
    twin = {entry_kind.name, entry_key(conf.path, threads_name)};
    desired.add({&entry_kind, twin.key, entry_of(conf.path, threads_name, to_text(*server.threads)), threads_path});
  }
  Wanted threads{&nfs_threads_kind, std::string(nfs_server_unit), nfs_threads(server.threads->value), threads_path};
  threads.twins.push_back({std::move(twin), TwinForm::whole_file, {}});
  if (server.runs())
    threads.twins.push_back({{unit_kind.name, std::string(nfs_server_unit)}, TwinForm::whole_file, {}});
  desired.add(std::move(threads));
}

std::optional<NfsThreads> adopted_threads(const Adoption& from, const NfsServerConf& conf) {
  const std::string path(conf.path);
  if (conf.form == NfsServerForm::entry) return value_from<NfsThreads>(threads_in_entry(from, path));
  const auto text = from.snapshot.read(path);
  if (!text || !carries_mark(*text)) return std::nullopt;
  const bool is_unit = conf.form == NfsServerForm::unit;
  const ini::File file(is_unit ? ini::systemd : ini::nfs_conf, *text);
  return value_from<NfsThreads>(is_unit ? threads_in_unit(file) : file.value("nfsd", "threads"));
}

}  // namespace rdmastate
