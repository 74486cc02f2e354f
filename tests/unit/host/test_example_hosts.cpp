// SPDX-License-Identifier: Apache-2.0
// Every host in examples/hosts reads, is written back byte for byte, and the guide's shows what the guide
// prints.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "recorded_hosts.hpp"

namespace rdmastate {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

const std::filesystem::path hosts = RDMASTATE_EXAMPLE_HOSTS;

TEST(ExampleHosts, AreWrittenAsTheyAreRead) {
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(hosts)) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = bytes_of(entry.path());
    EXPECT_EQ(write_host_model(read_host_model(text, entry.path().filename())), text) << entry.path();
    ++seen;
  }
  EXPECT_GT(seen, 0U);
}

TEST(ExampleHosts, TheGuidesAdaptersAreThere) {
  RecordedHost guide = RecordedHost::from_json(bytes_of(hosts / "rhel-guide.json"), "rhel-guide.json");
  const auto devices = guide.host().rdma->devices();
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(to_text(devices[0].node_guid), "0002:c903:0031:78f0");
  EXPECT_EQ(to_text(devices[1].ports[0].guid), "f452:1403:007b:cba1");
  EXPECT_EQ(devices[1].ports[0].pkeys, (std::vector<std::uint32_t>{0xffff, 0x8002}));
  EXPECT_EQ(devices[1].ports[1].link_layer, LinkLayer::ethernet);
}

TEST(ExampleHosts, TheGuidesHostIsOfRhel) {
  RecordedHost guide = RecordedHost::from_json(bytes_of(hosts / "rhel-guide.json"), "rhel-guide.json");
  Host host = guide.host();
  const Facts facts = read_facts(Snapshot(host));
  EXPECT_EQ(facts.distribution, "rhel");
  EXPECT_EQ(facts.version, "9.4");
  ASSERT_EQ(facts.managers.size(), 1U);
  EXPECT_EQ(facts.managers[0].name, "networkmanager");
  EXPECT_TRUE(facts.managers[0].running && facts.managers[0].enabled);
  for (const char* path : {"/etc/rdma/modules/rdma.conf", "/etc/rdma/modules/infiniband.conf", "/etc/rdma/mlx4.conf",
                           "/usr/lib/modprobe.d/libmlx4.conf"})
    EXPECT_TRUE(host.files.read(path)) << path;
  EXPECT_FALSE(host.files.read("/etc/debian_version"));
  EXPECT_EQ(to_text(host.links->find("ib2")->port_guid()), "f452:1403:007b:cba1") << "what the guide calls mlx4_ib0";
}

// Loading ib_ipoib makes ib0 to ib2, and the third is the one that the guide configures.
TEST(ExampleHosts, TheGuidesInterfacesComeWithTheModule) {
  RecordedHost guide = RecordedHost::from_json(bytes_of(hosts / "minimal.json"), "minimal.json");
  Host host = guide.host();
  EXPECT_EQ(host.links->count(), 3U);
  host.modules->load({"ib_ipoib"});
  ASSERT_EQ(host.links->count(), 6U);
  EXPECT_EQ(to_text(host.links->find("ib2")->port_guid()), "f452:1403:007b:cba1");
  EXPECT_EQ(host.modules->status({"ib_cm"}), ModuleStatus::loaded);
  host.links->create({{}, host.links->find("ib2")->index, "ib2.8002", PKey{0x8002}});
  LinkChange up;
  up.up = true;
  host.links->change(*host.links->find("ib2.8002"), up);
  EXPECT_TRUE(host.links->find("ib2.8002")->carrier);
  EXPECT_EQ(host.links->find("ib2.8002")->mtu, 2044U);
}

}  // namespace
}  // namespace rdmastate
