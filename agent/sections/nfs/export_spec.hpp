// SPDX-License-Identifier: Apache-2.0
// What a spec says of the directories that the NFS server exports. Nothing here checks that a path is no symlink or a
// host no alias: then the step fails (resources/nfs_export/nfs_export.cpp).
#pragma once

#include <optional>
#include <vector>

#include "base/fields.hpp"
#include "sections/nfs/export_types.hpp"

namespace rdmastate {

struct ExportClient {
  ExportHost host;
  std::vector<ExportOption> options;
};

template <>
struct Fields<ExportClient> {
  static constexpr std::string_view name = "clients";
  static constexpr std::string_view doc = "One client, network, netgroup or pattern, and what it may do.";
  static constexpr auto table = Table{
      Field{
          "host",
          &ExportClient::host,
          "Who: a name, an address, a network, a pattern such as *.example.com, a netgroup such as @nodes, or * for everybody. Of a host with several names the one that its address is looked up by.",
          {.required = true, .identity = true, .example = "192.0.2.0/24"}},
      Field{
          "options",
          &ExportClient::options,
          "Options of exports(5). What is not said is as exports(5) has it: read-only, root squashed, synchronous, without subtree check. Clients over RDMA need no `insecure`.",
          {.on_create = "[ro]",  // exportfs's own default, for documentation: rdmastate writes no ro
           .example = "[rw, no_root_squash]"}},
  };
};

struct ExportedDirectory {
  ExportPath path;
  std::vector<ExportClient> clients;
};

template <>
struct Fields<ExportedDirectory> {
  static constexpr std::string_view name = "exports";
  static constexpr std::string_view doc = "A directory that is exported.";
  static constexpr auto table = Table{
      Field{"path",
            &ExportedDirectory::path,
            "The directory. Not a symlink: exportfs exports what it leads to.",
            {.required = true, .identity = true, .example = "/nfs/projects"}},
      Field{"clients", &ExportedDirectory::clients, "Whom it is exported to.", {.required = true}},
  };
};

}  // namespace rdmastate
