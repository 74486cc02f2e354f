// SPDX-License-Identifier: Apache-2.0
#include "platform/packages.hpp"

#include <algorithm>
#include <array>

namespace rdmastate {
namespace {

// One thing that a package brings, the parts of a spec that need it, and what the package is called; an empty name: it
// is part of every system, or there is none. `parts` and the names hold several words with blanks between them.
// Debian's and Ubuntu's names are apt's, RHEL's and SUSE's those of rdma-core's, opensm's and nfs-utils' own packaging.
struct Need {
  std::string_view why;
  std::string_view parts;
  std::string_view debian;
  std::string_view ubuntu;
  std::string_view rhel;
  std::string_view suse;
  bool by_ofed = false;  // Package::by_ofed
};

constexpr bool in_ofed = true;  // for Need::by_ofed
constexpr std::string_view kernel_parts = "modules devices ipoib soft_devices nfs";

constexpr std::array needs{
    Need{"loads RDMA modules and names devices at boot", "modules rdma devices ipoib soft_devices nfs permissions",
         "rdma-core", "rdma-core", "rdma-core", "rdma-core", in_ofed},
    Need{"the library that programs use RDMA by", "devices soft_devices memlock permissions", "libibverbs1",
         "libibverbs1", "libibverbs", "libibverbs1", in_ofed},
    Need{"the adapters' half of that library", "devices soft_devices memlock permissions", "ibverbs-providers",
         "ibverbs-providers", "", "libibverbs libmlx4-1 libmlx5-1", in_ofed},
    // Debian's cloud kernels are built without InfiniBand. Ubuntu has InfiniBand's modules, rdma_rxe and siw in a
    // package of their own.
    Need{"the kernel with its RDMA modules", kernel_parts, "linux-image-{arch}", "linux-modules-extra-{kernel}",
         "kernel-modules", "kernel-default"},
    Need{"modules that the kernel's own package leaves out", "soft_devices", "", "", "kernel-modules-extra", ""},
    Need{"the subnet manager", "subnet_manager", "opensm", "opensm", "opensm", "opensm", in_ofed},
    Need{"mounts NFS", "nfs.client", "nfs-common", "nfs-common", "nfs-utils", "nfs-client"},
    Need{"serves NFS", "nfs.server", "nfs-kernel-server", "nfs-kernel-server", "nfs-utils", "nfs-kernel-server"},
    Need{"opens the server's port", "nfs.server.firewall", "firewalld", "firewalld", "firewalld", "firewalld"},
    Need{"configures the interfaces", "network.backend=networkmanager", "network-manager", "network-manager",
         "NetworkManager", "NetworkManager"},
    Need{"configures the interfaces", "network.backend=networkd", "systemd", "systemd", "systemd-networkd",
         "systemd-network"},
    Need{"configures the interfaces", "network.backend=netplan", "netplan.io", "netplan.io", "", ""},
    Need{"configures the interfaces", "network.backend=ifupdown", "ifupdown", "ifupdown", "", ""},
    Need{"configures the interfaces", "network.backend=wicked", "", "", "", "wicked"},
    // Of the drivers with RDMA these load files, as `modinfo -F firmware` says of Linux 6.1; no other one does.
    // Debian's by the files of 20230210-5 and 20250410-2, where firmware-misc-nonfree recommends firmware-intel-misc,
    // which has those of Intel since. RHEL's by linux-firmware.spec; Fedora has qed's in qed-firmware. SUSE's by what
    // the packages provide.
    Need{"the firmware that hfi1 loads", "devices.match.driver=hfi1", "firmware-misc-nonfree", "linux-firmware",
         "linux-firmware", "kernel-firmware-intel"},
    Need{"the firmware that ice loads", "devices.match.driver=ice", "firmware-misc-nonfree", "linux-firmware",
         "linux-firmware", "kernel-firmware-network"},
    Need{"the firmware that cxgb4 loads", "devices.match.driver=cxgb4", "firmware-misc-nonfree", "linux-firmware",
         "linux-firmware", "kernel-firmware-chelsio"},
    Need{"the firmware that qede loads", "devices.match.driver=qede", "firmware-qlogic", "linux-firmware",
         "linux-firmware", "kernel-firmware-qlogic"},
    Need{"the firmware that ib_qib loads", "devices.match.driver=ib_qib", "firmware-qlogic", "linux-firmware",
         "linux-firmware", "kernel-firmware-qlogic"},
};

// The tools by which the guides check what was configured. SUSE's iperf is iperf3.
constexpr std::array tools{
    Need{"ibv_devices, ibv_devinfo, ibv_rc_pingpong", "modules devices ipoib soft_devices", "ibverbs-utils",
         "ibverbs-utils", "libibverbs-utils", "libibverbs-utils", in_ofed},
    Need{"ibstat, ibping, sminfo", "modules devices ipoib soft_devices permissions subnet_manager", "infiniband-diags",
         "infiniband-diags", "infiniband-diags", "infiniband-diags", in_ofed},
    Need{"rping, ucmatose", "devices ipoib soft_devices", "rdmacm-utils", "rdmacm-utils", "librdmacm-utils",
         "librdmacm-utils", in_ofed},
    Need{"rdma link, ip address", "devices rdma ipoib soft_devices", "iproute2", "iproute2", "iproute", "iproute2"},
    Need{"iperf3", "ipoib", "iperf3", "iperf3", "iperf3", "iperf"},
    Need{"qperf", "ipoib", "qperf", "qperf", "qperf", "qperf"},
};

std::string_view names_of(const Need& need, PackageNames names) {
  switch (names) {
    case PackageNames::debian:
      return need.debian;
    case PackageNames::ubuntu:
      return need.ubuntu;
    case PackageNames::rhel:
      return need.rhel;
    case PackageNames::suse:
      break;
  }
  return need.suse;
}

template <class Each>
void each_word(std::string_view words, Each&& each) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    each(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

// "6.1.0-28-cloud-amd64" and "6.1.0-28-amd64" are both of amd64. A self-built kernel may end in anything, and counts as
// amd64.
std::string_view architecture(std::string_view kernel) {
  constexpr std::string_view common = "amd64";
  constexpr std::array others{"arm64", "ppc64el", "s390x", "riscv64", "mips64el", "loong64"};
  const std::string_view last = kernel.substr(std::min(kernel.rfind('-') + 1, kernel.size()));
  return std::find(others.begin(), others.end(), last) == others.end() ? common : last;
}

// The package's name with {arch} or {kernel} at its end replaced.
std::string filled(std::string_view name, std::string_view kernel) {
  constexpr std::string_view arch_mark = "{arch}";
  constexpr std::string_view kernel_mark = "{kernel}";
  const auto without = [&](std::string_view mark) { return std::string(name.substr(0, name.size() - mark.size())); };
  if (name.ends_with(arch_mark)) return without(arch_mark).append(architecture(kernel));
  if (!name.ends_with(kernel_mark)) return std::string(name);
  // Where no kernel runs: the package that keeps a kernel and all its modules installed.
  return kernel.empty() ? "linux-image-generic" : without(kernel_mark).append(kernel);
}

// A package that two needs name (nfs-utils) is listed once, with the reasons and parts of both.
void add(std::vector<Package>& packages, Package package) {
  const auto found =
      std::find_if(packages.begin(), packages.end(), [&](const Package& p) { return p.name == package.name; });
  if (found == packages.end()) return packages.push_back(std::move(package));
  if (found->why.find(package.why) == std::string::npos) found->why += ", " + package.why;
  for (auto& part : package.needed_for)
    if (std::find(found->needed_for.begin(), found->needed_for.end(), part) == found->needed_for.end())
      found->needed_for.push_back(std::move(part));
}

}  // namespace

std::optional<PackageNames> package_names(const Facts& facts) {
  switch (platform_of(facts).family) {
    case DistroFamily::debian: {
      const bool is_ubuntu =
          facts.distribution == "ubuntu" || facts.distribution_like.find("ubuntu") != std::string::npos;
      return is_ubuntu ? PackageNames::ubuntu : PackageNames::debian;
    }
    case DistroFamily::rhel:
      return PackageNames::rhel;
    case DistroFamily::suse:
      return PackageNames::suse;
    case DistroFamily::other:
      break;
  }
  return std::nullopt;
}

std::vector<Package> packages_for(PackageNames names, std::string_view kernel,
                                  const std::function<bool(std::string_view)>& is_named, bool with_tools) {
  std::vector<Package> packages;
  const auto add_for = [&](const Need& need, bool is_tool) {
    std::vector<std::string> parts;
    each_word(need.parts, [&](std::string_view part) {
      if (is_named(part)) parts.emplace_back(part);
    });
    if (parts.empty()) return;
    each_word(names_of(need, names), [&](std::string_view name) {
      add(packages, {filled(name, kernel), parts, std::string(need.why), need.by_ofed, is_tool});
    });
  };
  for (const auto& need : needs) add_for(need, /*is_tool=*/false);
  for (const auto& need : tools)
    if (with_tools) add_for(need, /*is_tool=*/true);
  return packages;
}

std::string part_of_driver(std::string_view driver) { return "devices.match.driver=" + std::string(driver); }

std::vector<Package> firmware_for(PackageNames names, std::string_view driver) {
  const std::string wanted = part_of_driver(driver);
  return packages_for(names, /*kernel=*/"", [&](std::string_view part) { return part == wanted; });
}

std::vector<std::string_view> parts_with_packages() {
  std::vector<std::string_view> parts;
  const auto add_of = [&](const Need& need) {
    each_word(need.parts, [&](std::string_view part) { parts.push_back(part); });
  };
  std::for_each(needs.begin(), needs.end(), add_of);
  std::for_each(tools.begin(), tools.end(), add_of);
  return parts;
}

}  // namespace rdmastate
