// SPDX-License-Identifier: Apache-2.0
#include "sections/nfs/exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/lines.hpp"
#include "base/template.hpp"
#include "host/mark.hpp"
#include "host/nfs_exports.hpp"
#include "host/snapshot.hpp"
#include "platform/layout.hpp"
#include "platform/nfs.hpp"
#include "resources/file/file.hpp"
#include "resources/nfs_export/nfs_export.hpp"
#include "resources/unit/unit.hpp"
#include "sections/ini_file.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view no_subtree_check = "no_subtree_check";

std::string own_file() { return std::string(common_layout().nfs_exports); }

// The path of a client in the spec, by the indices of its directory and of itself.
std::string path_of(std::size_t directory, std::size_t client) {
  return fmt::format("nfs.server.exports[{}].clients[{}]", directory, client);
}

// Whether the spec chooses between checking subtrees and not.
bool says_subtree(const ExportClient& client) {
  return std::any_of(client.options.begin(), client.options.end(), [](const ExportOption& option) {
    return option.value == no_subtree_check || option.value == "subtree_check";
  });
}

std::string text_of(const NfsServer& server) {
  std::vector<Values> directories;
  for (const auto& directory : server.exports) {
    std::vector<Values> clients;
    for (const auto& client : directory.clients)
      clients.push_back({{{"host", client.host.value}, {"options", written_options(client)}}});
    directories.push_back({{{"path", directory.path.value}, {"clients", std::move(clients)}}});
  }
  return Template("nfs.exports", escape_exports).render({{{"exports", std::move(directories)}}});
}

using ClaimsByPath = std::multimap<std::string_view, const ExportClaim*>;

ClaimsByPath claims_of_others(const Facts& facts) {
  ClaimsByPath claims;
  for (const auto& claim : facts.exports)
    if (claim.file != own_file()) claims.emplace(claim.path, &claim);
  return claims;
}

// Adds as claimants the other files that export this directory to this client. exportfs(8) reads /etc/exports first,
// and of two exports of one path to one host ignores the second.
void find_others(const ExportedDirectory& directory, const ExportClient& client, const ClaimsByPath& others,
                 Desired& desired) {
  const auto [first, last] = others.equal_range(directory.path.value);
  for (auto one = first; one != last; ++one)
    if (const ExportClaim& claim = *one->second; is_same_host(claim.host, client.host.value))
      desired.claimants.push_back({{fmt::format("{} for {}", claim.path, claim.host), "exports", claim.file},
                                   &file_kind,
                                   "that export",
                                   /*holds_more=*/true});
}

// The file brings the export back at the next start of the server; with `run: true` the server starts at boot.
void add_export(const NfsServer& server, const ExportedDirectory& directory, const ExportClient& client,
                std::string where, Desired& desired) {
  Wanted one{&nfs_export_kind,
             nfs_export_key(directory.path.value, client.host.value),
             nfs_export(directory.path.value, client.host.value, written_options(client)),
             std::move(where),
             /*awaited_from=*/"",
             /*twins=*/{}};
  one.twins.push_back({{file_kind.name, own_file()}, TwinForm::whole_file, {}});
  if (server.runs()) one.twins.push_back({{unit_kind.name, std::string(nfs_server_unit)}, TwinForm::whole_file, {}});
  desired.add(std::move(one));
}

template <class T>
bool read_field(const std::string& text, T& out) {
  return !Text<T>::read({text, /*plain=*/false}, out);
}

// The options of a client in the file, without the no_subtree_check that written_options() has added at their end.
std::vector<ExportOption> options_of(const std::string& text) {
  std::vector<ExportOption> options;
  for (const auto& word : split(text, ","))
    if (ExportOption option; read_field(word, option)) options.push_back(std::move(option));
  if (!options.empty() && options.back().value == no_subtree_check) options.pop_back();
  return options;
}

// Adds the export to `exports`: to the last directory where the path is the same, else as a new directory. Leaves out
// an export that a spec cannot hold.
void adopt_one(const NfsExport& one, std::vector<ExportedDirectory>& exports) {
  ExportedDirectory directory;
  ExportClient client;
  if (!read_field(one.path, directory.path) || !read_field(one.host, client.host)) return;
  client.options = options_of(one.options);
  const bool is_same_directory = !exports.empty() && exports.back().path == directory.path;
  if (!is_same_directory) exports.push_back(std::move(directory));
  exports.back().clients.push_back(std::move(client));
}

}  // namespace

std::string written_options(const ExportClient& client) {
  std::string text;
  for (const auto& option : client.options) text.append(text.empty() ? "" : ",").append(option.value);
  if (!says_subtree(client)) text.append(text.empty() ? "" : ",").append(no_subtree_check);
  return text;
}

void add_exports(const NfsServer& server, const Facts& facts, Desired& desired) {
  if (server.exports.empty()) return;
  State file(file_kind, regular_file(text_of(server)));
  desired.add({&file_kind, own_file(), std::move(file), "nfs.server.exports"});
  const ClaimsByPath others = claims_of_others(facts);
  for (std::size_t i = 0; i < server.exports.size(); ++i) {
    const auto& directory = server.exports[i];
    for (std::size_t j = 0; j < directory.clients.size(); ++j) {
      find_others(directory, directory.clients[j], others, desired);
      add_export(server, directory, directory.clients[j], path_of(i, j), desired);
    }
  }
}

void adopt_exports(const Adoption& from, Adopted& to) {
  const auto text = from.snapshot.read(own_file());
  if (!text || !carries_mark(*text)) return;
  std::vector<ExportedDirectory> exports;
  for (const auto& one : exports_in(*text)) adopt_one(one, exports);
  if (exports.empty()) return;
  auto& nfs = to.spec.nfs ? *to.spec.nfs : to.spec.nfs.emplace();
  (nfs.server ? *nfs.server : nfs.server.emplace()).exports = std::move(exports);
  to.came_from("nfs.server.exports", own_file());
}

}  // namespace rdmastate
