// SPDX-License-Identifier: Apache-2.0
// Which interfaces a file of others configures, as the program reads it that the file is for.
#include <gtest/gtest.h>

#include "host/claims.hpp"
#include "host/networkd.hpp"
#include "host/recorded.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

using Names = std::vector<std::string>;

Names networkd(std::string_view text) { return networkd_interfaces("", text); }
Names keyfile(std::string_view text) { return keyfile_interfaces("", text); }

TEST(Claims, OfNetworkd) {
  const Names one{"ib0"}, two{"ib0", "ib1"};
  EXPECT_EQ(networkd("[Match]\nName=ib0 ib1\n"), two);
  EXPECT_EQ(networkd("[Match]\nName = ib0\n"), one);
  EXPECT_EQ(networkd("[NetDev]\nName\t=\tib0\nKind=ipoib\n"), one);
  EXPECT_EQ(networkd("[Match]\r\nName=ib0\r\n"), one);
  EXPECT_EQ(networkd("\xef\xbb\xbf[Match]\nName=ib0\n"), one);
  EXPECT_EQ(networkd("[Match]\nName=ib0 \\\n# c\n  ib1\n"), two);
  EXPECT_EQ(networkd("[Match]\nName=ib0\n[Network]\nDHCP=yes\n[Match]\nName=ib1"), two);
  EXPECT_EQ(networkd("[Match]\nName=eth0\nName=\nName=ib0\n"), one) << "an empty one takes back the list";
  EXPECT_EQ(networkd("[Match]\nName=\"ib0\"\n"), Names{"\"ib0\""}) << "no quotes in there";
  EXPECT_EQ(networkd("[Link]\nName=ib0\n[Match]\n#Name=ib0\n; Name=ib0\nName:ib0\n"), Names{});
}

TEST(Claims, OfNetworkManager) {
  const Names one{"ib0"};
  EXPECT_EQ(keyfile("[connection]\ninterface-name=ib0\n"), one);
  EXPECT_EQ(keyfile("[connection]\ninterface-name = ib0\n"), one);
  EXPECT_EQ(keyfile(" [connection] \n\tinterface-name\t=\tib0\r\n"), one);
  EXPECT_EQ(keyfile("[connection]\ninterface-name=eth0\ninterface-name=ib0\n"), one) << "the last one counts";
  EXPECT_EQ(keyfile("[infiniband]\ninterface-name=ib0\n"), one) << "as older ones have it";
  EXPECT_EQ(keyfile("[match]\ninterface-name=ib0;ib1;\n"), (Names{"ib0", "ib1"}));
  EXPECT_EQ(keyfile("[connection]\n#interface-name=ib0\n"), Names{});
  EXPECT_EQ(keyfile("[connection]\ninterface-name=ib0\n[.nmmeta]\nnm-generated = true\n"), Names{});
  EXPECT_EQ(keyfile("[connection]\ninterface-name=ib0\nnm-generated=true\n"), one)
      << "which is a mark in [.nmmeta] only";
}

TEST(Claims, NetworkdsStateFile) {
  const NetworkdLink link =
      read_networkd_link("# c\nADMIN_STATE=configured\nCARRIER_STATE=carrier\nNETWORK_FILE=/x y\n");
  EXPECT_EQ(link, (NetworkdLink{"/x y", "configured", true}));
  EXPECT_EQ(read_networkd_link(""), NetworkdLink{});
}

Facts facts_of(const std::string& os_release) {
  HostModel model;
  model.files["/etc/os-release"].bytes = os_release;
  RecordedHost host(model);
  Host doors = host.host();
  return read_facts(Snapshot(doors));
}

TEST(Claims, OsReleaseIsReadAsAShellDoes) {
  const Facts facts =
      facts_of("NAME=x\nID=other\n  ID='suse' # c\nID_LIKE=\"a \\\"b\\\"\"\nVERSION_ID=\"15\\.6\"\nPRETTY_NAME=a\\ b");
  EXPECT_EQ(facts.distribution, "suse") << "of two the last counts";
  EXPECT_EQ(facts.distribution_like, "a \"b\"");
  EXPECT_EQ(facts.version, "15\\.6");
  EXPECT_EQ(facts.pretty_name, "a b");
  EXPECT_EQ(facts_of("ID=debian\r\nVERSION_ID=\"12\"\r\n").version, "12");
}

}  // namespace
}  // namespace rdmastate
