// SPDX-License-Identifier: Apache-2.0
// Paths beneath a root: links, `..`, and what leads out.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "sys/clock.hpp"
#include "sys/modules.hpp"
#include "sys/rdma.hpp"
#include "sys/run_lock.hpp"
#include "sys/tree_host.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

namespace fs = std::filesystem;

class RootTest : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& bytes) {
    fs::create_directories(directory.path() / fs::path(path).parent_path());
    std::ofstream(directory.path() / path) << bytes;
  }
  TemporaryDirectory directory;
  Root root{directory.path()};
};

TEST_F(RootTest, LinksEndInside) {
  put("etc/passwd", "inside");
  fs::create_symlink("../../../../../../etc/passwd", directory.path() / "etc/up");
  fs::create_symlink("/etc/passwd", directory.path() / "etc/absolute");
  for (const char* path : {"/etc/up", "/etc/absolute", "/../etc/passwd", "/etc/../../etc/passwd"})
    EXPECT_EQ(root.read(path, 100), "inside") << path;
}

TEST_F(RootTest, FailuresNameThePathInTheTree) {
  fs::create_symlink("loop", directory.path() / "loop");
  try {
    root.read("/loop", 100);
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_EQ(error.number(), ELOOP);
    EXPECT_NE(std::string(error.what()).find(directory.path().string() + "/loop"), std::string::npos) << error.what();
  }
}

TEST_F(RootTest, ReadsNothingButRegularFiles) {
  ASSERT_EQ(::mkfifo((directory.path() / "fifo").c_str(), 0600), 0);
  EXPECT_THROW(root.read("/fifo", 100), SystemError);
  EXPECT_EQ(root.read("/", 100), std::nullopt);
  put("big", std::string(101, 'x'));
  EXPECT_THROW(root.read("/big", 100), SystemError);
}

TEST_F(RootTest, WhatIsMaskedIsNotThere) {
  const Root live{"/"};
  fs::create_symlink("/dev/null", directory.path() / "tmp.mount");
  const std::string path = directory.path().string() + "/tmp.mount";
  EXPECT_EQ(live.read(path, 100), std::nullopt);
  EXPECT_EQ(live.read_link(path), "/dev/null");
  fs::create_symlink("/dev/zero", directory.path() / "zero");
  EXPECT_THROW(live.read(directory.path().string() + "/zero", 100), SystemError);
}

TEST_F(RootTest, AttributesKeepNoTail) {
  put("sys/attribute", "a long old value\n");
  root.write_attribute("/sys/attribute", "0\n");
  EXPECT_EQ(root.read("/sys/attribute", 100), "0\n");
  EXPECT_THROW(root.write_attribute("/sys/none", "0\n"), SystemError);
}

TEST(Live, ProcAndSysAreReadToTheirEnd) {
  const Root live("/");
  EXPECT_TRUE(live.is_live());
  EXPECT_FALSE(live.read("/proc/self/status", 1 << 20).value().empty());
  EXPECT_GT(live.read("/proc/kallsyms", 64 << 20).value_or(std::string(40000, ' ')).size(), 32768U);  // many reads
  EXPECT_EQ(live.read("/sys/class/net/lo/type", 100), "772\n");
}

TEST_F(RootTest, OneRunAtATime) {
  fs::create_directories(directory.path() / "run");
  auto first = RunLock::try_acquire(root, RunLock::Purpose::person);
  EXPECT_TRUE(first);
  EXPECT_TRUE(fs::is_empty(directory.path() / "run"));  // an image gets no lock file
  EXPECT_FALSE(RunLock::try_acquire(root, RunLock::Purpose::person));
  first.reset();
  EXPECT_TRUE(RunLock::try_acquire(root, RunLock::Purpose::person));
}

TEST_F(RootTest, ATreeIsLockedAtItsRoot) {
  EXPECT_EQ(RunLock::holder(root).process, "");
  const auto first = RunLock::try_acquire(root, RunLock::Purpose::person);
  EXPECT_TRUE(first);
  EXPECT_FALSE(RunLock::try_acquire(root, RunLock::Purpose::person));
  EXPECT_EQ(RunLock::holder(root).process, std::to_string(::getpid()));
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

TEST_F(RootTest, ATreeHostHasFilesAndAClockOnly) {
  put("etc/hostname", "guide");
  TreeHost tree(directory.path().string() + "/");
  EXPECT_TRUE(tree.host.is_tree());
  EXPECT_EQ(tree.host.description, "tree at " + directory.path().string());
  EXPECT_EQ(tree.host.files.read("/etc/hostname"), "guide");
  EXPECT_THROW(TreeHost(""), Error);
  EXPECT_THROW(TreeHost("/no/such/tree"), SystemError);
}

TEST(SystemClock, TicksAcrossASleep) {
  SystemClock clock;
  const auto before = clock.ticks();
  clock.sleep(std::chrono::milliseconds(5));
  EXPECT_GE((clock.ticks() - before).count(), 5);
  EXPECT_GT(clock.now(), 1'600'000'000);
}

TEST_F(RootTest, ReadsAnRdmaDevice) {
  const std::string pci = "sys/devices/pci0000:00/0000:3b:00.0/";
  const std::string device = pci + "infiniband/mlx4_0/";
  const std::string port = device + "ports/1/";
  put(device + "node_guid", "f452:1403:007b:cba0\n");
  put(device + "sys_image_guid", "f452:1403:007b:cba3\n");
  put(device + "board_id", "MT_1090110018\n");
  put(device + "fw_ver", "2.30.8000\n");
  put(port + "gids/0", "fe80:0000:0000:0000:f452:1403:007b:cba1\n");
  put(port + "link_layer", "InfiniBand\n");
  put(port + "state", "4: ACTIVE\n");
  put(port + "phys_state", "5: LinkUp\n");
  put(port + "lid", "0x1f\n");
  put(port + "sm_lid", "0x1\n");
  put(port + "rate", "56 Gb/sec (4X FDR)\n");
  for (int i = 0; i < 128; ++i)
    put(port + "pkeys/" + std::to_string(i), i == 0 ? "0xffff\n" : i == 40 ? "0x0001\n" : "0x0000\n");
  put("sys/bus/pci/drivers/mlx4_core/uevent", "");
  fs::create_directories(directory.path() / "sys/class/infiniband");
  fs::create_symlink("../../devices/pci0000:00/0000:3b:00.0/infiniband/mlx4_0",
                     directory.path() / "sys/class/infiniband/mlx4_0");
  fs::create_symlink("../../../0000:3b:00.0", directory.path() / (device + "device"));
  fs::create_symlink("../../../bus/pci/drivers/mlx4_core", directory.path() / (pci + "driver"));
  const RdmaPort wanted_port{.number = 1,
                             .guid = {0xf4521403007bcba1},
                             .link_layer = LinkLayer::infiniband,
                             .state = 4,
                             .phys_state = 5,
                             .lid = 0x1f,
                             .sm_lid = 1,
                             .rate = "56 Gb/sec (4X FDR)",
                             .pkeys = {0xffff, 0x0001}};
  const RdmaDevice wanted{.name = "mlx4_0",
                          .node_guid = {0xf4521403007bcba0},
                          .sys_image_guid = {0xf4521403007bcba3},
                          .pci = "0000:3b:00.0",
                          .driver = "mlx4_core",
                          .board_id = "MT_1090110018",
                          .firmware = "2.30.8000",
                          .ports = {wanted_port}};
  EXPECT_EQ(KernelRdma(root).devices(), std::vector{wanted});
}

// drivers/pci/iov.c: virtfn0 leads there, physfn back.
TEST_F(RootTest, AVirtualFunctionHasALinkToItsPhysicalOne) {
  for (const char* function : {"0000:3b:00.0", "0000:3b:00.1"}) {
    const std::string name = function[11] == '0' ? "mlx5_0" : "mlx5_1";
    put(std::string("sys/devices/") + function + "/infiniband/" + name + "/node_guid", "f452:1403:007b:cba0\n");
    fs::create_directories(directory.path() / "sys/class/infiniband");
    fs::create_symlink(std::string("../../devices/") + function + "/infiniband/" + name,
                       directory.path() / "sys/class/infiniband" / name);
    fs::create_symlink(std::string("../../../") + function,
                       directory.path() / "sys/devices" / function / "infiniband" / name / "device");
  }
  fs::create_symlink("../0000:3b:00.1", directory.path() / "sys/devices/0000:3b:00.0/virtfn0");
  fs::create_symlink("../0000:3b:00.0", directory.path() / "sys/devices/0000:3b:00.1/physfn");
  const auto devices = KernelRdma(root).devices();
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_FALSE(devices[0].is_virtual);
  EXPECT_TRUE(devices[1].is_virtual);
}

// rxe's own attribute, and siw's node_type, which an iWARP adapter of a PCI function has too.
TEST_F(RootTest, SysfsTellsASoftDevice) {
  const std::string all = "sys/class/infiniband/";
  put(all + "rxe0/node_type", "1: CA\n");
  put(all + "rxe0/parent", "eth0\n");
  put(all + "siw0/node_type", "4: RNIC\n");
  put(all + "mlx5_0/node_type", "1: CA\n");
  put(all + "irdma0/node_type", "4: RNIC\n");
  fs::create_symlink("../../../0000:3b:00.0", directory.path() / (all + "irdma0/device"));
  EXPECT_EQ(soft_type_in_sysfs(root, "rxe0"), SoftType::rxe);
  EXPECT_EQ(soft_type_in_sysfs(root, "siw0"), SoftType::siw);
  for (const char* other : {"mlx5_0", "irdma0", "gone"})
    EXPECT_EQ(soft_type_in_sysfs(root, other), std::nullopt) << other;
}

TEST_F(RootTest, WithoutIbCoreThereAreNoDevices) { EXPECT_TRUE(KernelRdma(root).devices().empty()); }

TEST_F(RootTest, SysModuleSaysWhatIsLoaded) {
  put("sys/module/ib_ipoib/initstate", "live\n");
  put("sys/module/ib_ipoib/refcnt", "2\n");
  put("sys/module/ib_umad/initstate", "coming\n");
  put("sys/module/kernel/parameters/panic", "0\n");
  KmodModules modules(root);
  EXPECT_EQ(modules.status({"ib_ipoib"}), ModuleStatus::loaded);
  EXPECT_EQ(modules.status({"ib_umad"}), ModuleStatus::loadable);
  EXPECT_EQ(modules.status({"kernel"}), ModuleStatus::builtin);
  EXPECT_EQ(modules.users({"ib_ipoib"}), 2U);
  EXPECT_EQ(modules.users({"rds"}), 0U);
}

TEST_F(RootTest, LibkmodKnowsTheRest) {
  KmodModules modules(root);
  EXPECT_EQ(modules.status({"no_such_module"}), ModuleStatus::missing);
  try {
    modules.load({"no_such_module"});
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_EQ(error.number(), ENOENT);
  }
}

}  // namespace
}  // namespace rdmastate
