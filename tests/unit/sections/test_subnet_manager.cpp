// SPDX-License-Identifier: Apache-2.0
// Partitions as they are written and read, by the grammar of opensm(8), and the values in them.
#include <gtest/gtest.h>

#include <regex>

#include "base/error.hpp"
#include "base/template.hpp"
#include "host/recorded/recorded.hpp"
#include "sections/adopt.hpp"
#include "sections/subnet_manager/files.hpp"
#include "sections/subnet_manager/partitions_file.hpp"

namespace rdmastate {
namespace {

template <class T>
std::optional<T> read(const std::string& text) {
  T value;
  if (Text<T>::read({text, true}, value)) return std::nullopt;
  return value;
}

constexpr std::uint64_t first_port = 0xf4521403007bcba1;

PartitionRecord storage() {
  PartitionRecord record;
  record.name = {"storage"};
  record.pkey.key = {0x8002};
  record.ipoib = true;
  record.mtu = IbMtu{4096};
  record.rate = IbRate{16};
  record.members = {{{Member::Who::port, {first_port}}, Membership::full},
                    {{Member::Who::all, {}}, Membership::limited},
                    {{Member::Who::self, {}}, Membership::both}};
  return record;
}

SubnetManagerSection section_of(std::vector<PartitionRecord> partitions) {
  SubnetManagerSection section;
  section.run = true;
  section.instances = {{{first_port}, SmPriority{14}, {}}};
  section.partitions = std::move(partitions);
  return section;
}

// opensm(8), PARTITION CONFIGURATION, no more lenient than its text: what OpenSM would warn of and ignore is an error.
std::vector<std::string> statements(const std::string& text) {
  static const std::regex statement(
      R"(\s*[A-Za-z0-9_.-]{1,31}=0x[0-7][0-9a-f]{3}(,ipoib(,rate=([2-9]|1[0-9]|2[0-4]))?,mtu=[1-5])?(,defmember=limited)?:)"
      R"((\s*(0x[0-9a-f]{16}|ALL|ALL_CAS|ALL_SWITCHES|ALL_ROUTERS|SELF)=(full|limited|both)(,(?!;)|(?=;)))+;\s*)");
  std::string bare = std::regex_replace(text, std::regex("#[^\n]*"), "");
  std::vector<std::string> found;
  for (std::size_t at = 0; bare.find(';', at) != std::string::npos; at = bare.find(';', at) + 1)
    found.push_back(bare.substr(at, bare.find(';', at) + 1 - at));
  for (const auto& one : found) EXPECT_TRUE(std::regex_match(one, statement)) << one;
  EXPECT_EQ(bare.substr(bare.rfind(';') + 1), "\n");
  return found;
}

TEST(Partitions, AreWrittenByTheGrammarOfOpensm) {
  PartitionRecord compute;
  compute.name = {"compute-1.a_b"};
  compute.pkey.key = {0x8fff};
  compute.members = {{{Member::Who::all_cas, {}}, Membership::full}};
  const auto found = statements(partitions_text(section_of({storage(), compute})));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].substr(found[0].find('D')), "Default=0x7fff,ipoib,mtu=4:ALL=full,SELF=full;");
  EXPECT_NE(found[1].find("storage=0x0002,ipoib,rate=16,mtu=5,defmember=limited:"), std::string::npos) << found[1];
  EXPECT_NE(found[2].find("compute-1.a_b=0x0fff,defmember=limited:\n  ALL_CAS=full;"), std::string::npos) << found[2];
}

// OpenSM would make a port that ALL names behind it limited again.
TEST(Partitions, NameFewerPortsBehindMore) {
  const std::string text = partitions_text(section_of({storage()}));
  EXPECT_LT(text.find("  ALL=limited,"), text.find("  SELF=both,"));
  EXPECT_LT(text.find("  SELF=both,"), text.find("  0xf4521403007bcba1=full;"));
}

TEST(Partitions, KeepTheDefaultOneAlways) {
  SubnetManagerSection section = section_of({});
  section.default_mtu = IbMtu{4096};
  const auto found = statements(partitions_text(section));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("Default=0x7fff,ipoib,mtu=5:ALL=full,SELF=full;"), std::string::npos);
}

TEST(Partitions, ReadWhatWasWritten) {
  const auto found = partitions_in(partitions_text(section_of({storage()})));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  const auto& one = found->at(0x0002);
  EXPECT_EQ(one.name, "storage");
  EXPECT_TRUE(one.ipoib);
  EXPECT_EQ(one.mtu, 5U);
  EXPECT_EQ(one.rate, 16U);
  EXPECT_EQ(one.members, storage().members);
  EXPECT_EQ(found->at(0x7fff).members.size(), 2U);
}

TEST(Partitions, ReadWhatOthersWrite) {
  const auto found = partitions_in(
      "# by hand\nDefault = 0x7fff , rate=3, mtu=4, scope=2, defmember=full :\n  ALL, ALL_SWITCHES = full ;\n"
      "a=0x8002:0x1=full;a=2:SELF;b=0x3:0x2=full,ALL=limited;; # the end");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at(0x7fff).members.at({Member::Who::all, {}}), Membership::full);
  EXPECT_EQ(found->at(2).members.size(), 2U);  // two statements for one key are one partition
  EXPECT_EQ(found->at(2).members.at({Member::Who::self, {}}), Membership::limited);
  EXPECT_EQ(found->at(3).members.size(), 1U);  // ALL overwrites what stands before it
  EXPECT_TRUE(partitions_in("")->empty());
}

TEST(Partitions, AreNotGuessed) {
  for (const char* text : {"a", "a=0x2:ALL", "a:ALL;", "a=x:ALL;", "a=0x2,odd:ALL;", "a=0x2:SOME;", "a=0x2:ALL=half;",
                           "a=0x8000:ALL;", "a=0x12345:ALL;", "a=0x2,mtu=0:ALL;", "a=0x2,mtu=99:ALL;"})
    EXPECT_FALSE(partitions_in(text)) << text;
}

// What `show --as-spec` makes of a Debian host whose partitions.conf of rdmastate has this partition.
Adopted adopted_with(const std::string& partition) {
  HostModel model;
  const auto put = [&](const char* path, std::string text) {
    model.files[path] = {{FileType::regular, 0644, 0, 0}, std::move(text), {}};
  };
  put("/usr/lib/os-release", "ID=debian\nVERSION_ID=\"12\"\n");
  put("/etc/default/opensm", "PORTS=\"0xf4521403007bcba1\"\n");
  put("/etc/opensm/partitions.conf",
      "# Managed by rdmastate: edit the host's spec, not this file.\nDefault=0x7fff,ipoib,mtu=4:ALL=full;\n" +
          partition);
  add_parents(model.files);
  RecordedHost host(std::move(model));
  Host doors = host.host();
  const Snapshot snapshot(doors);
  return adopt(snapshot, read_facts(snapshot));
}

// Somebody has changed the file by hand: OpenSM reads these codes, and a spec has no value for them.
TEST(Partitions, AreNotAdoptedWhereNoSpecCanSayThem) {
  const auto fine = adopted_with("storage=0x0002,ipoib,rate=16,mtu=5:ALL=full;\n");
  ASSERT_TRUE(fine.spec.subnet_manager && fine.spec.subnet_manager->partitions);
  EXPECT_EQ(fine.spec.subnet_manager->partitions->front().mtu, IbMtu{4096});
  EXPECT_TRUE(fine.left_out.empty());
  for (const char* statement : {"storage=0x0002,ipoib,mtu=6:ALL=full;\n", "storage=0x0002,ipoib,mtu=40:ALL=full;\n",
                                "storage=0x0002,ipoib,rate=63:ALL=full;\n", "of the shop=0x0002,ipoib:ALL=full;\n"}) {
    const auto adopted = adopted_with(statement);
    ASSERT_TRUE(adopted.spec.subnet_manager);
    EXPECT_FALSE(adopted.spec.subnet_manager->partitions) << statement;
    EXPECT_FALSE(adopted.spec.subnet_manager->default_mtu) << statement;
    ASSERT_EQ(adopted.left_out.size(), 1U) << statement;
    EXPECT_NE(adopted.left_out.front().find("a spec cannot say"), std::string::npos) << adopted.left_out.front();
  }
}

TEST(Partitions, TakeNoHostileNames) {
  for (const std::string text : {"", "a b", "a=b", "a,b", "a:b", "a;b", "a#b", "a\nb", "a\tb", "ä", "{{name}}", "a/b",
                                 "p1234567890123456789012345678901"})
    EXPECT_FALSE(read<PartitionName>(text)) << text;
  EXPECT_EQ(read<PartitionName>("p123456789012345678901234567890")->value.size(), 31U);
  EXPECT_THROW(escape_opensm("a;b"), Error);
  EXPECT_THROW(escape_opensm("a\nb"), Error);
  EXPECT_EQ(escape_opensm("/etc/rdma/opensm.conf.1"), "/etc/rdma/opensm.conf.1");
}

TEST(PartitionValues, AreRead) {
  EXPECT_EQ(read<PartitionKey>("0x0002"), read<PartitionKey>("0x8002"));
  EXPECT_EQ(read<PartitionKey>("0x8002")->low_bits(), 2U);
  EXPECT_FALSE(read<PartitionKey>("0x8000"));
  for (const auto& [text, code] : {std::pair("256", 1U), {"512", 2U}, {"1024", 3U}, {"2048", 4U}, {"4096", 5U}})
    EXPECT_EQ(read<IbMtu>(text)->code(), code);
  for (const char* text : {"0", "255", "300", "4092", "8192", "-1", "2k", "04096"}) EXPECT_FALSE(read<IbMtu>(text));
  for (const auto& [text, code] : {std::pair("2.5", 2U), {"10", 3U}, {"56", 12U}, {"100", 16U}, {"1200", 24U}}) {
    EXPECT_EQ(read<IbRate>(text)->code, code);
    EXPECT_EQ(to_text(IbRate{code}), text);
  }
  for (const char* text : {"0", "11", "100Gb", "2.50", ""}) EXPECT_FALSE(read<IbRate>(text));
  EXPECT_EQ(to_text(*read<Member>("0xf4521403007bcba1")), "f452:1403:007b:cba1");
  for (const char* text : {"ALL", "ALL_CAS", "ALL_SWITCHES", "ALL_ROUTERS", "SELF"})
    EXPECT_EQ(to_text(*read<Member>(text)), text);
  for (const char* text : {"all", "NONE", "0", "", "ALL=full"}) EXPECT_FALSE(read<Member>(text)) << text;
  EXPECT_EQ(to_text(*read<SubnetPrefix>("fe80:0000:0000:0001")), "0xfe80000000000001");
  EXPECT_FALSE(read<SubnetPrefix>("0"));
}

TEST(Instances, AreReadAsTheyAreWritten) {
  const OpensmLayout& rhel = *opensm_layout(DistroFamily::rhel);
  SubnetManagerSection section = section_of({});
  section.instances[0].subnet_prefix = SubnetPrefix{0xfe80000000000007};
  const auto instance = instance_in_config(config_text(section, section.instances[0], rhel));
  ASSERT_TRUE(instance);
  EXPECT_TRUE(same(*instance, section.instances[0]));
  SmInstance unit{{first_port}, {}, {}};
  const OpensmLayout& debian = *opensm_layout(DistroFamily::debian);
  read_drop_in(drop_in_text(section, section.instances[0], debian), unit);
  EXPECT_TRUE(same(unit, section.instances[0]));
  EXPECT_EQ(drop_in_text(section, {{first_port}, {}, {}}, debian), "");
  EXPECT_EQ(guids_in("0xf4521403007bcba1  0x0002c903003178f1")->size(), 2U);
  EXPECT_FALSE(guids_in("ALL"));
}

TEST(Instances, HaveConfigurationsWhereSysconfigWouldMeanSomethingElse) {
  const OpensmLayout& rhel = *opensm_layout(DistroFamily::rhel);
  SubnetManagerSection section = section_of({storage()});
  EXPECT_TRUE(has_both(section));
  EXPECT_TRUE(needs_configs(section, rhel));
  section.partitions.emplace();
  EXPECT_FALSE(needs_configs(section, rhel));
  EXPECT_TRUE(needs_configs(section, *opensm_layout(DistroFamily::suse)));
  EXPECT_FALSE(needs_configs(section, *opensm_layout(DistroFamily::debian)));
  section.instances[0].options[{"lmc"}] = {"1"};
  EXPECT_TRUE(needs_configs(section, rhel));
  section.instances[0].options.clear();
  section.instances.push_back({{first_port + 1}, {}, {}});
  EXPECT_TRUE(needs_configs(section, rhel));
}

}  // namespace
}  // namespace rdmastate
