// SPDX-License-Identifier: Apache-2.0
// What exports are written in, what they become in exports(5), and how that and exportfs's table are read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/template.hpp"
#include "host/nfs_exports.hpp"
#include "platform/setting.hpp"
#include "resources/file/file.hpp"
#include "resources/nfs_export.hpp"
#include "resources/nfs_threads.hpp"
#include "sections/nfs/check.hpp"
#include "sections/nfs/exports.hpp"

namespace rdmastate {
namespace {

template <class T>
bool reads(const std::string& text) {
  T value;
  return !Text<T>::read({text, false}, value);
}

template <class T>
T value(const std::string& text) {
  T value;
  EXPECT_FALSE(Text<T>::read({text, false}, value)) << text;
  return value;
}

ExportClient client(const std::string& host, const std::vector<std::string>& options) {
  ExportClient one{value<ExportHost>(host), {}};
  for (const auto& option : options) one.options.push_back(value<ExportOption>(option));
  return one;
}

Desired wanted(NfsServer server, const Facts& facts) {
  Desired desired;
  add_exports(server, facts, desired);
  return desired;
}

NfsServer exporting(const std::string& path, std::vector<ExportClient> clients) {
  NfsServer server;
  server.exports.push_back({value<ExportPath>(path), std::move(clients)});
  return server;
}

std::string file_of(const Desired& desired) { return desired.wanted.at(0).state->as<FileState>().content->value; }

TEST(ExportTypes, TakeWhatExportfsTakes) {
  for (const char* good : {"/", "/nfs", "/nfs/a b", "/nfs/a\"b", "/nfs/#a", "/nfs/é", "/nfs/a'(b)"})
    EXPECT_TRUE(reads<ExportPath>(good)) << good;
  for (const char* bad :
       {"", "nfs", "/nfs/", "/nfs//a", "/nfs/../a", "/nfs/./a", "/nfs\na", "/nfs\ta", "/a\\b", "/a\x7f"})
    EXPECT_FALSE(reads<ExportPath>(bad)) << bad;
  EXPECT_FALSE(reads<ExportPath>("/" + std::string(1024, 'a')));
  for (const char* good : {"*", "node1", "node1.example.com", "*.example.com", "node[0-9].example.com", "n?", "@nodes",
                           "192.0.2.7", "192.0.2.0/24", "2001:db8::7", "2001:db8::/64", "0.0.0.0/0"})
    EXPECT_TRUE(reads<ExportHost>(good)) << good;
  for (const char* bad :
       {"", "@", "-rw", "node1(rw)", "a b", "a,b", "192.0.2.1/24", "192.0.2.0/255.255.255.0", "192.0.2.*", "192.0.2",
        "[2001:db8::7]", "[2001:db8::]/64", "gss/krb5", "a#b", "a\"b", "192.0.2.0/33"})
    EXPECT_FALSE(reads<ExportHost>(bad)) << bad;
  EXPECT_EQ(value<ExportHost>("2001:DB8:0::7").value, "2001:db8::7");
  for (const char* good :
       {"rw", "ro", "no_root_squash", "fsid=0", "fsid=root", "fsid=6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "anonuid=65534", "sec=krb5p:sys", "mp", "mountpoint", "mp=/srv", "refer=/a@b+c:/d@e", "no_auth_nlm",
        "security_label", "nordirplus", "crossmnt"})
    EXPECT_TRUE(reads<ExportOption>(good)) << good;
  for (const char* bad :
       {"", "no_root_sqash", "rw,ro", "rw ", "rw=1", "fsid", "fsid=x", "anonuid=nobody", "sec=", "sec=x", "mp=srv",
        "refer=/a", "refer=/a@b)", "rw)", "xprtsec=tls", "-rw", "fsid=0#", "sec=sys\n"})
    EXPECT_FALSE(reads<ExportOption>(bad)) << bad;
}

TEST(ExportTypes, ThreadsAreAtLeastOne) {
  NfsThreads threads;
  for (const char* bad : {"0", "8193", "-1", "016", "many", ""})
    EXPECT_TRUE(Text<NfsThreads>::read({bad, true}, threads)) << bad;
  for (const char* good : {"1", "8192"}) EXPECT_FALSE(Text<NfsThreads>::read({good, true}, threads)) << good;
}

TEST(Exports, AreWrittenAsExports5HasThem) {
  EXPECT_EQ(file_of(wanted(exporting("/nfs/a \"#b", {client("192.0.2.0/24", {"rw"}), client("*", {})}), Facts{})),
            "# Managed by rdmastate: edit the host's spec, not this file.\n"
            "/nfs/a\\040\\042\\043b 192.0.2.0/24(rw,no_subtree_check) *(no_subtree_check)\n");
  EXPECT_EQ(written_options(client("*", {"rw", "subtree_check"})), "rw,subtree_check");
  for (const char* bad : {"/a\nb", "/a\\b", "/a\tb"}) EXPECT_THROW(escape_exports(bad), Error) << bad;
}

TEST(Exports, HaveTheirFileAsTheirTwinAndTheUnitWhereItStarts) {
  NfsServer server = exporting("/nfs", {client("@nodes", {"rw"})});
  const auto twins = [&] { return wanted(server, Facts{}).wanted.at(1).twins; };
  ASSERT_EQ(twins().size(), 1U);
  EXPECT_EQ(twins()[0].file.key, "/etc/exports.d/rdmastate.exports");
  server.run = true;
  EXPECT_EQ(twins().size(), 2U);
  EXPECT_EQ(wanted(server, Facts{}).wanted.at(1).key, "/nfs @nodes");
  EXPECT_TRUE(wanted(NfsServer{}, Facts{}).wanted.empty());
}

TEST(Exports, OfOtherFilesForTheSameHostAreNamed) {
  Facts facts;
  facts.exports = {{"/nfs", "node1", "rw", "/etc/exports"},
                   {"/nfs", "node2", "rw", "/etc/exports.d/z.exports"},
                   {"/srv", "node1", "rw", "/etc/exports"},
                   {"/nfs", "node1", "rw", "/etc/exports.d/rdmastate.exports"}};
  const auto claimants = wanted(exporting("/nfs", {client("node1", {"rw"}), client("node3", {})}), facts).claimants;
  ASSERT_EQ(claimants.size(), 1U);
  EXPECT_EQ(claimants[0].claim.path, "/etc/exports");
  EXPECT_TRUE(claimants[0].holds_more);
}

// As nfs-utils reads them (support/nfs/exports.c and xio.c).
TEST(Exports, AreReadAsNfsUtilsDoes) {
  const auto text = [](std::string_view file) {
    std::string all;
    for (const auto& one : exports_in(file)) all += fmt::format("[{}] {} {};", one.path, one.host, one.options);
    return all;
  };
  EXPECT_EQ(text("# /no *(rw)\n\n/a\tnode1(rw,sync) node2 # *(rw)\n"), "[/a] node1 rw,sync;[/a] node2 ;");
  EXPECT_EQ(text("\"/a b\" *(ro)\n/c\\040d *(ro)"), "[/a b] * ro;[/c d] * ro;");
  EXPECT_EQ(text("/a -ro,sync n1 n2(rw) \\\n  n3\n"), "[/a] n1 ro,sync;[/a] n2 ro,sync,rw;[/a] n3 ro,sync;");
  EXPECT_EQ(text("/a (rw)\n/b\nno *(rw)\n"), "[/a] * rw;[/b] * ;") << "/b is exported to everybody";
  EXPECT_EQ(text("# not continued \\\n/a -ro n1 -sync n2\n/b -rw\n"), "[/a] n1 ro;[/a] n2 ro,sync;[/b] * rw;");
  EXPECT_EQ(text("/a n1(rw)\n/b n2(rw n3(rw)\n/c n4(rw)\n"), "[/a] n1 rw;") << "it ends at what it cannot read";
}

const std::string usual =
    "sync,wdelay,hide,nocrossmnt,secure,root_squash,no_all_squash,no_subtree_check,secure_locks,acl,no_pnfs,"
    "anonuid=65534,anongid=65534,sec=sys,";

TEST(Exports, AreComparedByWhatIsInForce) {
  EXPECT_EQ(effective_options(""), "ro");
  EXPECT_EQ(effective_options("rw," + usual + "rw,root_squash,no_all_squash"), "rw");
  EXPECT_EQ(effective_options("rw,no_subtree_check"), "rw");
  EXPECT_EQ(effective_options("no_root_squash,rw"), "rw,no_root_squash");
  EXPECT_EQ(effective_options("rw,fsid=root,anonuid=4294967294,mp=/m"), "rw,anonuid=4294967294,fsid=0,mountpoint=/m");
  EXPECT_EQ(effective_options("rw," + usual + "fsid=0,anonuid=-2,mountpoint=/m"),
            "rw,anonuid=4294967294,fsid=0,mountpoint=/m");
  EXPECT_EQ(effective_options("rw,xprtsec=none"), "rw");
}

TEST(Exports, OfAHostAreThoseOfItsFullName) {
  EXPECT_TRUE(is_same_host("node1", "node1.example.com"));
  EXPECT_TRUE(is_same_host("Node1.example.com", "node1.example.com"));
  EXPECT_FALSE(is_same_host("node1", "node10.example.com"));
  EXPECT_FALSE(is_same_host("192.0.2", "192.0.2.7"));
  EXPECT_FALSE(is_same_host("*", "*.example.com"));
}

TEST(Exports, ThreadsOfALaterFileWin) {
  const Settings settings = nfs_settings("[nfsd]\nthreads = 16\n");
  ASSERT_EQ(settings.size(), 1U);
  EXPECT_EQ(settings[0].what, "nfsd.threads");
}

TEST(Exports, AreCheckedForContradictions) {
  const auto complaints = [](const NfsServer& server) {
    Report report;
    check_exports(server, report);
    return report.failed();
  };
  EXPECT_FALSE(complaints(exporting("/nfs", {client("*", {"rw", "async", "fsid=1"}), client("n1", {"ro"})})));
  EXPECT_TRUE(complaints(exporting("/nfs", {client("*", {"rw", "ro"})})));
  EXPECT_TRUE(complaints(exporting("/nfs", {client("*", {"no_auth_nlm", "secure_locks"})})));
  EXPECT_TRUE(complaints(exporting("/nfs", {client("*", {"sec=sys", "sec=krb5"})})));
  EXPECT_TRUE(complaints(exporting("/nfs", {client("n1", {}), client("N1", {})})));
  EXPECT_TRUE(complaints(exporting("/nfs", {})));
  EXPECT_TRUE(complaints(exporting("/nfs", {client("*", {"refer=/" + std::string(500, 'a') + "@b"})})));
}

}  // namespace
}  // namespace rdmastate
