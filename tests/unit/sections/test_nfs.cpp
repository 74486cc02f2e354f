// SPDX-License-Identifier: Apache-2.0
// What NFS mounts are written in, what they become, and what files of others say about them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/template.hpp"
#include "host/nfs_claims.hpp"
#include "platform/nfs.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "sections/nfs/check.hpp"

namespace rdmastate {
namespace {

template <class T>
bool reads(const std::string& text) {
  T value;
  return !Text<T>::read({text, true}, value);
}

template <class T>
T value(const std::string& text) {
  T value;
  EXPECT_FALSE(Text<T>::read({text, false}, value)) << text;
  return value;
}

TEST(NfsTypes, TakeWhatTheirReadersTake) {
  for (const char* good : {"server.example.com:/nfs/projects", "192.0.2.5:/", "[2001:db8::5]:/nfs",
                           "[fe80::1%ib0]:/nfs", "server:/a b/100%", "server:/ä", "s_1-a:/x:y"})
    EXPECT_TRUE(reads<NfsSource>(good)) << good;
  for (const char* bad : {"", "/nfs", "server", "server:nfs", ":/nfs", "-o:/nfs", "a,b:/nfs", "a b:/nfs",
                          "2001:db8::5:/nfs", "[2001:db8::5:/nfs", "[192.0.2.5]:/nfs", "[fe80::1%]:/nfs", "[]:/nfs",
                          "s:/a\u0085", "s:/\u2028b", "s:/a\u2029", "s:/a\nb", "s:/a\\", "s:/a "})
    EXPECT_FALSE(reads<NfsSource>(bad)) << bad;
  for (const char* good : {"/mnt", "/mnt/a b", "/mnt/...", "/mnt/.a", "/mnt/%n"})
    EXPECT_TRUE(reads<MountTarget>(good)) << good;
  for (const char* bad :
       {"", "mnt", "/", "/mnt/", "/mnt//a", "/mnt/./a", "/mnt/..", "/..", "/mnt/a\nb", "/mnt/a\\b", "/mnt/a "})
    EXPECT_FALSE(reads<MountTarget>(bad)) << bad;
  for (const char* good : {"hard", "vers=4.2", "x-a.b=1", "_netdev", "context=system_u:object_r:nfs_t:s0"})
    EXPECT_TRUE(reads<MountOption>(good)) << good;
  for (const char* bad : {"", "a,b", "a b", "-o", "a\"b", "a'b", "a\\", "=x"})
    EXPECT_FALSE(reads<MountOption>(bad)) << bad;
}

TEST(NfsTypes, APortIsAPort) {
  EXPECT_TRUE(reads<NfsPort>("1") && reads<NfsPort>("65535"));
  for (const char* bad : {"0", "65536", "4294967296", "-1", "020049", "nfsrdma", "yes", ""})
    EXPECT_FALSE(reads<NfsPort>(bad)) << bad;
  NfsPort port;
  EXPECT_TRUE(Text<NfsPort>::read({"20049", false}, port)) << "in quotes it is a string";
}

TEST(NfsTypes, TheTransportFollowsTheAddress) {
  NfsMount mount;
  mount.source = value<NfsSource>("server.example.com:/nfs");
  EXPECT_EQ(mount.transport(), NfsProto::rdma);
  mount.proto = NfsProto::rdma6;
  EXPECT_EQ(mount.transport(), NfsProto::rdma6);
  mount.proto.reset();
  mount.source = value<NfsSource>("[2001:db8::5]:/nfs");
  EXPECT_EQ(mount.transport(), NfsProto::rdma6);
  EXPECT_TRUE(value<NfsSource>("192.0.2.5:/nfs").is_ipv4());
  EXPECT_FALSE(value<NfsSource>("server:/nfs").is_ipv4());
}

// As systemd-escape --path writes them.
TEST(NfsUnits, AreNamedAfterTheirTarget) {
  EXPECT_EQ(escaped_path("/mnt/projects"), "mnt-projects");
  EXPECT_EQ(escaped_path("/"), "-");
  EXPECT_EQ(escaped_path("/mnt/a-b"), "mnt-a\\x2db");
  EXPECT_EQ(escaped_path("/mnt/my projects"), "mnt-my\\x20projects");
  EXPECT_EQ(escaped_path("/mnt/.hidden"), "mnt-.hidden");
  EXPECT_EQ(escaped_path("/.a"), "\\x2ea");
  EXPECT_EQ(escaped_path("/mnt/ä"), "mnt-\\xc3\\xa4");
  EXPECT_EQ(escaped_path("/mnt/a:b_c.d"), "mnt-a:b_c.d");
}

TEST(NfsUnits, HoldWhatStandsInThem) {
  EXPECT_EQ(escape_unit("/nfs/100%"), "/nfs/100%%");
  EXPECT_THROW(escape_unit("a\nb"), Error);
  EXPECT_THROW(escape_unit("a\\"), Error);
}

Platform with(unsigned major, unsigned minor, unsigned patch, DistroFamily family = DistroFamily::debian) {
  Platform platform;
  platform.family = family;
  platform.versions.nfs_utils = {major, minor, patch};
  return platform;
}

TEST(NfsServers, ReadTheirPortByVersion) {
  EXPECT_EQ(nfs_server_conf(with(2, 8, 3)).form, NfsServerForm::drop_in);
  EXPECT_EQ(nfs_server_conf(with(2, 5, 3)).form, NfsServerForm::drop_in);
  EXPECT_EQ(nfs_server_conf(with(2, 5, 2)).path, "/etc/nfs.conf");
  EXPECT_EQ(nfs_server_conf(with(2, 1, 1, DistroFamily::suse)).path, "/etc/nfs.conf.local");
  EXPECT_EQ(nfs_server_conf(with(1, 3, 4)).form, NfsServerForm::unit);
}

Desired wanted(const NfsSection& nfs, const Facts& facts, Report& report) {
  Spec spec;
  spec.nfs = nfs;
  Desired desired;
  nfs_section.expand(spec, facts, Backend::none, desired, report);
  return desired;
}

Facts release(const std::string& id, const std::string& version) {
  Facts facts;
  facts.distribution = id;
  facts.version = version;
  return facts;
}

TEST(NfsServers, AreWantedInTheFormThatTheyRead) {
  Report report;
  NfsSection nfs;
  nfs.server = NfsServer{std::nullopt, NfsPort{20050}};
  const auto one = wanted(nfs, release("rhel", "8.10"), report).wanted;
  ASSERT_EQ(one.size(), 3U);
  EXPECT_EQ(one[0].key, "/etc/nfs.conf nfsd.rdma");
  EXPECT_EQ(one[0].state->as<EntryState>().value, "20050");
  EXPECT_EQ(one[1].key, "/etc/nfs.conf nfsd.rdma-port");
  EXPECT_FALSE(one[1].state) << "it would say another port beside the number that counts";
  EXPECT_EQ(one[2].key, "rdma 20050") << "the listener";
  const auto other = wanted(nfs, release("debian", "11"), report).wanted;
  EXPECT_NE(other.at(0).state->as<FileState>().content->value.find("--rdma=20050 $RPCNFSDARGS"), std::string::npos);
  EXPECT_FALSE(report.failed());
  nfs.server->rdma_port = NfsPort{1};
  wanted(nfs, release("rhel", "8.10"), report);
  EXPECT_TRUE(report.failed()) << "rdma=1 is a yes to it";
}

TEST(NfsServers, TakeNoPortThatAnotherDaemonHas) {
  Report report;
  NfsSection nfs;
  nfs.server = NfsServer{};
  Facts facts = release("debian", "12");
  facts.nfs_settings = {{"nfsd.rdma-port", "20049", "/etc/nfs.conf"}};
  wanted(nfs, facts, report);
  EXPECT_FALSE(report.failed());
  facts.nfs_settings = {{"mountd.port", "20049", "/etc/nfs.conf"}};
  wanted(nfs, facts, report);
  EXPECT_TRUE(report.failed());
}

// The module of rdma6 has no alias there that the kernel asks for.
TEST(NfsMounts, LoadTheirTransportOnOldKernels) {
  Report report;
  NfsSection nfs;
  NfsMount mount;
  mount.source = value<NfsSource>("[2001:db8::5]:/nfs");
  mount.target = value<MountTarget>("/mnt/nfs");
  nfs.client = NfsClient{{mount}};
  const auto loads_it = [&](const char* kernel) {
    Facts facts = release("rhel", "8.10");
    facts.kernel = kernel;
    const auto all = wanted(nfs, facts, report).wanted;
    return std::count_if(all.begin(), all.end(),
                         [](const Wanted& one) { return one.key == "rpcrdma" && !one.twins.empty(); });
  };
  EXPECT_EQ(loads_it("4.18.0-553.el8_10.x86_64"), 1);
  EXPECT_EQ(loads_it("6.1.0-40-amd64"), 0);
  EXPECT_EQ(loads_it(""), 0) << "a tree's kernel is not known";
  nfs.client->mounts[0].source = value<NfsSource>("server.example.com:/nfs");
  EXPECT_EQ(loads_it("4.18.0-553.el8_10.x86_64"), 0);
}

TEST(NfsClaims, AreReadAsTheirReadersDo) {
  const std::vector<std::string> targets{"/", "/mnt/my projects", "/mnt/b"};
  EXPECT_EQ(fstab_targets("# UUID=1 /no\nUUID=1 / ext4 defaults 0 1\n\nUUID=2 none swap sw 0 0\n"
                          "s:/a\t/mnt/my\\040projects/ nfs ro 0 0\n  s:/b /mnt/b nfs\nonly\n"),
            targets);
  EXPECT_EQ(unit_target("[Mount]\nWhat=s:/a\nWhere = /no\nWhere=/mnt/100%%/\n"), "/mnt/100%");
  EXPECT_EQ(unit_target("[Mount]\n"), "");
  EXPECT_EQ(unit_target("[Mount]\r\nWhere = /mnt/a\r\n"), "/mnt/a");
  EXPECT_EQ(unit_target("[Automount]\nWhere=\\\n# c\n/mnt/a\n"), "/mnt/a");
  EXPECT_EQ(unit_target("[Mount]\nWhere=/mnt/a\n[X-Other]\nWhere=/mnt/b\n"), "/mnt/a") << "another section's";
  EXPECT_EQ(unit_target("[Mount]\nWhere=/mnt/a\nWhere=\n"), "");
  const auto settings = nfs_settings_in(
      "/etc/nfs.conf", "[NFSD]\nRDMA = y # no\n#rdma=n\n[nfsd \"a\"]\nrdma=n\n[lockd]\nport=1\ngrace=2\n");
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0], (NfsSetting{"nfsd.rdma", "y", "/etc/nfs.conf"}));
  EXPECT_EQ(settings[1], (NfsSetting{"lockd.port", "1", "/etc/nfs.conf"}));
}

TEST(NfsClaims, SettingsAreThoseOfNfsUtils) {
  const auto only = [](std::string_view text) {
    const auto settings = nfs_settings_in("", text);
    return settings.size() == 1 ? settings[0].value : fmt::format("{} of them", settings.size());
  };
  EXPECT_EQ(only("[lockd]\nport=\"4001\" # c\n"), "4001");
  EXPECT_EQ(only("[lockd] # c\nport='4001'\n"), "4001");
  EXPECT_EQ(only("[lockd]\nport=\\\n4001\n"), "4001");
  EXPECT_EQ(only("[lockd]\nport=4001;c\nport=\n"), "4001") << "an empty one is none";
  EXPECT_EQ(only("[lockd]\n# c\\\nport=4001\n"), "0 of them");
  EXPECT_EQ(only("[lockd]\nport=4001"), "0 of them") << "the last line has no newline";
}

}  // namespace
}  // namespace rdmastate
