// SPDX-License-Identifier: Apache-2.0
// Section `nfs`: an NFS server that listens for RDMA, and mounts over RDMA.
#pragma once

#include <vector>

#include "base/fields.hpp"
#include "sections/nfs/export_spec.hpp"
#include "sections/nfs/firewall_spec.hpp"
#include "sections/nfs/types.hpp"

namespace rdmastate {

struct NfsServer {
  std::optional<bool> run;
  std::optional<NfsPort> rdma_port;
  std::optional<NfsThreads> threads = {};
  std::vector<ExportedDirectory> exports = {};
  std::optional<NfsFirewall> firewall = {};

  NfsPort port() const { return rdma_port.value_or(NfsPort()); }
  bool runs() const { return run.value_or(false); }
};

template <>
struct Fields<NfsServer> {
  static constexpr std::string_view name = "server";
  static constexpr std::string_view doc =
      "The NFS server listens for RDMA: now where it runs, and from each start on. What others export, in /etc/exports and /etc/exports.d, stays.";
  static constexpr auto table = Table{
      Field{
          "run",
          &NfsServer::run,
          "true: the package's nfs-server.service is started, now and at boot. false: it is stopped, and not started at boot. Without it whoever administers the host starts and stops it.",
          {.example = "true"}},
      Field{"rdma_port",
            &NfsServer::rdma_port,
            "The port that it listens on for RDMA, in IPv4 and IPv6.",
            {.on_create = "20049", .example = "20049"}},
      Field{"threads",
            &NfsServer::threads,
            "How many threads serve it, 1 to 8192: of the server that runs, and of each start.",
            {.example = "16"}},
      Field{
          "exports", &NfsServer::exports,
          "What is exported beside what files of others export: now where the server runs, and from each start on. One that is taken out of the list is exported until the server is told, which --restart nfs-server.service allows."},
      Field{
          "firewall", &NfsServer::firewall,
          "The zone of firewalld that lets the server's clients in: now where firewalld runs, and from each start on."},
  };
};

struct NfsMount {
  NfsSource source;
  MountTarget target;
  std::optional<NfsProto> proto;
  std::optional<NfsPort> rdma_port;
  std::vector<MountOption> options;
  std::optional<bool> automount;

  NfsPort port() const { return rdma_port.value_or(NfsPort()); }
  NfsProto transport() const { return proto.value_or(source.is_ipv6() ? NfsProto::rdma6 : NfsProto::rdma); }
  bool is_automounted() const { return automount.value_or(false); }
};

template <>
struct Fields<NfsMount> {
  static constexpr std::string_view name = "mounts";
  static constexpr std::string_view doc = "One mount over RDMA: a unit of systemd, named after its target.";
  static constexpr auto table = Table{
      Field{"source",
            &NfsMount::source,
            "The server and what it exports; an IPv6 address in brackets.",
            {.required = true, .example = "server.example.com:/nfs/projects"}},
      Field{"target",
            &NfsMount::target,
            "Where it is mounted; systemd makes the directory.",
            {.required = true, .identity = true, .example = "/mnt/projects"}},
      Field{
          "proto",
          &NfsMount::proto,
          "The transport: rdma reaches the server by IPv4, rdma6 by IPv6. Where source is a name, mount.nfs looks up addresses of that family alone.",
          {.on_create = "rdma, and rdma6 where source is an IPv6 address", .example = "rdma6"}},
      Field{"rdma_port",
            &NfsMount::rdma_port,
            "The port that the server listens on for RDMA.",
            {.on_create = "20049", .example = "20049"}},
      Field{"options",
            &NfsMount::options,
            "Further options of nfs(5) and mount(8), in their order.",
            {.example = "[vers=4.2, hard]"}},
      Field{"automount",
            &NfsMount::automount,
            "true: mounted at the first access. false: mounted at boot.",
            {.on_create = "false", .example = "true"}},
  };
};

struct NfsClient {
  std::vector<NfsMount> mounts;
};

template <>
struct Fields<NfsClient> {
  static constexpr std::string_view name = "client";
  static constexpr std::string_view doc = "What this host mounts over RDMA.";
  static constexpr auto table = Table{
      Field{
          "mounts", &NfsClient::mounts,
          "The mounts: now and at boot. One that is taken out of the list stays until it is unmounted, which --restart UNIT does."},
  };
};

struct NfsSection {
  std::optional<NfsServer> server;
  std::optional<NfsClient> client;
};

template <>
struct Fields<NfsSection> {
  static constexpr std::string_view name = "nfs";
  static constexpr std::string_view doc = "NFS over RDMA.";
  static constexpr auto table = Table{
      Field{"server", &NfsSection::server, "The NFS server of this host."},
      Field{"client", &NfsSection::client, "What this host mounts."},
  };
};

}  // namespace rdmastate
