// SPDX-License-Identifier: Apache-2.0
// Which parts a spec names, by its field tables, and which packages they need.
#include <gtest/gtest.h>

#include "platform/packages.hpp"
#include "sections/named.hpp"
#include "spec/load.hpp"

namespace rdmastate {
namespace {

Spec spec_of(const std::string& text) {
  Report report;
  auto loaded = load_spec("spec.yaml", text, report);
  EXPECT_FALSE(report.failed()) << render(report, false);
  return loaded ? std::move(loaded->spec) : Spec();
}

constexpr const char* soft = R"(version: 1
network: {backend: none}
soft_devices: [{name: siw0, type: siw, netdev: lo}, {name: rxe0, type: rxe, netdev: eth0}]
devices: [{match: {pci: "0000:3b:00.0"}, ports: {2: {roce: {tos: 106}}}}]
)";

TEST(NamedParts, AreSectionsFieldsAndValues) {
  const Spec spec = spec_of(soft);
  for (const char* part :
       {"soft_devices", "soft_devices.type", "soft_devices.type=rxe", "soft_devices.type=siw", "devices",
        "devices.match.pci", "devices.ports.roce.tos", "devices.ports.roce.tos=106", "network.backend=none"})
    EXPECT_TRUE(names_part(spec, part)) << part;
  for (const char* part :
       {"ipoib", "modules", "soft_devices.type=rxf", "devices.ports.qos", "devices.ports.roce.tos=10",
        "network.backend=networkd", "network.backend.none", "no_such_section", "nfs.no_such_field", ""})
    EXPECT_FALSE(names_part(spec, part)) << part;
}

TEST(NamedParts, AListWithoutElementsSaysNothing) {
  EXPECT_FALSE(names_part(spec_of("version: 1\nipoib: []\nsoft_devices: []\n"), "ipoib"));
}

std::vector<std::string> names(const std::vector<Package>& packages) {
  std::vector<std::string> all;
  for (const auto& one : packages) all.push_back(one.name);
  return all;
}

TEST(Packages, OneThatTwoPartsNeedStandsOnceForBoth) {
  const auto packages =
      packages_for(PackageNames::rhel, "", [](std::string_view part) { return part.starts_with("nfs."); });
  ASSERT_EQ(names(packages), (std::vector<std::string>{"nfs-utils", "firewalld"}));
  EXPECT_EQ(packages[0].needed_for, (std::vector<std::string>{"nfs.client", "nfs.server"}));
  EXPECT_EQ(packages[0].why, "mounts NFS, serves NFS");
}

TEST(Packages, OfSectionsEverywhere) {
  const auto only = [](std::string_view wanted) { return [=](std::string_view part) { return part == wanted; }; };
  for (const auto distribution : {PackageNames::debian, PackageNames::ubuntu, PackageNames::rhel, PackageNames::suse})
    EXPECT_EQ(names(packages_for(distribution, "", only("subnet_manager"))), std::vector<std::string>{"opensm"});
  EXPECT_EQ(names(packages_for(PackageNames::suse, "", only("nfs.client"))), std::vector<std::string>{"nfs-client"});
  EXPECT_EQ(names(packages_for(PackageNames::debian, "", only("nfs.server"))),
            std::vector<std::string>{"nfs-kernel-server"});
  EXPECT_EQ(names(packages_for(PackageNames::rhel, "", only("network.backend=netplan"))), std::vector<std::string>{});
}

TEST(Packages, FirmwareGoesByTheDriverThatLoadsIt) {
  const auto of = [](PackageNames distribution, std::string_view driver) {
    return names(firmware_for(distribution, driver));
  };
  const std::vector<std::string> none;
  for (const auto distribution : {PackageNames::debian, PackageNames::ubuntu, PackageNames::rhel, PackageNames::suse})
    for (const char* driver : {"mlx5_core", "mlx4_core", "bnxt_en", "i40e", "", "hfi"})
      EXPECT_EQ(of(distribution, driver), none) << driver;
  for (const char* driver : {"hfi1", "ice", "cxgb4", "qede", "ib_qib"}) {
    EXPECT_EQ(of(PackageNames::rhel, driver), std::vector<std::string>{"linux-firmware"}) << driver;
    EXPECT_EQ(of(PackageNames::ubuntu, driver), std::vector<std::string>{"linux-firmware"}) << driver;
  }
  EXPECT_EQ(of(PackageNames::debian, "ice"), std::vector<std::string>{"firmware-misc-nonfree"});
  EXPECT_EQ(of(PackageNames::debian, "qede"), std::vector<std::string>{"firmware-qlogic"});
  EXPECT_EQ(of(PackageNames::suse, "hfi1"), std::vector<std::string>{"kernel-firmware-intel"});
  EXPECT_EQ(of(PackageNames::suse, "ice"), std::vector<std::string>{"kernel-firmware-network"});
}

TEST(Packages, ToolsAreNamedOnlyWhenAskedFor) {
  const auto all = [](std::string_view) { return true; };
  for (const auto& one : packages_for(PackageNames::debian, "", all)) EXPECT_FALSE(one.is_tool) << one.name;
  const auto with = names(packages_for(PackageNames::debian, "", all, true));
  for (const char* tool : {"ibverbs-utils", "infiniband-diags"})
    EXPECT_NE(std::find(with.begin(), with.end(), tool), with.end()) << tool;
}

TEST(Packages, TheKernelSaysArchitectureAndModules) {
  const auto kernel = [](PackageNames distribution, std::string_view release) {
    return names(packages_for(distribution, release, [](std::string_view part) { return part == "ipoib"; })).back();
  };
  EXPECT_EQ(kernel(PackageNames::debian, ""), "linux-image-amd64");
  EXPECT_EQ(kernel(PackageNames::debian, "6.1.0-28-cloud-arm64"), "linux-image-arm64");
  EXPECT_EQ(kernel(PackageNames::debian, "6.9.3-mine"), "linux-image-amd64");
  EXPECT_EQ(kernel(PackageNames::debian, "6.9.3"), "linux-image-amd64");
  EXPECT_EQ(kernel(PackageNames::ubuntu, "6.8.0-31-generic"), "linux-modules-extra-6.8.0-31-generic");
  EXPECT_EQ(kernel(PackageNames::ubuntu, ""), "linux-image-generic");
}

// A part is a section of the spec, of this version or one that it says comes later: a misspelt one would need nothing.
TEST(Packages, EveryPartIsASection) {
  const Record& spec = record_of<Spec>();
  for (const auto part : parts_with_packages()) {
    const std::string_view section = part.substr(0, part.find('.'));
    const bool later = std::find(spec.later.begin(), spec.later.end(), section) != spec.later.end();
    EXPECT_TRUE(later || spec.find(section) != nullptr) << part;
  }
}

}  // namespace
}  // namespace rdmastate
