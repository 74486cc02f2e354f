// SPDX-License-Identifier: Apache-2.0
// What exports are written in, what they become in exports(5), and how that and exportfs's table are read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/template.hpp"
#include "host/nfs_export_options.hpp"
#include "host/nfs_exports.hpp"
#include "platform/setting.hpp"
#include "resources/file/file.hpp"
#include "resources/nfs_export/nfs_export.hpp"
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
  EXPECT_EQ(text("/a n1(rw) -ro\n"), "[/a] n1 rw;[/a] * ro;") << "what has no client behind it is for everybody";
  EXPECT_EQ(text("/a -ro -sync n1\n"), "[/a] -sync ro;[/a] n1 ro;") << "a second one in a row is a client";
  EXPECT_EQ(text("/a \"n 1(rw, ro)\" n2\v(ro)\n/b\\777#x *\n"), "[/a] n 1 rw, ro;[/a] n2 ;[/a] * ro;[/b\\777#x] * ;");
}

TEST(Exports, AreReadUpToWhatNfsUtilsCannotRead) {
  const auto count = [](const std::string& middle) { return exports_in("/a n1\n" + middle + "/c n3\n").size(); };
  EXPECT_EQ(count("/b n2\n"), 3U);
  EXPECT_EQ(count("/b n2(rw n4\n"), 1U) << "options without an end";
  EXPECT_EQ(count("/b n2(rw)x n4\n"), 1U) << "text behind the options";
  EXPECT_EQ(count("\r\n"), 1U) << "a line that is empty but for a carriage return";
  EXPECT_EQ(count("\"\" n2\n"), 1U) << "an empty path";
  EXPECT_EQ(count("/b " + std::string(511, 'n') + "\n"), 3U);
  EXPECT_EQ(count("/b " + std::string(512, 'n') + "\n"), 1U) << "a word that is too long";
  EXPECT_EQ(count("/" + std::string(1024, 'b') + " n2\n"), 1U) << "a path that is too long";
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
  EXPECT_EQ(effective_options("rw,anonid=-,anonuid=-"), effective_options("rw,anonuid=-"));
  EXPECT_EQ(effective_options("rw," + usual + "fsid=0,anonuid=-2,mountpoint=/m"),
            "rw,anonuid=4294967294,fsid=0,mountpoint=/m");
  EXPECT_EQ(effective_options("rw,xprtsec=none"), "rw");
}

// As nfs-utils 2.6.2 writes into etab what these options of a file mean.
TEST(Exports, HaveOptionsByFlavor) {
  const auto is_in_table = [](const std::string& file, const std::string& table) {
    EXPECT_EQ(effective_options(file), effective_options(table));
    EXPECT_EQ(effective_options(effective_options(file)), effective_options(file)) << "a text is read back as itself";
  };
  const std::string root = "root_squash,no_all_squash";
  EXPECT_EQ(effective_options("rw,sec=sys:krb5"), "rw,sec=sys:krb5");
  EXPECT_EQ(effective_options("async,sec=krb5,rw,sec=unix:krb5i,ro"),
            "async,sec=krb5,rw," + root + ",sec=sys:krb5i,ro," + root);
  is_in_table("rw,sec=krb5:sys,ro,no_root_squash", "ro,no_root_squash,sec=krb5:sys,ro,no_root_squash,no_all_squash");
  is_in_table("sec=sys,rw,sec=krb5,ro", "ro,sec=sys,rw," + root + ",sec=krb5,ro," + root);
  is_in_table("sec=sys:krb5,rw,sec=krb5,ro,insecure", "ro,insecure,sec=sys,rw," + root + ",sec=krb5,ro," + root);
  is_in_table("sec=krb5,rw,sec=krb5p:krb5,ro", "ro,sec=krb5:krb5p,ro," + root);
  is_in_table("sec=sys,rw,sec=krb5,async,sec=krb5i,no_root_squash",
              "rw,async,no_root_squash,sec=sys:krb5,rw," + root + ",sec=krb5i,rw,no_root_squash,no_all_squash");
  const auto of_line = exports_in("/a -sec=krb5 n1(rw) n2(sec=sys,rw) n3(sec=krb5,rw)");
  is_in_table(of_line.at(0).options, "rw,sec=krb5,ro," + root);
  is_in_table(of_line.at(1).options, "rw,sec=krb5,ro," + root + ",sec=sys,rw," + root);
  is_in_table(of_line.at(2).options, "rw,sec=krb5,rw," + root);
}

TEST(Exports, OfAHostAreThoseOfItsFullName) {
  EXPECT_TRUE(is_same_host("node1", "node1.example.com"));
  EXPECT_TRUE(is_same_host("Node1.example.com", "node1.example.com"));
  EXPECT_FALSE(is_same_host("node1", "node10.example.com"));
  EXPECT_FALSE(is_same_host("192.0.2", "192.0.2.7"));
  EXPECT_FALSE(is_same_host("*", "*.example.com"));
}

// A later file wins over a setting that is neither `first` nor `final` (plan/overridden.cpp).
TEST(Exports, ThreadsAreASettingThatALaterFileMayChange) {
  const Settings settings = nfs_settings("[nfsd]\nthreads = 16\n");
  ASSERT_EQ(settings.size(), 1U);
  EXPECT_EQ(settings[0].what, "nfsd.threads");
  EXPECT_EQ(settings[0].value, "16");
  EXPECT_FALSE(settings[0].first || settings[0].final);
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
