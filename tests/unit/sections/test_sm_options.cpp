// SPDX-License-Identifier: Apache-2.0
// Options of OpenSM in a spec: which names and values are taken, and how they are written and read back.
#include <gtest/gtest.h>

#include <set>

#include "host/opensm_options.hpp"
#include "sections/subnet_manager/files.hpp"

namespace rdmastate {
namespace {

std::string refusal(const std::string& name) {
  SmOption option;
  const auto complaint = Text<SmOption>::read({name, true}, option);
  return complaint ? complaint->message + " | " + complaint->hint : "";
}

std::string judged(const std::string& name, const std::string& value) {
  const auto complaint = judge_sm_option({name}, {value});
  return complaint ? complaint->message + " | " + complaint->expected + " | " + complaint->hint : "";
}

TEST(SmOptions, AreThoseOfOpensm) {
  std::set<std::string_view> names;
  for (const auto& one : opensm_options()) EXPECT_TRUE(names.insert(one.name).second) << one.name;
  EXPECT_EQ(refusal("routing_engine"), "");
  EXPECT_NE(refusal("routing_engin").find("did you mean routing_engine?"), std::string::npos);
  EXPECT_NE(refusal("Max_Wire_Smps").find("did you mean max_wire_smps?"), std::string::npos);
  EXPECT_NE(refusal("lmc\nguid").find("none of OpenSM 3.3.23's options"), std::string::npos);
}

TEST(SmOptions, OfOtherFieldsAreThoseFields) {
  for (const auto& [name, field] : {std::pair("guid", "port_guid"),
                                    {"sm_priority", "priority"},
                                    {"subnet_prefix", "subnet_prefix"},
                                    {"partition_config_file", "partitions"},
                                    {"allow_both_pkeys", "both"},
                                    {"sm_inactive", "run: false"},
                                    {"no_partition_enforcement", "part_enforce: off"},
                                    {"dimn_ports_file", "port_search_ordering_file"}})
    EXPECT_NE(refusal(name).find(field), std::string::npos) << refusal(name);
}

TEST(SmOptions, OpenNoPortAndLoadNoLibrary) {
  for (const char* name : {"console", "console_port", "event_plugin_name", "event_plugin_options", "event_db_dump_file",
                           "dump_files_dir", "log_file", "daemon", "m_key", "sm_key", "sa_key", "cc_key"})
    EXPECT_NE(refusal(name), "") << name;
}

TEST(SmOptions, HaveTheValuesThatOpensmTakes) {
  for (const auto& [name, value] : {std::pair("lmc", "7"),
                                    {"lmc", "0x2"},
                                    {"sweep_interval", "0"},
                                    {"sweep_interval", "4294967295"},
                                    {"qos", "TRUE"},
                                    {"qos", "false"},
                                    {"routing_engine", "ftree,updn"},
                                    {"routing_engine", "torus-2QoS"},
                                    {"part_enforce", "off"},
                                    {"root_guid_file", "/etc/opensm/roots.conf"},
                                    {"qos_high_limit", "-1"},
                                    {"qos_ca_vlarb_high", "0:4,1:0"},
                                    {"qos_sl2vl", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7"},
                                    {"max_wire_smps", "2147483647"},
                                    {"cc_sw_cong_setting_victim_mask", "0x1e"},
                                    {"log_prefix", "fabric-1"},
                                    {"force_link_speed_ext", "30"}})
    EXPECT_EQ(judged(name, value), "") << name << " " << value;
  for (const auto& [name, value] : {std::pair("lmc", "8"),
                                    {"lmc", "-1"},
                                    {"lmc", ""},
                                    {"lmc", "one"},
                                    {"lmc", "0x"},
                                    {"sweep_interval", "4294967296"},
                                    {"qos", "yes"},
                                    {"qos", "True"},
                                    {"routing_engine", "ftree, updn"},
                                    {"routing_engine", "ftree,"},
                                    {"routing_engine", ""},
                                    {"part_enforce", "none"},
                                    {"root_guid_file", "roots.conf"},
                                    {"root_guid_file", "/a b"},
                                    {"root_guid_file", "/a#b"},
                                    {"root_guid_file", "/etc/"},
                                    {"qos_high_limit", "-2"},
                                    {"qos_high_limit", "256"},
                                    {"qos_ca_vlarb_high", "0:4\nconsole loopback"},
                                    {"qos_ca_vlarb_high", ","},
                                    {"qos_ca_vlarb_high", "0:4,,1:0"},
                                    {"qos_ca_vlarb_high", "08:1"},
                                    {"qos_ca_vlarb_high", "1::2"},
                                    {"qos_sl2vl", "0,1"},
                                    {"cc_cct", "1,2"},
                                    {"max_wire_smps", "2147483648"},
                                    {"perfmgr_sweep_time_s", "0"},
                                    {"log_prefix", "a b"},
                                    {"cc_sw_cong_setting_victim_mask", "1e"},
                                    {"force_link_speed_ext", "8"},
                                    {"force_link_speed", "2"}})
    EXPECT_NE(judged(name, value), "") << name << " " << value;
  EXPECT_NE(judged("lmc", "07").find("octal"), std::string::npos);
  EXPECT_NE(judged("routing_engine", "ftree,updm").find("did you mean updn?"), std::string::npos);
  EXPECT_NE(judged("lmc", "8").find("a whole number from 0 to 7"), std::string::npos);
}

// OpenSM reads 1023 bytes, and takes what is behind them for a line of its own.
TEST(SmOptions, FitIntoALine) {
  std::string entries = "1:1";
  while (entries.size() + std::string("cc_cct \n").size() < longest_opensm_line) entries += "1";
  EXPECT_EQ(judged("cc_cct", entries), "");
  EXPECT_NE(judged("cc_cct", entries + "1").find("at most 1015 bytes"), std::string::npos)
      << judged("cc_cct", entries + "1");
}

TEST(SmOptions, AreReadAsTheyAreWritten) {
  SubnetManagerSection section;
  section.run = true;
  section.instances = {{Guid{0xf4521403007bcba1}, SmPriority{3}, {}, {{{"lmc"}, {"0x1"}}, {{"qos"}, {"TRUE"}}}}};
  SmInstance& instance = section.instances[0];
  EXPECT_EQ(sm_options_in(options_text(instance)), instance.options);
  const OpensmLayout& debian = *opensm_layout(DistroFamily::debian);
  EXPECT_NE(drop_in_text(section, instance, debian)
                .find("/usr/sbin/opensm --config /etc/opensm/opensm.conf.%I --guid %I --priority 3 --log_file"),
            std::string::npos);
  const auto back = instance_in_config(config_text(section, instance, *opensm_layout(DistroFamily::rhel)));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->options, instance.options);
  instance.options[{"qos"}] = {"true"};
  EXPECT_NE(options_text(instance).find("qos TRUE\n"), std::string::npos);
  instance.options[{"lmc"}] = {"0"};
  EXPECT_EQ(sm_options_in(options_text(instance)).size(), 2U)
      << "our own file says what the spec says, the default too";
}

TEST(SmOptions, AreComparedAsOpensmReadsThem) {
  const auto read = [](const char* name, const char* value) { return opensm_value(*opensm_option(name), value); };
  EXPECT_EQ(read("sweep_interval", "010"), "8") << "octal";
  EXPECT_EQ(read("sweep_interval", "0x10"), "16");
  EXPECT_EQ(read("cc_sw_cong_setting_victim_mask", "0x01E"), "0x1e");
  EXPECT_EQ(read("use_mfttop", "true"), "FALSE") << "OpenSM knows TRUE alone";
}

TEST(SmOptions, OfOthersAreThoseThatAreNotUsual) {
  const SmOptions found = sm_options_in(
      "guid 0x1\nlmc 0\nlmc_esp0 TRUE\nrouting_engine (null)\nm_key 0x5\nconsole loopback\nsweep_interval 0x20 # s\n"
      "max_wire_smps 8\nmax_wire_smps 4\nnonsense 1\nroot_guid_file relative\nuse_mfttop true\n"
      "transaction_retries 010\n");
  const SmOptions wanted{{{"lmc_esp0"}, {"TRUE"}}, {{"sweep_interval"}, {"0x20"}}, {{"use_mfttop"}, {"FALSE"}}};
  EXPECT_EQ(found, wanted) << "the last line counts, and a value that OpenSM would not take is no one's";
}

}  // namespace
}  // namespace rdmastate
