// SPDX-License-Identifier: Apache-2.0
// Which family a distribution belongs to, and what its release came with.
#include <gtest/gtest.h>

#include "platform/platform.hpp"

namespace rdmastate {
namespace {

Platform of(const std::string& id, const std::string& version, const std::string& like = {}) {
  Facts facts;
  facts.distribution = id;
  facts.version = version;
  facts.distribution_like = like;
  return platform_of(facts);
}

TEST(Platform, FamiliesByIdAndByWhatItIsLike) {
  EXPECT_EQ(of("debian", "12").family, DistroFamily::debian);
  EXPECT_EQ(of("rhel", "9.4").family, DistroFamily::rhel);
  EXPECT_EQ(of("sles", "15.6").family, DistroFamily::suse);
  EXPECT_EQ(of("scientific-thing", "9", "rhel centos fedora").family, DistroFamily::rhel);
  EXPECT_EQ(of("mint", "22", "ubuntu debian").family, DistroFamily::debian);
  EXPECT_EQ(of("arch", "").family, DistroFamily::other);
  EXPECT_EQ(of("", "").family, DistroFamily::other);
}

TEST(Platform, VersionsOfTheRelease) {
  EXPECT_EQ(of("debian", "11").versions.nfs_utils, (Version{1, 3, 4}));
  EXPECT_EQ(of("debian", "12").versions.systemd, (Version{252}));
  EXPECT_EQ(of("rhel", "8.10").versions.nfs_utils, (Version{2, 3, 3}));
  EXPECT_EQ(of("rocky", "9.4", "rhel centos fedora").versions.systemd, (Version{252}));
  EXPECT_EQ(of("opensuse-leap", "15.6", "suse opensuse").versions.systemd, (Version{249}));
  EXPECT_LT(of("ubuntu", "22.04", "debian").versions.networkmanager, (Version{1, 42}));
  EXPECT_EQ(of("rhel", "9.4").release, 9U);
}

TEST(Platform, WhatTheTableDoesNotHave) {
  EXPECT_EQ(of("debian", "14").versions.systemd, of("debian", "13").versions.systemd);  // the nearest before it
  EXPECT_EQ(of("debian", "10").versions.systemd, of("debian", "11").versions.systemd);  // the oldest there is
  EXPECT_EQ(of("debian", "").versions.systemd, of("arch", "").versions.systemd);        // sid has no number
  EXPECT_EQ(of("fedora", "43").versions.nfs_utils, of("arch", "").versions.nfs_utils);
}

TEST(Platform, AReleaseAfterTheTableMayHaveTheNewestPrograms) {
  EXPECT_EQ(of("ubuntu", "25.04").versions.systemd, (Version{255}));
  EXPECT_EQ(of("ubuntu", "25.04").at_most.systemd, of("arch", "").versions.systemd);
  EXPECT_EQ(of("ubuntu", "24.04").at_most.systemd, (Version{255}));
  EXPECT_EQ(of("rhel", "9.6").at_most.systemd, (Version{252}));
  EXPECT_EQ(of("debian", "10").at_most.systemd, (Version{247}));
  Facts facts;
  facts.distribution = "ubuntu";
  facts.version = "25.04";
  facts.versions = {{"systemd", "255.4"}};
  EXPECT_EQ(platform_of(facts).at_most.systemd, (Version{255, 4}));
}

TEST(Platform, MinorReleasesOfRhelHaveNetworkManagersOfTheirOwn) {
  for (const char* older : {"8.6", "9.0", "8", "9"})
    EXPECT_LT(of("rhel", older).versions.networkmanager, (Version{1, 40})) << older;
  for (const char* newer : {"8.7", "8.10", "9.2", "9.4", "10.0"})
    EXPECT_GE(of("rhel", newer).versions.networkmanager, (Version{1, 40})) << newer;
}

TEST(Platform, WhatIsOlderThanTheTableIsNamed) {
  const auto why = [](const std::string& id, const std::string& version) {
    Facts facts;
    facts.distribution = id;
    facts.version = version;
    facts.pretty_name = "this release";
    return why_too_old(facts);
  };
  EXPECT_EQ(why("centos", "7"), "this release is older than any release that rdmastate knows: rhel 8 is the first");
  EXPECT_EQ(why("debian", "10"), "this release is older than any release that rdmastate knows: debian 11 is the first");
  EXPECT_NE(why("ubuntu", "18.04"), "");
  for (const auto& [id, version] :
       {std::pair("rhel", "8.0"), std::pair("debian", "11"), std::pair("debian", ""), std::pair("fedora", "5"),
        std::pair("amzn", "2"), std::pair("opensuse-leap", "15.6"), std::pair("opensuse-tumbleweed", "20240101")})
    EXPECT_EQ(why(id, version), "") << id;
}

TEST(Platform, FactsKnowBetter) {
  Facts facts;
  facts.distribution = "debian";
  facts.version = "12";
  facts.versions = {{"systemd", "254.5-1~bpo12+1"}, {"nfs-utils", "2.4"}};
  EXPECT_EQ(platform_of(facts).versions.systemd, (Version{254, 5}));
  EXPECT_EQ(platform_of(facts).versions.nfs_utils, (Version{2, 4}));
  EXPECT_EQ(platform_of(facts).versions.networkmanager, (Version{1, 42}));
}

TEST(Platform, NumbersOfAVersion) {
  EXPECT_EQ(version_from("1.42.4-1"), (Version{1, 42, 4}));
  EXPECT_EQ(version_from("252"), (Version{252}));
  EXPECT_EQ(version_from("x"), Version{});
  EXPECT_LT(version_from("2.3.3"), version_from("2.4.2"));
}

}  // namespace
}  // namespace rdmastate
