// SPDX-License-Identifier: Apache-2.0
// The kind of device nodes' permissions.
#include <gtest/gtest.h>

#include "resources/device_nodes.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string spec = "version: 1\npermissions: {umad: {group: daemon}}\n";

FileContent node(std::uint32_t mode, std::uint32_t gid) { return {{FileType::other, mode, 0, gid}, "", {}}; }

HostModel with_nodes() {
  HostModel model = guide_model();
  model.files["/dev/infiniband/umad0"] = node(0600, 0);
  model.files["/dev/infiniband/umad10"] = node(0640, 7);
  model.files["/dev/infiniband/issm0"] = node(0600, 0);
  model.files["/dev/infiniband/umad"] = node(0600, 0);
  add_parents(model.files);
  return model;
}

FileMeta meta(RecordedHost& host, const std::string& name) {
  return host.model().files.at("/dev/infiniband/" + name).meta;
}

TEST(DeviceNodes, ThatAreThereAreGivenToTheGroup) {
  RecordedHost host(with_nodes());
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(meta(host, "umad0"), (FileMeta{FileType::other, 0660, 0, 1}));
  EXPECT_EQ(meta(host, "umad10"), (FileMeta{FileType::other, 0660, 0, 1}));
  EXPECT_EQ(meta(host, "issm0"), (FileMeta{FileType::other, 0600, 0, 0})) << "of another class";
  EXPECT_EQ(meta(host, "umad"), (FileMeta{FileType::other, 0600, 0, 0})) << "no node of that class";
  const std::size_t moves = host.moves();
  EXPECT_TRUE(plan_spec(host, spec).is_empty());
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(host.moves(), moves) << "the second apply is silent";
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(meta(host, "umad0"), (FileMeta{FileType::other, 0600, 0, 0}));
  EXPECT_EQ(meta(host, "umad10"), (FileMeta{FileType::other, 0640, 0, 7})) << "each as it was";
}

TEST(DeviceNodes, AreLeftAsTheyAreWhenReleased) {
  RecordedHost host(with_nodes());
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  EXPECT_EQ(meta(host, "umad0"), (FileMeta{FileType::other, 0660, 0, 1}));
}

TEST(DeviceNodes, ThatWentWithTheirAdapterDoNotStopAnUndo) {
  RecordedHost host(with_nodes());
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  host.model().files.erase("/dev/infiniband/umad10");
  Host doors = host.host();
  rollback(doors, true, deaf());
  EXPECT_EQ(meta(host, "umad0"), (FileMeta{FileType::other, 0600, 0, 0}));
}

TEST(DeviceNodes, AccessIsReadAsItIsPrinted) {
  NodeAccess access;
  EXPECT_FALSE(Text<NodeAccess>::read({"0660 0:105", true}, access));
  EXPECT_EQ(access, (NodeAccess{{0660}, 0, 105}));
  EXPECT_EQ(to_text(access), "0660 0:105");
  for (const char* wrong : {"", "0660", "0660 0", "0660 a:1", "0:1 0660", "9 0:1"})
    EXPECT_TRUE(Text<NodeAccess>::read({wrong, true}, access)) << wrong;
}

}  // namespace
}  // namespace rdmastate
