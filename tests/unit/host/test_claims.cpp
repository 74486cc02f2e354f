// SPDX-License-Identifier: Apache-2.0
// Which interfaces a file of others configures, as the program reads it that the file is for.
#include <gtest/gtest.h>

#include "host/claims.hpp"
#include "host/networkd.hpp"
#include "host/recorded/recorded.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

using Names = std::vector<std::string>;

// Claims by name alone.
Names names_of(const std::vector<Claim>& claims) {
  Names names;
  for (const auto& one : claims)
    if (claim_words(one).asks.empty()) names.push_back(one.interface);
  return names;
}

Names networkd(std::string_view text) { return names_of(networkd_claims("", text)); }
Names keyfile(std::string_view text) { return names_of(keyfile_claims("", text)); }

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

// The guide's port and its child, and what is none of them.
const ClaimedInterface port{"mlx4_ib0", Guid{0xf4521403007bcba1}, "0000:3b:00.0", "mlx4_core", false};
const ClaimedInterface child{"mlx4_ib0.8002", Guid{0xf4521403007bcba1}, "0000:3b:00.0", "mlx4_core", true};
const ClaimedInterface other{"ib7", Guid{0x0002c903003178f1}, "0000:5e:00.0", "mlx4_core", false};
const ClaimedInterface stranger{"mlx4_ib0", Guid{}, "", "", false};  // nothing is known of it but its name

struct Asked {
  const char* manager;
  const char* text;
  bool port, child, other;
};

const char* const address = "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1";

std::vector<Asked> asked() {
  return {
      {"networkd", "[Match]\nName=mlx4_*\n", true, true, false},
      {"networkd", "[Match]\nName=!mlx4_*\n", false, false, true},
      {"networkd", "[Match]\nName=*\n", true, true, true},
      {"networkd", "[Match]\nName=*\nType=ether\n", false, false, false},
      {"networkd", "[Match]\nType=infiniband\n", true, true, true},
      {"networkd", "[Match]\nType=!ether\n", true, true, true},
      {"networkd", "[Match]\nPath=pci-0000:3b:00.*\n", true, false, false},
      {"networkd", "[Match]\nDriver=ib_ipoib\n", true, true, true},
      {"networkd", "[Match]\nDriver=mlx4_core\n", false, false, false},
      {"networkd", "[Match]\nMACAddress=@\n", true, false, false},
      {"networkd", "[Match]\nMACAddress=@\nName=eth*\n", false, false, false},
      {"networkd", "[Match]\nMACAddress=52:54:00:12:34:56\n", false, false, false},
      {"networkd", "[Match]\nPermanentMACAddress=@\n", true, false, false},
      {"networkd", "[Match]\nProperty=ID_MODEL=x\nType=infiniband\n", true, true, true},
      {"networkd", "[Match]\nSSID=x\n", false, false, false},
      {"networkd", "[Match]\nHost=x\n", false, false, false},
      {"networkd", "[Network]\nDHCP=yes\n", false, false, false},
      {"networkmanager", "[connection]\ntype=infiniband\n", true, true, true},
      {"networkmanager", "[connection]\ntype=ethernet\n", false, false, false},
      {"networkmanager", "[connection]\ntype=infiniband\n[infiniband]\nmac-address=@\n", true, false, false},
      {"networkmanager",
       "[connection]\ntype=infiniband\n[infiniband]\nmac-address=80-00-00-00-FE-80-00-00-00-00-00-00-F4-52-14-03-00-7B-CB-A1\n",
       true, false, false},
      {"networkmanager", "[connection]\ntype=infiniband\n[match]\npath=pci-0000:3b:*;\n", true, false, false},
      {"networkmanager", "[connection]\ntype=infiniband\n[match]\ninterface-name=!mlx4_*;\n", false, false, true},
      {"networkmanager", "[connection]\ntype=infiniband\n[match]\ninterface-name=|mlx4_*;\n", true, true, false},
      {"networkmanager", "[connection]\ntype=infiniband\n[match]\ndriver=ib_ipoib;\n", true, true, true},
      {"networkmanager", "[connection]\ntype=infiniband\n[infiniband]\nparent=mlx4_ib0\np-key=32770\n", false, true,
       false},
      {"networkmanager", "[connection]\ntype=infiniband\n[infiniband]\nparent=mlx4_ib0\np-key=0x2\n", false, true,
       false},
      {"udev", "SUBSYSTEM==\"net\", ATTR{address}==\"?*f4:52:14:03:00:7b:cb:a1\", NAME=\"x\"\n", true, false, false},
      {"udev", "ATTR{address}==\"@\", NAME=\"x\"\n", true, false, false},
      {"udev", "KERNELS==\"0000:3b:00.0\", ATTR{type}==\"32\", NAME:=\"x\"\n", true, false, false},
      {"udev", "KERNELS==\"0000:3b:00.0\", ATTR{type}==\"1\", NAME=\"x\"\n", false, false, false},
      {"udev", "KERNEL==\"ib*\", \\\n NAME=\"x\"\n", true, false, true},
      {"udev", "ATTR{address}==\"52:54:00:12:34:56\", NAME=\"mlx4_ib0\"\n", true, false, false},
      {"udev", "KERNEL==\"ib*\", \\\n# of the store\n NAME=\"x\"\n", true, false, true},
      {"udev", "KERNEL==\"ib*\", NAME=\"x\"\\", true, false, true},
      {"udev", "PROGRAM==\"/bin/x \\\"a\\\"\", KERNEL==\"ib*\", NAME=\"x\"\n", true, false, true},
      {"udev", "ATTR{power/a-b}==\"on\", KERNEL==e\"ib*\", NAME=\"x\"\n", true, false, true},
      {"udev", "SUBSYSTEM==\"net\", DRIVERS==\"?*\", NAME=\"$env{ID_NET_NAME}\"\n", false, false, false},
      {"udev", "SUBSYSTEM==\"infiniband\", ATTR{node_guid}==\"f452:1403:007b:cba1\", NAME=\"x\"\n", false, false,
       false},
      {"udev", "#ATTR{address}==\"@\", NAME=\"x\"\n", false, false, false},
      {"udev", "ATTR{address}==\"@\", MODE=\"0660\"\n", false, false, false},
      {"link", "[Match]\nMACAddress=@\n[Link]\nName=x\n", true, false, false},
      {"link", "[Match]\nPath=pci-0000:3b:00.0\nType=infiniband\n[Link]\nName=x\n", true, false, false},
      {"link", "[Match]\nMACAddress=52:54:00:12:34:56\n[Link]\nName=mlx4_ib0\n", true, false, false},
      {"link", "[Match]\nMACAddress=@\n[Link]\nMTUBytes=2044\n", false, false, false},
      {"netplan", "network:\n  ethernets:\n    id0:\n      match:\n        macaddress: \"@\"\n      mtu: 1\n", true,
       false, false},
      {"netplan", "network:\n  ethernets:\n    id0:\n      match: {name: \"mlx4_*\", driver: [ib_ipoib]}\n", true, true,
       false},
      {"netplan", "network:\n  ethernets:\n    id0:\n      match: {name: \"en*\"}\n      macaddress: \"@\"\n", false,
       false, false},
      {"netplan", "network: {version: 2, ethernets: {mlx4_ib0: {dhcp4: true}}}\n", true, false, false},
      {"netplan", "network:\n  ethernets:\n    \"mlx4_ib0\": {}\n    mlx4_ib0.8002:\n", true, true, false},
      {"netplan", "network:\n  ethernets:\n    a: {match: {driver: [x, ib_ipoib]}, set-name: y}\n", true, true, true},
      {"netplan", "network:\n  ethernets:\n    a: {match: {macaddress: \"52:54:00:12:34:56\"}, set-name: mlx4_ib0}\n",
       true, false, false},
      {"netplan", "network:\n  ethernets:\n    mlx4_ib0: {match: {name: eth0}}\n", false, false, false},
      {"netplan", "network:\n  ethernets:\n    a: {match: {}}\n", true, true, true},
      {"ifupdown", "auto mlx4_ib0=site\niface site inet dhcp\n", true, false, false},
      {"ifupdown", "allow-hotplug /mlx4*/1=site\niface site inet dhcp\n", true, true, false},
      {"ifcfg", "TYPE=InfiniBand\nHWADDR=@\n", true, false, false},
      {"ifcfg", "TYPE=InfiniBand\nDEVICE=mlx4_ib0\n", true, false, false},
      {"ifcfg", "TYPE=InfiniBand\nDEVICE=mlx4_ib0.8002\n", false, true, false},
      {"ifcfg", "IPOIB=yes\nIPOIB_DEVICE='mlx4_ib0'\nIPOIB_PKEY=0x2\n", false, true, false},
      {"ifcfg", "IPOIB=yes\nIPOIB_DEVICE='mlx4_ib0'\n", false, false, false},
  };
}

std::vector<Claim> claims_of(const Asked& one) {
  std::string text = one.text;
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1))
    text.replace(at, 1, address);
  const std::string manager = one.manager;
  if (manager == "networkd") return networkd_claims("x.network", text);
  if (manager == "networkmanager") return keyfile_claims("x.nmconnection", text);
  if (manager == "link") return link_file_claims("x.link", text);
  if (manager == "netplan") return netplan_claims("x.yaml", text);
  if (manager == "ifupdown") return ifupdown_claims("", text);
  if (manager == "ifcfg") return ifcfg_claims("ifcfg-storage", text);
  return udev_claims("x.rules", text);
}

bool any_about(std::vector<Claim> claims, const char* manager, const ClaimedInterface& interface) {
  for (auto& claim : claims) claim.manager = std::string(manager) == "link" ? "udev" : manager;
  return std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) { return is_about(claim, interface); });
}

TEST(Claims, ByWhatElseTheirProgramsGoBy) {
  for (const auto& one : asked()) {
    EXPECT_EQ(any_about(claims_of(one), one.manager, port), one.port) << one.manager << "\n" << one.text;
    EXPECT_EQ(any_about(claims_of(one), one.manager, child), one.child) << one.manager << "\n" << one.text;
    EXPECT_EQ(any_about(claims_of(one), one.manager, other), one.other) << one.manager << "\n" << one.text;
  }
}

TEST(Claims, WickedsFilesAreAboutTheInterfaceOfTheirName) {
  for (const char* file : {"ifcfg-mlx4_ib0", "ifroute-mlx4_ib0", "ifsysctl-mlx4_ib0"})
    EXPECT_TRUE(any_about(ifcfg_claims(file, ""), "wicked", port)) << file;
  for (const char* file : {"config", "dhcp", "routes", "ifrule-mlx4_ib0", "ifcfg-"})
    EXPECT_TRUE(ifcfg_claims(file, "default 192.0.2.1 - mlx4_ib0\n").empty()) << file;
}

TEST(Claims, WickedPassesOverCopies) {
  for (const char* end : {"~", ".old", ".bak", ".orig", ".scpmbackup", ".rpmnew", ".rpmsave", ".rpmorig"})
    EXPECT_TRUE(wicked_claims(std::string("ifcfg-x") + end, "IPOIB_DEVICE=mlx4_ib0\nIPOIB_PKEY=8002\n").empty()) << end;
  EXPECT_FALSE(wicked_claims("ifcfg-mlx4_ib0", "").empty());
}

// The ports of a bond, which wicked takes wherever another file gives them addresses.
TEST(Claims, ABondOfWickedsIsAboutItsPorts) {
  const auto claims =
      wicked_claims("ifcfg-bond0", "BONDING_MASTER=yes\nBONDING_SLAVE_0='ib0'\nBONDING_SLAVE1=mlx4_ib0\n");
  ASSERT_EQ(claims.size(), 3U);
  EXPECT_EQ(claims[0].interface, "bond0");
  EXPECT_EQ(claims[1].interface, "ib0");
  EXPECT_TRUE(any_about(claims, "wicked", port));
  EXPECT_FALSE(any_about(wicked_claims("ifcfg-bond0", "#BONDING_SLAVE_0=mlx4_ib0\n"), "wicked", port));
}

// The file's own name is only what the child is called, so nothing else is in the file.
TEST(Claims, AChildUnderAnotherNameOfWickedsIsOneInterface) {
  const auto claims = ifcfg_claims("ifcfg-custom1", "IPOIB_DEVICE=mlx4_ib0\nIPOIB_PKEY=8002\n");
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].interface, "mlx4_ib0.8002");
}

TEST(Claims, AnUnknownAddressFitsNone) {
  const auto claims = networkd_claims("", "[Match]\nMACAddress=" + std::string(address) + "\n");
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_TRUE(is_about(claims[0], port));
  EXPECT_FALSE(is_about(claims[0], stranger));
}

TEST(Claims, AreReadAgainFromWhatARecordKeeps) {
  for (const auto& one : asked()) {
    const std::string manager = one.manager;
    auto claims = claims_of(one);
    std::string text = manager == "netplan" ? "network:\n  ethernets:\n" : "";
    for (auto& claim : claims) {
      claim.manager = manager == "link" ? "udev" : manager;
      claim.path = manager == "link"    ? "/x.link"
                   : manager == "udev"  ? "/x.rules"
                   : manager == "ifcfg" ? "/ifcfg-storage"
                                        : "/x";
      text +=
          (manager == "networkmanager" && claim_words(claim).asks.empty() ? "[connection]\n" : "") + claim_text(claim);
    }
    const auto again = claims_of({one.manager, text.c_str(), false, false, false});
    EXPECT_EQ(any_about(again, one.manager, port), one.port) << text;
    EXPECT_EQ(any_about(again, one.manager, child), one.child) << text;
    EXPECT_EQ(any_about(again, one.manager, other), one.other) << text;
  }
}

// NetworkManager, networkd, netplan, udev and ifupdown's patterns pass over them: such are the temporary files of a
// dead apply.
TEST(Claims, HiddenFilesAreNobodys) {
  HostModel model;
  const std::string profiles = "/etc/NetworkManager/system-connections";
  model.files[profiles] = {{FileType::directory, 0755, 0, 0}, "", {}};
  for (const char* name : {"/.ib0.nmconnection", "/.ib0.nmconnection.rdmastate-0123456789abcdef", "/ib0.nmconnection"})
    model.files[profiles + name] = {{FileType::regular, 0600, 0, 0}, "[connection]\ninterface-name=ib0\n", {}};
  RecordedHost host(model);
  Host doors = host.host();
  std::vector<std::string> unseen;
  const auto claims = read_claims(Snapshot(doors), {}, unseen);
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].path, profiles + "/ib0.nmconnection");
}

// What a drop-in adds to a file's [Match], whichever of systemd's directories each is in.
TEST(Claims, OfNetworkdsDropIns) {
  for (const std::string place : {"/etc/systemd/network", "/run/systemd/network", "/usr/lib/systemd/network"}) {
    HostModel model;
    model.files["/etc/systemd/network/10-site.network"] = {{FileType::regular, 0644, 0, 0}, "[Match]\nName=eth0\n", {}};
    model.files[place + "/10-site.network.d/storage.conf"] = {
        {FileType::regular, 0644, 0, 0}, "[Match]\nName=mlx4_ib0\n", {}};
    add_parents(model.files);
    RecordedHost host(model);
    Host doors = host.host();
    std::vector<std::string> unseen;
    const auto claims = read_claims(Snapshot(doors), {}, unseen);
    EXPECT_TRUE(std::any_of(claims.begin(), claims.end(), [](const Claim& one) {
      return one.interface == "mlx4_ib0" && one.path == "/etc/systemd/network/10-site.network";
    })) << place;
  }
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
