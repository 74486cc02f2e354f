// SPDX-License-Identifier: Apache-2.0
// The rules of nfs.server.exports: each directory and host once, no option beside its contrary, and what is dangerous.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "host/nfs_export_options.hpp"
#include "sections/nfs/check.hpp"
#include "sections/nfs/exports.hpp"

namespace rdmastate {
namespace {

std::string path_of(std::size_t directory, std::string_view field) {
  return fmt::format("nfs.server.exports[{}].{}", directory, field);
}

// One name for all options that say the same thing or its contrary: "rw" of ro and rw, "fsid" of fsid=0.
std::string subject_of(const ExportOption& option) {
  const std::string spelt = spelling_of(option.value);
  for (const auto& flag : export_flags())
    if (spelt == flag.usual || spelt == flag.other) return std::string(flag.other);
  return spelt.substr(0, spelt.find('='));
}

void check_options(const ExportClient& client, const std::string& path, Report& report) {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < client.options.size(); ++i) {
    const std::string& option = client.options[i].value;
    const std::string place = fmt::format("{}.options[{}]", path, i);
    const auto [seen, fresh] = first.emplace(subject_of(client.options[i]), i);
    if (!fresh)
      complain(report, place,
               fmt::format("{} and {} repeat or contradict each other", client.options[seen->second].value, option),
               "keep one of them");
    if (option == "insecure")
      warn(
          report, place,
          "insecure is for clients over TCP: since Linux 3.16 the port that a client over RDMA comes from does not count",
          "take it out, unless clients over TCP come from ports above 1023");
  }
}

void check_client(const ExportClient& client, const std::string& path, Report& report) {
  constexpr std::size_t longest = 511;  // exports.c, getexportent(): a word of 512 bytes
  check_options(client, path, report);
  const std::size_t length = client.host.value.size() + written_options(client).size() + 2;
  if (length > longest)
    complain(report, path,
             fmt::format("the client and its options are {} bytes long, and nfs-utils takes {}", length, longest),
             "say less of them");
}

void check_clients(const ExportedDirectory& directory, std::size_t at, Report& report) {
  if (directory.clients.empty())
    complain(report, path_of(at, "clients"), "it is exported to nobody", "name a host, or take the export out");
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < directory.clients.size(); ++i) {
    const std::string path = path_of(at, fmt::format("clients[{}]", i));
    const auto& client = directory.clients[i];
    check_client(client, path, report);
    if (client.host.value.empty()) continue;
    const auto [seen, fresh] = first.emplace(ascii::lower(client.host.value), i);
    if (!fresh)
      complain(report, path + ".host",
               fmt::format("{} is a client of {} already", client.host.value, directory.path.value),
               "one entry per client, with all its options");
  }
}

}  // namespace

void check_exports(const NfsServer& server, Report& report) {
  if (server.run && !*server.run && !server.exports.empty())
    complain(report, "nfs.server.exports", "exports of a server that run: false stops",
             "take exports out, or write run: true");
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < server.exports.size(); ++i) {
    const std::string& path = server.exports[i].path.value;
    check_clients(server.exports[i], i, report);
    if (path.empty()) continue;
    if (path == "/")
      warn(report, path_of(i, "path"), "/ exports the whole system of this host, its passwords included",
           "export the directory that the clients need");
    const auto [seen, fresh] = first.emplace(path, i);
    if (!fresh)
      complain(report, path_of(i, "path"),
               fmt::format("{} is exported by nfs.server.exports[{}] already", path, seen->second),
               "one record per directory, with all its clients");
  }
}

}  // namespace rdmastate
