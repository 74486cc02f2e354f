// SPDX-License-Identifier: Apache-2.0
// What of files is hidden in plans.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "resources/group/group.hpp"
#include "resources/secrets.hpp"

namespace rdmastate {
namespace {

std::string hidden(const std::string& text) {
  const std::string safe = without_secrets(text);
  EXPECT_EQ(safe.find("hush"), std::string::npos) << safe;
  EXPECT_EQ(std::count(safe.begin(), safe.end(), '\n'), std::count(text.begin(), text.end(), '\n')) << safe;
  EXPECT_EQ(without_secrets(safe), safe);
  return safe;
}

TEST(Secrets, OfKeyfiles) {
  EXPECT_EQ(hidden("[wifi-security]\nkey-mgmt=wpa-psk\npsk=hush\npsk-flags=1\n[ipv4]\nmethod=auto\n"),
            "[wifi-security]\nkey-mgmt=wpa-psk\npsk=(a secret, not shown)\npsk-flags=1\n[ipv4]\nmethod=auto\n");
  for (const char* name :
       {"password", "leap-password", "private-key-password", "phase2-private-key-password", "wep-key0", "pin",
        "mka-cak", "private-key", "preshared-key", "PrivateKey", "PresharedKey", "password-raw"})
    EXPECT_EQ(hidden(std::string(name) + " = hush=hush\n"), std::string(name) + " = (a secret, not shown)\n");
  EXPECT_EQ(hidden("[vpn-secrets]\nanything=hush\n[vpn]\nuser=me\n"),
            "[vpn-secrets]\nanything=(a secret, not shown)\n[vpn]\nuser=me\n");
  EXPECT_EQ(hidden("#psk=hush\n"), "#psk=(a secret, not shown)\n");
}

TEST(Secrets, OfNetplan) {
  EXPECT_EQ(hidden("  auth:\n    password: hush\n    identity: me\n"),
            "  auth:\n    password: (a secret, not shown)\n    identity: me\n");
  hidden("a: {\"password\": \"hush\", user: me}\n");
  hidden("- password: |\n    hush\n\n    hush\n");
  EXPECT_EQ(hidden("  password: \"one\n  hush\\\"\n  hush\"\n  identity: me\n"),
            "  password: (a secret, not shown)\n  (a secret, not shown)\n  (a secret, not shown)\n  identity: me\n");
  hidden(
      "  password:\n    hush\n  keys: {private: hush, shared: hush}\n  peers:\n    - keys:\n        shared: 'hush'\n");
}

TEST(Secrets, OfInterfaces) {
  EXPECT_EQ(hidden("iface wlan0 inet dhcp\n    wpa-ssid x\n    wpa-psk hush hush"),
            "iface wlan0 inet dhcp\n    wpa-ssid x\n    wpa-psk (a secret, not shown)");
  EXPECT_EQ(hidden("    wireless-key1 s:hush\n    wireless-key hush\n    wireless-essid x\n"),
            "    wireless-key1 (a secret, not shown)\n    wireless-key (a secret, not shown)\n    wireless-essid x\n");
}

TEST(Secrets, OfIfcfgFiles) {
  for (const char* name : {"KEY1", "KEY4", "MKA_CAK", "WIRELESS_KEY_0", "WIRELESS_WPA_PSK", "KEY_PASSPHRASE1"})
    EXPECT_EQ(hidden(std::string(name) + "=hush\n"), std::string(name) + "=(a secret, not shown)\n");
  EXPECT_EQ(without_secrets("DEFAULTKEY=1\nKEY_MGMT=WPA-PSK\n"), "DEFAULTKEY=1\nKEY_MGMT=WPA-PSK\n");
}

TEST(Secrets, OfCommandsInInterfaces) {
  for (const char* word : {"pre-up", "up", "post-up", "pre-down", "down", "post-down"})
    EXPECT_EQ(hidden(fmt::format("  {} /sbin/log-in me hush\\\nhush\n  mtu 9000\n", word)),
              fmt::format("  {} /sbin/log-in (a secret, not shown)\n(a secret, not shown)\n  mtu 9000\n", word));
  const std::string ours = "# Managed by rdmastate: edit the host's spec, not this file.\n    up /bin/ip route show\n";
  EXPECT_EQ(without_secrets(ours), ours);
}

TEST(Secrets, OverLines) {
  EXPECT_EQ(hidden("PrivateKey=\\\n# c\n  hush\nListenPort=1\n"),
            "PrivateKey=(a secret, not shown)\n(a secret, not shown)\n  (a secret, not shown)\nListenPort=1\n");
  EXPECT_EQ(hidden("PrivateKey \\\n=hush\nListenPort=1\n"), "PrivateKey \\\n(a secret, not shown)\nListenPort=1\n");
  EXPECT_EQ(hidden("  wpa-psk hush\\\r\nhush\\\nhush\n  wpa-ssid x\n"),
            "  wpa-psk (a secret, not shown)\n(a secret, not shown)\n(a secret, not shown)\n  wpa-ssid x\n");
}

TEST(Secrets, NothingElseIsHidden) {
  for (const std::string text :
       {"[infiniband]\np-key=32770\n", "PartitionKey=0x8002\n", "# a password is not here\n", "", "\n\n",
        "key-mgmt=none\n", "{\"format_version\":1,\"resources\":[{\"key\":\"ib0\"}]}\n"})
    EXPECT_EQ(without_secrets(text), text);
}

TEST(Secrets, OfLinesBesideAnEntry) {
  const EntryState entry{"8", "threads=8", "password=hush", "psk=hush"};
  const auto safe = without_secrets(State(entry_kind, entry)).as<EntryState>();
  EXPECT_EQ(safe.line, "threads=8");
  EXPECT_EQ(safe.before, "password=(a secret, not shown)");
  EXPECT_EQ(safe.after, "psk=(a secret, not shown)");
}

TEST(Secrets, OfAGroupItsPassword) {
  GroupState group;
  group.line = "rdma:hush:990:ada";
  EXPECT_EQ(without_secrets(State(group_kind, group)).as<GroupState>().line, "rdma:x:990:ada");
}

TEST(Secrets, OfAStateTheBytesAlone) {
  FileState file = regular_file("psk=hush\n", 0600);
  file.xattrs.emplace("user.note", Bytes{"kept"});
  FileState safe = file;
  safe.content = Bytes{"psk=(a secret, not shown)\n"};
  EXPECT_EQ(without_secrets(State(file_kind, file)).as<FileState>(), safe);
  EXPECT_FALSE(without_secrets(std::optional<State>()));
}

}  // namespace
}  // namespace rdmastate
