// SPDX-License-Identifier: Apache-2.0
// What files that are read in an order say, setting by setting, and of which devices.
#include <gtest/gtest.h>

#include "host/facts.hpp"
#include "platform/dracut.hpp"
#include "platform/read_order.hpp"
#include "platform/setting.hpp"

namespace rdmastate {
namespace {

std::string said(const Settings& settings) {
  std::string text;
  for (const auto& one : settings)
    text += one.what + " = " + one.value + (one.first ? " (first)" : "") + (one.final ? " (final)" : "") + "\n";
  return text;
}

struct Text {
  const char* name;
  Settings (*read)(std::string_view);
  const char* text;
  const char* says;
};

const Text texts[] = {
    {"options", modprobe_settings,
     "options ib-ipoib recv-queue-size=0x200 debug_level=1\n#options ib_core a=1\noptions ib_core\n",
     "options ib_ipoib recv_queue_size = 512\noptions ib_ipoib debug_level = 1\n"},
    {"options_over_two_lines", modprobe_settings, "options ib_core \\\nnetns_mode=0\n",
     "options ib_core netns_mode = 0\n"},
    {"what_keeps_a_module_away", modprobe_settings,
     "blacklist ib-ipoib\ninstall rds_rdma /bin/true\ninstall mlx4_core /sbin/modprobe --ignore-install mlx4_core && x\n",
     "load ib_ipoib = no\ninstall rds_rdma = nothing (first)\nload rds_rdma = no\n"
     "install mlx4_core = install mlx4_core /sbin/modprobe --ignore-install mlx4_core && x (first)\n"},
    {"a_list_of_modules", modules_load_settings, "# no\n; no\nib-umad\n\n rdma_ucm \n",
     "load ib_umad = yes\nload rdma_ucm = yes\n"},
    {"limits", limits_settings,
     "@rdma - memlock infinity # all\n* soft nofile 9\n@rdma\thard\tmemlock\t64\nalice soft memlock -1\n",
     "@rdma soft memlock = unlimited\n@rdma hard memlock = unlimited\n@rdma hard memlock = 64\n"
     "alice soft memlock = unlimited\n"},
    {"lines_of_limits_that_exempt", limits_settings, "bob -\n* -\n%rdma -\ncarol soft\n",
     "bob soft memlock = none set (final)\nbob hard memlock = none set (final)\n"},
    {"nfs", nfs_settings, "[nfsd]\n RDMA = Yes\nrdma-port = 20050\n[other]\nrdma=n\n",
     "nfsd.rdma = y\nnfsd.rdma-port = 20050\n"},
    {"a_unit", unit_settings,
     "[Unit]\nAfter=x\n[Service]\nLimitMEMLOCK=8G\nLimitMEMLOCK=64K:infinity\nExecStart=\nExecStart=/bin/x y\n",
     "[Service] LimitMEMLOCK = 65536:infinity\n[Service] ExecStart = /bin/x y\n"},
    {"a_limit_with_a_fraction", unit_settings, "[Service]\nLimitMEMLOCK=1.5G\n",
     "[Service] LimitMEMLOCK = 1610612736:1610612736\n"},
    {"a_limit_that_systemd_ignores", unit_settings,
     "[Service]\nLimitMEMLOCK=8M\nLimitMEMLOCK=8g\nLimitMEMLOCK=2G:1G\nLimitMEMLOCK=lots\n",
     "[Service] LimitMEMLOCK = 8388608:8388608\n"},
    {"lists_of_networkd", unit_settings, "[Network]\nDNS=192.0.2.1\nDHCP=no\n[Address]\nAddress=192.0.2.2/24\n",
     "[Network] DHCP = no\n"},
    {"a_link_file", link_settings, "[Match]\nPath=pci-0000:05:00.0 pci-*\n[Link]\nName=a\n", ".link = a (first)\n"},
    {"a_link_file_for_nothing", link_settings, "[Link]\nName=a\n", ""},
    {"rules", rule_settings,
     "# NAME=\"no\"\nKERNEL==\"umad*\", GROUP=\"a\", MODE:=\"0666\" \\\n\nSUBSYSTEM==\"net\",NAME=\"b\"\n",
     "GROUP = a\nMODE = 0666 (final)\nNAME = b\n"},
    {"a_rule_with_prefixed_and_odd_tokens", rule_settings,
     "ATTR{power/a-b}==\"on\", PROGRAM==\"x \\\"y\\\"\", GROUP=e\"a\"\n", "GROUP = a\n"},
    {"a_rename", rule_settings,
     "ACTION==\"add\", PROGRAM=\"rdma_rename %k NAME_FALLBACK\"\nPROGRAM=\"rdma_rename %k NAME_KERNEL\"\nPROGRAM=\"/bin/x\"\n",
     "rdma_rename = NAME_FALLBACK (first)\n"},
    {"nonsense", rule_settings, "KERNEL\n=\"\nKERNEL==\"a\", NAME=\"x", "NAME = x\n"},
};

class Read : public testing::TestWithParam<Text> {};

TEST_P(Read, SaysWhatItsOwnerTakes) { EXPECT_EQ(said(GetParam().read(GetParam().text)), GetParam().says); }

INSTANTIATE_TEST_SUITE_P(Texts, Read, testing::ValuesIn(texts),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Patterns, OverlapAndCover) {
  struct Case {
    const char* one;
    const char* other;
    bool overlap;
    bool covers;
  };
  for (const auto& c : {Case{"*", "ib0", true, true}, Case{"ib*", "ib0", true, true}, Case{"ib0", "ib*", true, false},
                        Case{"?*", "ib*", true, true}, Case{"ib?", "ib*", true, false},
                        Case{"*-usb-*", "pci-0000:05:00.0", false, false}, Case{"?*a1", "?*a1", true, true},
                        Case{"80:*:a1", "?*:a1", true, false}, Case{"80:*:a2", "?*:a1", false, false},
                        Case{"ib[0-9]", "ib0", true, false}, Case{"ib[0-9]", "ib[0-9]", true, true},
                        Case{"", "", true, true}, Case{"", "a", false, false}, Case{"eth*", "ib*", false, false}}) {
    EXPECT_EQ(overlap(c.one, c.other), c.overlap) << c.one << " " << c.other;
    EXPECT_EQ(overlap(c.other, c.one), c.overlap) << c.one << " " << c.other;
    EXPECT_EQ(covers(c.one, c.other), c.covers) << c.one << " " << c.other;
  }
}

struct Device {
  const char* theirs;
  Meets met;
};

// Ours as the template writes it; theirs as it stands on hosts.
TEST(Conditions, OfAPortsName) {
  const std::string ours =
      "ACTION==\"add\", SUBSYSTEM==\"net\", DRIVERS==\"?*\", ATTR{type}==\"32\", ATTR{address}==\"?*f4:52:14:03:00:7b:cb:a1\", NAME=\"a\"";
  const Setting own = own_rule_settings(ours).front();
  for (const auto& one :
       {Device{R"(SUBSYSTEM=="net", NAME="x")", Meets::always}, Device{R"(ATTR{type}=="32", NAME="x")", Meets::always},
        Device{R"(ACTION=="add|change", SUBSYSTEM=="net", ATTR{address}=="*cb:a1", NAME="x")", Meets::always},
        Device{R"(ATTR{address}=="80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1", NAME="x")",
               Meets::maybe},
        Device{R"(SUBSYSTEM=="net", KERNEL=="ib0", NAME="x")", Meets::maybe},
        Device{R"(SUBSYSTEM=="net", KERNEL=="ib*", ENV{X}=="1", NAME="x")", Meets::maybe},
        Device{R"(SUBSYSTEM=="net", KERNEL=="eth*", NAME="x")", Meets::never},
        Device{R"(SUBSYSTEM=="net", ATTR{address}=="52:54:00:12:34:56", NAME="x")", Meets::never},
        Device{R"(SUBSYSTEM=="net", ATTR{type}!="32", NAME="x")", Meets::never},
        Device{R"(ACTION=="remove", SUBSYSTEM=="net", NAME="x")", Meets::never},
        // Those that systemd and Debian bring.
        Device{R"(NAME=="", ENV{ID_NET_NAME}!="", NAME="$env{ID_NET_NAME}")", Meets::never},
        Device{R"(ACTION=="add", SUBSYSTEM=="net", SUBSYSTEMS=="usb", ATTRS{idVendor}=="413c", NAME="idrac")",
               Meets::never},
        Device{R"(ACTION=="add", SUBSYSTEM=="net", NAME=="", DRIVERS=="ibmveth", NAME="ibmveth$result")", Meets::never},
        Device{R"(ACTION=="add", SUBSYSTEM=="net", DRIVERS=="virtio_net", NAME="v")", Meets::never}}) {
    const Settings theirs = rule_settings(one.theirs);
    ASSERT_EQ(theirs.size(), 1U) << one.theirs;
    EXPECT_EQ(meets(own.when, theirs.front().when), one.met) << one.theirs;
  }
}

TEST(Conditions, OfALinkFile) {
  const Setting own = own_link_settings("[Match]\nPath=pci-0000:05:00.0\nType=infiniband\n[Link]\nName=a\n").front();
  for (const auto& one : {Device{"OriginalName=*", Meets::always}, Device{"Path=pci-0000:05:00.0", Meets::always},
                          Device{"Type=infiniband ether", Meets::always}, Device{"OriginalName=ib0", Meets::maybe},
                          Device{"Path=pci-0000:05:00.0\nMACAddress=x", Meets::maybe},
                          Device{"Type=ether", Meets::never}, Device{"Type=!infiniband", Meets::never},
                          Device{"Path=*-usb-*", Meets::never}, Device{"MACAddress=52:54:00:12:34:56", Meets::never}}) {
    const Settings theirs = link_settings(std::string("[Match]\n") + one.theirs + "\n[Link]\nName=b\n");
    ASSERT_EQ(theirs.size(), 1U) << one.theirs;
    EXPECT_EQ(meets(own.when, theirs.front().when), one.met) << one.theirs;
  }
}

TEST(Conditions, OfWhatARuleIsJumpedOverFor) {
  const std::string ours = "SUBSYSTEM==\"infiniband_mad\", KERNEL==\"umad*\", GROUP=\"a\"";
  const Setting own = own_rule_settings(ours).front();
  const Settings theirs = rule_settings(
      "SUBSYSTEM!=\"usb\", GOTO=\"end\"\nGROUP=\"b\"\nLABEL=\"end\"\nSUBSYSTEM==\"infiniband_mad\", GROUP=\"c\"\n");
  ASSERT_EQ(theirs.size(), 2U);
  EXPECT_EQ(meets(own.when, theirs[0].when), Meets::never);
  EXPECT_EQ(meets(own.when, theirs[1].when), Meets::always);
}

TEST(ReadOrder, KnowsWhereTheFilesOfOthersAre) {
  const auto directories = [](const std::string& path) {
    std::string text;
    for (const auto& reading : readings_of(path))
      for (const auto& directory : reading.directories) text += directory + "\n";
    return text;
  };
  EXPECT_NE(directories("/etc/systemd/system/slurmd.service.d/rdmastate.conf")
                .find("/usr/lib/systemd/system/slurmd.service.d\n"),
            std::string::npos);
  EXPECT_NE(directories("/etc/systemd/system/mnt-a.mount").find("/run/systemd/system/mnt-a.mount.d\n"),
            std::string::npos);
  EXPECT_NE(directories("/etc/systemd/network/60-a.network").find("/usr/lib/systemd/network/60-a.network.d\n"),
            std::string::npos);
  EXPECT_EQ(directories("/etc/systemd/network/60-a.network").find("/usr/lib/systemd/network\n"), std::string::npos);
  EXPECT_NE(directories("/etc/systemd/network/60-a.link").find("/usr/lib/systemd/network\n"), std::string::npos);
  EXPECT_EQ(directories("/etc/rdmastate/boot.json"), "");
}

// What a record keeps of a file of others, by all places that name it.
std::string kept_of(const std::string& path, const std::string& text) {
  std::string kept;
  for (const auto& place : ordered_places())
    if (is_named_by(place.pattern, path)) kept += place.keep({Facts(), {}, path, text}).part;
  return kept;
}

struct DropIn {
  const char* ours;
  const char* theirs;
  const char* text;
  const char* says;  ///< what a plan reads there
};

const DropIn drop_ins[] = {
    {"/etc/systemd/network/60-a.network", "/run/systemd/network/60-a.network.d/x.conf",
     "[Link]\nMTUBytes=4092\n[Network]\nDHCP=yes\nIPv6AcceptRA=no\n[WireGuard]\nPrivateKey=hush\n",
     "[Link] MTUBytes = 4092\n[Network] DHCP = yes\n[Network] IPv6AcceptRA = no\n"},
    {"/etc/systemd/network/60-a.netdev", "/etc/systemd/network/60-a.netdev.d/x.conf",
     "[NetDev]\nName=b\n[IPoIB]\nPartitionKey=0x8003\nMode=datagram\n[WireGuardPeer]\nPresharedKey=hush\n",
     "[NetDev] Name = b\n[IPoIB] PartitionKey = 0x8003\n[IPoIB] Mode = datagram\n"},
    {"/etc/systemd/network/60-a.link", "/etc/systemd/network/60-a.link.d/x.conf", "[Link]\nName=b\nNamePolicy=kernel\n",
     "[Link] Name = b\n[Link] NamePolicy = kernel\n"},
    {"/etc/systemd/system/mnt-a.mount", "/usr/lib/systemd/system/mnt-a.mount.d/x.conf", "[Mount]\nOptions=ro\n",
     "[Mount] Options = ro\n"},
    {"/etc/systemd/system/nfs-server.service.d/rdmastate.conf", "/etc/systemd/system/nfs-server.service.d/zz.conf",
     "[Service]\nExecStart=\nExecStart=/usr/sbin/rpc.nfsd 8\nExecStartPost=/bin/x hush\nLimitMEMLOCK=8M\n",
     "[Service] ExecStart = /usr/sbin/rpc.nfsd 8\n[Service] LimitMEMLOCK = 8388608:8388608\n"},
    {"/etc/systemd/system/opensm@0x1.service.d/rdmastate.conf", "/run/systemd/system/opensm@0x1.service.d/zz.conf",
     "[Service]\nExecStart=/usr/sbin/opensm --guid 0x1\n", "[Service] ExecStart = /usr/sbin/opensm --guid 0x1\n"},
    {"/etc/systemd/system/slurmd.service.d/50-rdmastate-memlock.conf", "/etc/systemd/system/slurmd.service.d/zz.conf",
     "[Service]\nLimitMEMLOCK=8M\nExecStart=/bin/x hush\nEnvironment=TOKEN=hush\n",
     "[Service] LimitMEMLOCK = 8388608:8388608\n"},
};

TEST(ReadOrder, ARecordKeepsWhatAPlanComparesAndNoSecrets) {
  for (const auto& one : drop_ins) {
    const auto read = [&](const std::string& text) {
      Settings all;
      for (const auto& reading : readings_of(one.ours))
        for (auto& setting : reading.settings(text)) all.push_back(std::move(setting));
      return said(all);
    };
    const std::string kept = kept_of(one.theirs, one.text);
    EXPECT_EQ(read(one.text), one.says) << one.theirs;
    EXPECT_EQ(read(kept), one.says) << one.theirs << "\n" << kept;
    EXPECT_EQ(kept.find("hush"), std::string::npos) << one.theirs << "\n" << kept;
  }
}

// dracut.conf(5) as people write it: the last word on hostonly counts, and lists grow.
TEST(Dracut, SettingsAreReadOneAfterTheOther) {
  DracutSettings settings;
  add_dracut_settings("# hostonly=\"no\"\nhostonly=no # for any host\nhostonly_cmdline=\"yes\"\n", settings);
  EXPECT_FALSE(settings.hostonly);
  add_dracut_settings("  hostonly='yes'\ninstall_items+=\" /etc/a.conf /etc/b.d/*.conf \"\n", settings);
  EXPECT_TRUE(settings.hostonly);
  add_dracut_settings("install_optional_items+=' /etc/c '\nhostonly=\"$DEFAULT\"\ninstall_items+=\"", settings);
  EXPECT_TRUE(settings.hostonly);
  for (const char* path : {"/etc/a.conf", "/etc/b.d/one.conf", "/etc/c"}) EXPECT_TRUE(settings.names(path)) << path;
  for (const char* path : {"/etc/a", "/etc/b.d/one.link", "/etc/d"}) EXPECT_FALSE(settings.names(path)) << path;
}

TEST(Dracut, ARecordKeepsWhatIsRead) {
  const std::string text = "hostonly=\"no\"\nkernel_cmdline=\"secret\"\ninstall_items+=\" /etc/a \"\n";
  EXPECT_EQ(dracut_lines(text), "hostonly=\"no\"\ninstall_items+=\" /etc/a \"\n");
}

}  // namespace
}  // namespace rdmastate
