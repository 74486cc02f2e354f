// SPDX-License-Identifier: Apache-2.0
#include "initrds_contract.hpp"

#include "base/error.hpp"

namespace rdmastate {
namespace {

const std::string path = "/etc/modprobe.d/rdmastate-contract.conf";
const FileContent options{{FileType::regular, 0644, 0, 0}, "options ib_ipoib debug_level=1\n", {}};

}  // namespace

void InitrdsContract::SetUp() {
  if (bed->release().empty()) GTEST_SKIP() << "no kernel of this host has an image";
}

void InitrdsContract::TearDown() {
  if (host.files.meta(path)) host.files.remove(path);
}

TEST_P(InitrdsContract, ANewImageHoldsWhatIsOnTheDiskAndNoMore) {
  const auto before = host.files.stamp(bed->image());
  host.files.replace(path, options);
  const auto written = host.files.stamp(path);
  EXPECT_EQ(bed->held(path), std::nullopt);
  ASSERT_TRUE(before && written);
  EXPECT_GT(written->modified, before->modified);
  rebuild();
  const auto after = host.files.stamp(bed->image());
  ASSERT_TRUE(after);
  EXPECT_GT(after->modified, written->modified);
  EXPECT_EQ(bed->held(path), options.bytes);
  host.files.remove(path);
  EXPECT_EQ(bed->held(path), options.bytes);
  EXPECT_EQ(host.files.stamp(bed->image()), after);
  rebuild();
  EXPECT_EQ(bed->held(path), std::nullopt);
}

TEST_P(InitrdsContract, AProgramThatIsNotThereChangesNothing) {
  const auto other = bed->program() == InitrdProgram::dracut ? InitrdProgram::update_initramfs : InitrdProgram::dracut;
  const auto before = host.files.stamp(bed->image());
  EXPECT_THROW(host.initrds->rebuild(other, bed->release(), bed->image()), Error);
  EXPECT_EQ(host.files.stamp(bed->image()), before);
}

TEST_P(InitrdsContract, AFailureLeavesTheOldImage) {
  const auto before = host.files.stamp(bed->image());
  EXPECT_THROW(host.initrds->rebuild(bed->program(), "0.0-nobody", bed->image()), Error);
  EXPECT_EQ(host.files.stamp(bed->image()), before);
}

TEST_P(InitrdsContract, AnImageThatIsNotThereIsNotMade) {
  const std::string nobodys = bed->image() + "-nobody";
  EXPECT_THROW(host.initrds->rebuild(bed->program(), bed->release(), nobodys), Error);
  EXPECT_FALSE(host.files.meta(nobodys));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(InitrdsContract);

}  // namespace rdmastate
