// SPDX-License-Identifier: Apache-2.0
// Which files interfaces(5) includes.
#include <gtest/gtest.h>
#include "host/file_owners.hpp"

namespace rdmastate {
namespace {

constexpr const char* ours = "/etc/network/interfaces.d/rdmastate";

bool includes_ours(std::string_view text) { return includes_file(ifupdown_includes(text), ours); }

TEST(FileOwners, WhatInterfacesIncludes) {
  for (const char* line : {"source /etc/network/interfaces.d/*", "  source interfaces.d/*",
                           "source /etc/network/*/rdmastate", "source-directory /etc/network/interfaces.d",
                           "source-directory interfaces.d/", "source /etc/other/* /etc/network/interfaces.d/rdma*"})
    EXPECT_TRUE(includes_ours(std::string("auto lo\n") + line + "\niface lo inet loopback\n")) << line;
}

TEST(FileOwners, WhatInterfacesDoesNotInclude) {
  for (const char* line : {"#source /etc/network/interfaces.d/*", "source /etc/network/interfaces.d/*.cfg", "source",
                           "source /etc/network/*", "source-directory /etc/network",
                           "sources /etc/network/interfaces.d/*", "iface source inet manual"})
    EXPECT_FALSE(includes_ours(std::string(line) + "\n")) << line;
}

TEST(FileOwners, SourceDirectoryTakesPlainNamesOnly) {
  const auto lines = ifupdown_includes("source-directory /etc/network/interfaces.d\n");
  EXPECT_TRUE(includes_file(lines, "/etc/network/interfaces.d/a-b_C9"));
  EXPECT_FALSE(includes_file(lines, "/etc/network/interfaces.d/rdmastate.conf"));
}

TEST(FileOwners, NetplansRendererForAllInterfaces) {
  EXPECT_EQ(netplan_renderer("network:\n  version: 2\n  renderer: NetworkManager\n"), "NetworkManager");
  EXPECT_EQ(netplan_renderer("# x\nnetwork:\n    renderer:   \"networkd\"  # y\n    version: 2\n"), "networkd");
  EXPECT_EQ(netplan_renderer("network: {version: 2, renderer: NetworkManager}\n"), "NetworkManager");
  EXPECT_EQ(netplan_renderer("network: {version: 2,\n  renderer: NetworkManager}\n"), "NetworkManager");
  EXPECT_EQ(netplan_renderer("network: {\n"), "");
}

TEST(FileOwners, ARendererOfOneInterfaceIsNotThatOfAll) {
  EXPECT_EQ(netplan_renderer("network:\n  ethernets:\n    eth0:\n      renderer: NetworkManager\n"), "");
  EXPECT_EQ(netplan_renderer("other:\n  renderer: NetworkManager\nnetwork:\n  version: 2\n"), "");
  EXPECT_EQ(netplan_renderer("network:\n  version: 2\n# renderer: NetworkManager\n"), "");
}

}  // namespace
}  // namespace rdmastate
