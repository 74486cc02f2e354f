// SPDX-License-Identifier: Apache-2.0
// What OpenSM's files say, and which of them are in force.
#include "sections/subnet_manager/in_force.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "host/opensm_files.hpp"
#include "sections/subnet_manager/configs.hpp"
#include "sections/subnet_manager/files.hpp"

namespace rdmastate {
namespace {

constexpr Guid one{0xf4521403007bcba1};
constexpr Guid other{0x0002c903003178f1};

std::string options(std::string_view text) {
  std::string told;
  for (const auto& [name, value] : opensm_options_in(text)) told += fmt::format("{}={} ", name, value);
  return told;
}

TEST(OpensmFiles, SayWhatIsNotUsual) {
  EXPECT_EQ("", options("# Routing engine\nrouting_engine (null)\nlmc 0\nguid 0x0000000000000000\nqos FALSE\n"
                        "subnet_prefix 0xfe80000000000000\nlog_flags 0x03\npart_enforce both\nmax_op_vls 5\n"
                        "m_key 0x0000000000000000\npartition_config_file /etc/rdma/partitions.conf\n"));
  EXPECT_EQ(
      "",
      options("use_mfttop TRUE\ncc_sw_cong_setting_victim_mask 0x000\nqos_high_limit -1\ndump_files_dir /var/log/\n"));
  EXPECT_EQ("cc_sw_cong_setting_victim_mask=0x1e log_flags=131 use_mfttop=FALSE ",
            options("log_flags 0x83\nuse_mfttop FALSE\ncc_sw_cong_setting_victim_mask 0x001e\nnonsense 3\n"));
  EXPECT_EQ("lmc=3 qos=TRUE routing_engine=ftree,updn ",
            options(" routing_engine\t'ftree,updn'  # fat tree\nlmc 0x3\nqos TRUE\nlmc_esp0 true\n"));
  EXPECT_EQ("guid=0xf4521403007bcba1 subnet_prefix=0xfe80000000000001 ",
            options("guid 0xF4521403007BCBA1\nsubnet_prefix 0xFE80000000000001\n"));
  EXPECT_EQ("lmc=1 ", options("lmc 2\nlmc 1\n")) << "the last line counts";
  EXPECT_EQ("", options("lmc 2\nlmc 0\n#lmc 3\n"));
  EXPECT_EQ("m_key=(a secret, not shown) ", options("m_key 0x1122334455667788\n"));
}

OpensmFile file(const std::string& path, std::string_view text, bool ours = false) {
  return {path, ours, opensm_settings_of(path, text)};
}

std::string told(std::span<const OpensmFile> files, DistroFamily family) {
  std::string text;
  for (const auto& sm : opensm_in_force(files, *opensm_layout(family))) {
    text += sm.port ? opensm_guid(sm.port->value) : "any";
    for (const auto& [name, said] : sm.settings) text += fmt::format(" {}={}", name, said.value);
    text += "\n";
  }
  return text;
}

const std::string standard = "lmc 2\nsubnet_prefix 0xfe80000000000007\n";

TEST(OpensmInForce, TheLauncherReadsOnePlaceAlone) {
  std::vector<OpensmFile> files{file("/etc/rdma/opensm.conf", standard)};
  EXPECT_EQ("any lmc=2 subnet_prefix=0xfe80000000000007\n", told(files, DistroFamily::rhel));
  EXPECT_EQ("any\n", told(files, DistroFamily::suse)) << "its OpenSM looks in /etc/opensm";
  files.push_back(file("/etc/rdma/opensm.conf.1", "guid 0xf4521403007bcba1\nsm_priority 3\n"));
  EXPECT_EQ("0xf4521403007bcba1 sm_priority=3\n", told(files, DistroFamily::rhel));
  files.push_back(file("/etc/sysconfig/opensm", "GUIDS=\"0xf4521403007bcba1 0x0002c903003178f1\"\nPRIORITY=9\n"));
  EXPECT_EQ(
      "0xf4521403007bcba1 lmc=2 sm_priority=9\n"
      "0x0002c903003178f1 lmc=2 sm_priority=9 subnet_prefix=0xfe80000000000001\n",
      told(files, DistroFamily::rhel))
      << "the list gives each port its prefix";
  files.back() = file("/etc/sysconfig/opensm", "GUIDS=\"\"\nPRIORITY=\n");
  EXPECT_EQ("0xf4521403007bcba1 sm_priority=3\n", told(files, DistroFamily::rhel));
}

TEST(OpensmInForce, DebiansUnitsReadOptionsLast) {
  const std::string units = "/etc/systemd/system/opensm@";
  std::vector<OpensmFile> files{file("/etc/opensm/opensm.conf", standard),
                                file("/etc/default/opensm", "PORTS=\"0xf4521403007bcba1\"\n")};
  EXPECT_EQ("0xf4521403007bcba1 lmc=2 subnet_prefix=0xfe80000000000007\n", told(files, DistroFamily::debian));
  files.push_back(file(units + ".service.d/a.conf",
                       "[Service]\nExecStart=\nExecStart=/usr/sbin/opensm --guid %I -R ftree --priority=4\n"));
  EXPECT_EQ("0xf4521403007bcba1 lmc=2 options=-R ftree sm_priority=4 subnet_prefix=0xfe80000000000007\n",
            told(files, DistroFamily::debian));
  files.push_back(file(units + "0xf4521403007bcba1.service.d/b.conf",
                       "[Service]\nExecStart=/usr/sbin/opensm --guid %I --subnet_prefix 0xfe80000000000000\n"));
  EXPECT_EQ("0xf4521403007bcba1 lmc=2\n", told(files, DistroFamily::debian)) << "the last name counts";
  files.push_back(file(units + "0xf4521403007bcba1.service.d/c.conf",
                       "[Service]\nExecStart=/usr/sbin/opensm -g %I -F /etc/mine.conf\n"));
  EXPECT_EQ("0xf4521403007bcba1 options=-F /etc/mine.conf\n", told(files, DistroFamily::debian));
  files.push_back(file(units + "0xf4521403007bcba1.service.d/d.conf",
                       "[Service]\nExecStart=/usr/sbin/opensm -p 4 --config /etc/opensm/opensm.conf.%I --guid %I\n"));
  files.push_back(file("/etc/opensm/opensm.conf.0xf4521403007bcba1", "lmc 1\nsm_priority 9\nmax_wire_smps 8\n"));
  EXPECT_EQ("0xf4521403007bcba1 lmc=1 max_wire_smps=8 sm_priority=4\n", told(files, DistroFamily::debian))
      << "the configuration is read first, wherever it is named";
  files[1] = file("/etc/default/opensm", "PORTS=NONE\n");
  EXPECT_EQ("", told(files, DistroFamily::debian));
}

SubnetManagerSection section_of(std::vector<SmInstance> instances) {
  SubnetManagerSection section;
  section.run = true;
  section.instances = std::move(instances);
  return section;
}

TEST(OpensmConfigs, NumbersOfOthersAreLeftToThem) {
  const OpensmLayout& rhel = *opensm_layout(DistroFamily::rhel);
  const std::vector<OpensmFile> files{file("/etc/rdma/opensm.conf.1", "guid 0x2\nlmc 1\n"),
                                      file("/etc/rdma/opensm.conf.2", "guid 0x1\n", true),
                                      file("/etc/rdma/opensm.conf.7", "guid 0x0002c903003178f1\n")};
  const std::vector<std::string> paths{"/etc/rdma/opensm.conf.2", "/etc/rdma/opensm.conf.7"};
  EXPECT_EQ(paths, config_paths(section_of({{one, {}, {}}, {other, {}, {}}}), files, rhel));
  const std::vector<OpensmFile> unknown{file("/etc/rdma/opensm.conf.1", "# by hand\n")};
  EXPECT_EQ("/etc/rdma/opensm.conf.1", config_paths(section_of({{one, {}, {}}}), unknown, rhel).front())
      << "nobody knows which port it is for: it is refused by name";
}

TEST(OpensmConfigs, AreLaidOverThoseOfOthers) {
  const OpensmLayout& rhel = *opensm_layout(DistroFamily::rhel);
  SmInstance instance{one, SmPriority{14}, {}};
  SubnetManagerSection section = section_of({instance});
  EXPECT_EQ(
      "# theirs\nguid 0xf4521403007bcba1\nlmc 2 # paths\nsm_priority 14\nlog_file "
      "/var/log/opensm.0xf4521403007bcba1.log\n",
      config_over("# theirs\nguid 0\nlmc 2 # paths\nsm_priority 1\nsm_priority 2", section, instance, rhel));
  instance.options = {{{"lmc"}, {"1"}}, {{"qos"}, {"true"}}};
  EXPECT_EQ(
      "# theirs\nguid 0xf4521403007bcba1\nlmc 1\nsm_priority 14\nlog_file "
      "/var/log/opensm.0xf4521403007bcba1.log\nqos TRUE\n",
      config_over("# theirs\nguid 0\nlmc 2 # paths\nsm_priority 1\nsm_priority 2", section, instance, rhel));
  EXPECT_EQ("sweep_interval 5\nlmc 1\nqos TRUE\n", options_over("sweep_interval 5\nlmc 3\n", section, instance, rhel));
  section.partitions.emplace();
  EXPECT_EQ("partition_config_file /etc/rdma/partitions.conf\nlmc 1\nqos TRUE\n",
            options_over("partition_config_file /etc/theirs.conf\nlmc 3\n", section, instance, rhel))
      << "what rdmastate writes for partitions is what OpenSM reads";
  section.partitions.reset();
  instance.options.clear();
  const std::string done = "guid  0xf4521403007bcba1 # mine\nsm_priority 14\nlog_file /var/log/sm.log\n";
  EXPECT_EQ(done, config_over(done, section, instance, rhel)) << "what it says already stays byte for byte";
  instance.subnet_prefix = SubnetPrefix{0xfe80000000000002};
  section.partitions.emplace();
  EXPECT_EQ(done + "subnet_prefix 0xfe80000000000002\npartition_config_file /etc/rdma/partitions.conf\n",
            config_over(done, section, instance, rhel));
}

}  // namespace
}  // namespace rdmastate
