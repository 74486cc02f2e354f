// SPDX-License-Identifier: Apache-2.0
// A file of others that wins over one of ours is named, for every kind of file that is read in an order.
#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/record.hpp"
#include "plan/verdict.hpp"
#include "platform/read_order.hpp"
#include "resources/file/file.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

const std::string head = "version: 1\nnetwork: {backend: none}\n";
const std::string named = head + "ipoib:\n" + spec_port;
const std::string linked = head + "ipoib:\n" + spec_port + "    named_by: link-file\n";
const std::string umad = head + "permissions: {umad: {group: daemon}}\n";
const std::string options = head + "modules: {options: {ib_ipoib: {recv_queue_size: 256}}}\n";
const std::string blocked = head + "modules: {block: [rds_rdma]}\n";
const std::string loaded = head + "modules: {load: [ib_umad]}\n";
const std::string limits = head + "memlock: {group: daemon, soft: 1GiB, hard: unlimited, services: [slurmd.service]}\n";
const std::string server = head + "nfs: {server: {rdma_port: 20050}}\n";
const std::string mount = head + "nfs: {client: {mounts: [{source: \"server.example.com:/a\", target: /mnt/a}]}}\n";
const std::string device = head + "devices: [{match: {node_guid: \"f452:1403:007b:cba0\"}, name: store0}]\n";
const std::string netns = head + "rdma: {netns: shared}\n";
const std::string networkd =
    "version: 1\nnetwork: {backend: networkd}\nmodules: {load: [ib_ipoib]}\nipoib:\n  - name: mlx4_ib0\n"
    "    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mtu: 2044\n";

constexpr const char* on_guid = "SUBSYSTEM==\"net\", ATTR{address}==\"?*f4:52:14:03:00:7b:cb:a1\", ";

struct Other {
  const char* name;
  const std::string& spec;
  std::string path;    ///< a file of others
  std::string text;    ///< "": a link to /dev/null instead
  NextBoot next_boot;  ///< itself: nothing is said
};

const Other others[] = {
    {"a_later_option", options, "/etc/modprobe.d/zz.conf", "options ib-ipoib recv_queue_size=128\n", NextBoot::differs},
    {"a_later_option_below_usr", options, "/usr/lib/modprobe.d/zz.conf", "options ib_ipoib recv_queue_size=128\n",
     NextBoot::differs},
    {"an_earlier_option", options, "/etc/modprobe.d/aa.conf", "options ib_ipoib recv_queue_size=128\n",
     NextBoot::itself},
    {"the_same_option", options, "/etc/modprobe.d/zz.conf", "options ib_ipoib recv_queue_size=0x100\n",
     NextBoot::itself},
    {"an_option_of_the_core", netns, "/etc/modprobe.d/zz.conf", "options ib_core netns_mode=0\n", NextBoot::differs},
    {"an_earlier_install_line", blocked, "/etc/modprobe.d/aa.conf",
     "install rds_rdma /sbin/modprobe --ignore-install rds_rdma\n", NextBoot::differs},
    {"a_later_install_line", blocked, "/etc/modprobe.d/zz.conf",
     "install rds_rdma /sbin/modprobe --ignore-install rds_rdma\n", NextBoot::itself},
    {"another_line_that_does_nothing", blocked, "/etc/modprobe.d/aa.conf", "install rds_rdma /bin/true\n",
     NextBoot::itself},
    {"a_module_kept_away", loaded, "/usr/lib/modprobe.d/aa.conf", "blacklist ib-umad\n", NextBoot::differs},
    {"another_module_kept_away", loaded, "/usr/lib/modprobe.d/aa.conf", "blacklist ib_srpt\n", NextBoot::itself},
    {"a_later_limit", limits, "/etc/security/limits.d/99-site.conf", "@daemon - memlock 64\n", NextBoot::differs},
    {"a_later_limit_of_others", limits, "/etc/security/limits.d/99-site.conf", "* - memlock 64\n", NextBoot::itself},
    {"limits_before_all", limits, "/etc/security/limits.conf", "@daemon - memlock 64\n", NextBoot::itself},
    {"an_exemption_before_all", limits, "/etc/security/limits.conf", "@daemon -\n", NextBoot::differs},
    {"an_exemption_of_the_vendor", limits, "/usr/etc/security/limits.conf", "@daemon -\n", NextBoot::differs},
    {"a_file_that_pam_does_not_read", limits, "/etc/security/old-limits.conf", "@daemon -\n", NextBoot::itself},
    {"an_earlier_exemption", limits, "/etc/security/limits.d/10-site.conf", "@daemon -\n", NextBoot::differs},
    {"a_later_drop_in", limits, "/etc/systemd/system/slurmd.service.d/zz.conf", "[Service]\nLimitMEMLOCK=8M\n",
     NextBoot::differs},
    {"a_later_drop_in_below_run", limits, "/run/systemd/system/slurmd.service.d/zz.conf",
     "[Service]\nLimitMEMLOCK=8M\n", NextBoot::differs},
    {"an_earlier_drop_in", limits, "/etc/systemd/system/slurmd.service.d/10-a.conf", "[Service]\nLimitMEMLOCK=8M\n",
     NextBoot::itself},
    {"a_drop_in_of_a_mount", mount, "/etc/systemd/system/mnt-a.mount.d/aa.conf", "[Mount]\nOptions=ro\n",
     NextBoot::differs},
    {"a_drop_in_about_order", mount, "/etc/systemd/system/mnt-a.mount.d/aa.conf", "[Unit]\nAfter=x.service\n",
     NextBoot::itself},
    {"a_later_port", server, "/etc/nfs.conf.d/site.conf", "[nfsd]\nrdma-port=20051\n", NextBoot::differs},
    {"rdma_switched_off", server, "/etc/nfs.conf.d/zz.conf", "[nfsd]\nrdma=n\n", NextBoot::differs},
    {"the_same_port", server, "/etc/nfs.conf.d/zz.conf", "[NFSD]\nrdma = Yes\nrdma-port=20050\n", NextBoot::itself},
    {"an_earlier_port", server, "/etc/nfs.conf.d/10-site.conf", "[nfsd]\nrdma-port=20051\n", NextBoot::itself},
    {"a_later_name", named, "/usr/lib/udev/rules.d/90-site.rules", std::string(on_guid) + "NAME=\"x\"\n",
     NextBoot::differs},
    {"an_earlier_name", named, "/usr/lib/udev/rules.d/10-site.rules", std::string(on_guid) + "NAME=\"x\"\n",
     NextBoot::itself},
    {"an_earlier_name_that_is_final", named, "/usr/lib/udev/rules.d/10-site.rules",
     std::string(on_guid) + "NAME:=\"x\"\n", NextBoot::differs},
    {"a_later_name_of_something", named, "/usr/lib/udev/rules.d/90-site.rules",
     "SUBSYSTEM==\"net\", KERNEL==\"ib0\", NAME=\"x\"\n", NextBoot::unknown},
    {"a_later_name_of_another", named, "/etc/udev/rules.d/90-site.rules",
     "SUBSYSTEM==\"net\", KERNEL==\"eth*\", NAME=\"x\"\n", NextBoot::itself},
    {"who_starts_something_else", named, "/etc/udev/rules.d/90-site.rules",
     std::string(on_guid) + "ENV{SYSTEMD_WANTS}=\"x.service\"\n", NextBoot::differs},
    {"who_starts_something_too", named, "/etc/udev/rules.d/90-site.rules",
     std::string(on_guid) + "ENV{SYSTEMD_WANTS}+=\"x.service\"\n", NextBoot::itself},
    {"a_later_mode", umad, "/etc/udev/rules.d/90-ib.rules", "KERNEL==\"umad*\", MODE=\"0666\"\n", NextBoot::differs},
    {"a_later_group", umad, "/usr/lib/udev/rules.d/90-ib.rules", "SUBSYSTEM==\"infiniband_mad\", GROUP=\"x\"\n",
     NextBoot::differs},
    {"a_later_mode_of_another", umad, "/etc/udev/rules.d/90-ib.rules", "KERNEL==\"uverbs*\", MODE=\"0666\"\n",
     NextBoot::itself},
    {"an_earlier_rename", device, "/etc/udev/rules.d/50-ib.rules",
     "SUBSYSTEM==\"infiniband\", PROGRAM=\"rdma_rename %k NAME_PCI\"\n", NextBoot::differs},
    {"a_later_rename", device, "/etc/udev/rules.d/60-ib.rules",
     "SUBSYSTEM==\"infiniband\", PROGRAM=\"rdma_rename %k NAME_PCI\"\n", NextBoot::itself},
    {"an_earlier_link_file", linked, "/usr/lib/systemd/network/50-site.link",
     "[Match]\nType=infiniband\n[Link]\nName=x\n", NextBoot::differs},
    {"an_earlier_link_file_of_another", linked, "/etc/systemd/network/50-site.link",
     "[Match]\nType=ether\n[Link]\nName=x\n", NextBoot::itself},
    {"a_later_link_file", linked, "/usr/lib/systemd/network/99-default.link", "[Match]\nOriginalName=*\n",
     NextBoot::itself},
    {"a_drop_in_of_a_link_file", linked, "/etc/systemd/network/60-rdmastate-mlx4_ib0.link.d/a.conf", "[Link]\nName=x\n",
     NextBoot::differs},
    {"a_drop_in_of_a_network_file", networkd, "/etc/systemd/network/60-rdmastate-mlx4_ib0.network.d/a.conf",
     "[Link]\nMTUBytes=4092\n", NextBoot::differs},
    {"a_drop_in_about_router_advertisements", networkd, "/etc/systemd/network/60-rdmastate-mlx4_ib0.network.d/a.conf",
     "[Network]\nIPv6AcceptRA=yes\n", NextBoot::differs},
};

class Others : public testing::TestWithParam<Other> {};

void put_over(HostModel& model, const std::string& path, const std::string& text) {
  FileContent file;
  file.meta.mode = 0644;
  file.bytes = text;
  if (text.empty()) file.meta.type = FileType::symlink;
  if (text.empty()) file.bytes = "/dev/null";
  if (path.starts_with("/usr/etc/")) model.files.erase(path.substr(4));  // which would hide this one
  model.files.insert_or_assign(path, file);
  add_parents(model.files);
}

std::vector<std::string> warnings(const Plan& plan) {
  std::vector<std::string> told;
  for (const auto& item : plan.items)
    if (!item.warning.empty()) told.push_back(item.warning);
  return told;
}

NextBoot worst(const Plan& plan) {
  NextBoot worst = NextBoot::itself;
  for (const auto& item : plan.items)
    if (!item.warning.empty()) worst = std::max(worst, item.next_boot);
  return worst;
}

// The file that the host has by now is told of as the one that is planned was.
TEST_P(Others, IsNamedOnceAndTheColumnSaysSo) {
  const Other& one = GetParam();
  HostModel model = loaded_model();
  put_over(model, one.path, one.text);
  RecordedHost host(std::move(model));
  const auto planned = warnings(plan_spec(host, one.spec));
  EXPECT_EQ(apply_spec(host, one.spec).code, ExitCode::done);
  const Plan plan = plan_spec(host, one.spec);
  const bool is_told = one.next_boot != NextBoot::itself;
  ASSERT_EQ(warnings(plan).size(), is_told ? 1U : 0U) << fmt::format("{}", fmt::join(warnings(plan), "\n"));
  EXPECT_EQ(warnings(plan), planned);
  EXPECT_EQ(worst(plan), one.next_boot);
  EXPECT_EQ(judge(plan).blocked, is_told ? 1U : 0U);
  for (const auto& told : warnings(plan)) EXPECT_NE(told.find(one.path), std::string::npos) << told;
}

TEST_P(Others, IsInARecord) {
  const Other& one = GetParam();
  HostModel model = loaded_model();
  put_over(model, one.path, one.text);
  RecordedHost host(std::move(model));
  Host doors = host.host();
  const Snapshot snapshot(doors);
  RecordedHost again(record_host(snapshot, read_facts(snapshot)));
  EXPECT_EQ(warnings(plan_spec(again, one.spec)), warnings(plan_spec(host, one.spec)));
}

INSTANTIATE_TEST_SUITE_P(Files, Others, testing::ValuesIn(others),
                         [](const auto& one) { return std::string(one.param.name); });

// In /etc what is in /run and /usr/lib is masked, by a link to /dev/null or by another file.
TEST(Overridden, WhatIsMaskedIsNothing) {
  struct Case {
    const std::string& spec;
    std::string path;
    std::string text;
    std::string mask;
  };
  for (const auto& one : {Case{options, "/usr/lib/modprobe.d/zz.conf", "options ib_ipoib recv_queue_size=128\n",
                               "/etc/modprobe.d/zz.conf"},
                          Case{loaded, "/usr/lib/modprobe.d/aa.conf", "blacklist ib_umad\n", "/run/modprobe.d/aa.conf"},
                          Case{limits, "/run/systemd/system/slurmd.service.d/zz.conf", "[Service]\nLimitMEMLOCK=8M\n",
                               "/etc/systemd/system/slurmd.service.d/zz.conf"},
                          Case{limits, "/usr/etc/security/limits.conf", "@daemon -\n", "/etc/security/limits.conf"},
                          Case{umad, "/usr/lib/udev/rules.d/90-ib.rules", "KERNEL==\"umad*\", MODE=\"0666\"\n",
                               "/etc/udev/rules.d/90-ib.rules"},
                          Case{linked, "/usr/lib/systemd/network/50-site.link",
                               "[Match]\nType=infiniband\n[Link]\nName=x\n", "/etc/systemd/network/50-site.link"}})
    for (const std::string by : {"", "# nothing\n"}) {
      HostModel model = loaded_model();
      put_over(model, one.path, one.text);
      RecordedHost open(model);
      EXPECT_EQ(warnings(plan_spec(open, one.spec)).size(), 1U) << one.path;
      put_over(model, one.mask, by);
      RecordedHost masked(model);
      EXPECT_EQ(warnings(plan_spec(masked, one.spec)).size(), 0U) << one.path << by;
    }
}

TEST(Overridden, ADirectoryThatMayNotBeListedMayHoldAWinner) {
  HostModel model = loaded_model();
  model.unseen.insert("/usr/lib/modprobe.d");
  RecordedHost host(std::move(model));
  const auto told = warnings(plan_spec(host, options));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("/usr/lib/modprobe.d is read with"), std::string::npos) << told[0];
}

// A file that is read before ours can win only where one of its kind may have a last word: a line that exempts, or :=.
TEST(Overridden, AnEarlierFileThatMayNotBeReadMayHaveTheLastWord) {
  const std::string modprobe = "/etc/modprobe.d/aa.conf", pam = "/etc/security/limits.conf",
                    more = "/etc/security/limits.d/10-site.conf", rules = "/usr/lib/udev/rules.d/10-site.rules";
  for (const auto& [spec, path, is_told] :
       {std::tuple{options, modprobe, false}, {limits, pam, true}, {limits, more, true}, {named, rules, true}}) {
    HostModel model = loaded_model();
    put_over(model, path, "# nothing\n");
    model.unseen.insert(path);
    RecordedHost host(std::move(model));
    const auto told = warnings(plan_spec(host, spec));
    EXPECT_EQ(told.size(), is_told ? 1U : 0U) << path;
    for (const auto& one : told) EXPECT_NE(one.find(path + " is read with"), std::string::npos) << one;
  }
}

// What wins will win over a file that is yet to be written too.
TEST(Overridden, CountsBeforeOursIsWritten) {
  HostModel model = loaded_model();
  put_over(model, "/etc/modprobe.d/zz.conf", "options ib_ipoib recv_queue_size=128\n");
  RecordedHost host(std::move(model));
  EXPECT_EQ(worst(plan_spec(host, options)), NextBoot::differs);
}

// Of two later ones the last counts, and that one agrees.
TEST(Overridden, TheLastOneCounts) {
  HostModel model = loaded_model();
  put_over(model, "/etc/modprobe.d/yy.conf", "options ib_ipoib recv_queue_size=128\n");
  put_over(model, "/etc/modprobe.d/zz.conf", "options ib_ipoib recv_queue_size=256\n");
  RecordedHost host(std::move(model));
  EXPECT_EQ(warnings(plan_spec(host, options)).size(), 0U);
}

// Where pam_limits comes to a line that exempts somebody, it reads no more (pam_limits(8)): what is read later, and
// says what ours says, gives no limit back.
TEST(Overridden, NothingGivesBackWhatAnExemptionTakes) {
  for (const std::string exemption : {"/etc/security/limits.d/10-a.conf", "/etc/security/limits.d/98-a.conf"}) {
    HostModel model = loaded_model();
    put_over(model, exemption, "@daemon -\n");
    put_over(model, "/etc/security/limits.d/99-b.conf",
             "@daemon soft memlock 1048576\n@daemon hard memlock unlimited\n");
    RecordedHost host(std::move(model));
    const auto told = warnings(plan_spec(host, limits));
    ASSERT_EQ(told.size(), 1U) << exemption;
    EXPECT_NE(told[0].find(exemption + " says @daemon -"), std::string::npos) << told[0];
  }
}

// A file of ours that others may be read with has a row, or is none that anybody wins over: a new one has to say.
// Of the files of others only what ours may have is read, and kept by a record: a new key of ours has to be among it.
TEST(Overridden, WhatOursMaySayIsReadInTheFilesOfOthers) {
  RecordedHost host(loaded_model());
  std::size_t settings = 0;
  for (const auto& spec : {linked, limits, server, mount, networkd})
    for (const auto& item : plan_spec(host, spec).items) {
      if (!item.kind->durable || !item.wanted() || item.kind->lives_in != nullptr || item.kind->copies_others) continue;
      const FileState& file = file_of(*item.wanted());
      if (file.type != FileType::regular || !file.content) continue;
      std::set<std::string> ours, theirs;
      for (const auto& reading : readings_of(item.key)) {
        if (reading.own_settings != unit_settings) continue;
        for (const auto& one : reading.own_settings(file.content->value)) ours.insert(one.what);
        for (const auto& one : reading.settings(file.content->value)) theirs.insert(one.what);
      }
      EXPECT_EQ(ours, theirs) << item.key;
      settings += ours.size();
    }
  EXPECT_GT(settings, 10U);
}

TEST(Overridden, EveryOrderedDirectoryHasARow) {
  const std::set<std::string> nobody_wins{
      "/etc/sysusers.d"};  // a group's number is left open there, so that any other line agrees
  RecordedHost host(loaded_model());
  for (const auto& spec :
       {named, linked, umad, options, blocked, loaded, limits, server, mount, device, netns, networkd})
    for (const auto& item : plan_spec(host, spec).items) {
      if (!item.kind->durable || !item.wanted() || item.kind->lives_in != nullptr) continue;
      const std::string directory = item.key.substr(0, item.key.rfind('/'));
      if (!directory.ends_with(".d") || item.key.ends_with(".d") || nobody_wins.contains(directory)) continue;
      EXPECT_FALSE(readings_of(item.key).empty()) << item.key;
    }
}

}  // namespace
}  // namespace rdmastate
