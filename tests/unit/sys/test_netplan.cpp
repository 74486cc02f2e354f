// SPDX-License-Identifier: Apache-2.0
// The live host's netplan: it runs on a copy of netplan's files, and nothing of the host hears of it.
#include "sys/netplan.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "sys/files.hpp"
#include "sys/root.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

using Words = std::vector<std::string>;

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

class NetplanTest : public testing::Test {
 protected:
  NetplanTest() { write(directory.path() / "etc/netplan/01-site.yaml", "network: {}\n"); }
  GeneratedFiles generated(ProgramNetplan::Run run) {
    return ProgramNetplan(files, std::move(run), copies.path()).generated();
  }
  TemporaryDirectory directory;
  TemporaryDirectory copies;
  Root root{directory.path()};
  RootFiles files{root};
};

TEST_F(NetplanTest, GeneratesOfACopy) {
  const GeneratedFiles all = generated([&](const Words& words, auto, const Words&) {
    EXPECT_EQ((Words{words[0], words[1], words[2]}), (Words{"/usr/sbin/netplan", "generate", "--root-dir"}));
    const std::filesystem::path copy = words.at(3);
    EXPECT_TRUE(std::filesystem::exists(copy / "etc/netplan/01-site.yaml"));
    write(copy / "run/systemd/network/10-netplan-ib0.network", "[Match]\n");
    write(copy / "run/systemd/network/other.network", "[Match]\n");
    return Ended{0};
  });
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.at(netplan_network_path("ib0")).bytes, "[Match]\n");
  EXPECT_TRUE(std::filesystem::is_empty(copies.path()));
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "run"));
}

// The reload of systemd at the end of netplan's `generate` runs netplan's generator on the host's files, whatever is
// the root of the former.
TEST_F(NetplanTest, ReloadsNoSystemd) {
  Words given;
  generated([&](const Words&, auto, const Words& settings) {
    given = settings;
    return Ended{0};
  });
  EXPECT_EQ(given, Words{"SYSTEMD_OFFLINE=1"});
}

TEST_F(NetplanTest, WhatItRefusesIsSaid) {
  const auto refuse = [](const Words&, auto, const Words&) {
    return Ended{1 << 8, "01-site.yaml:3:1: Invalid YAML\n"};
  };
  try {
    generated(refuse);
    FAIL() << "it generated";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "netplan generate ended with 1; it said: 01-site.yaml:3:1: Invalid YAML");
  }
}

}  // namespace
}  // namespace rdmastate
