// SPDX-License-Identifier: Apache-2.0
// Tells which packages of a distribution the parts of a spec need. A constant table.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/platform.hpp"

namespace rdmastate {

/// The distribution whose package names are used. Ubuntu's are Debian's but for the kernel's packages.
enum class PackageNames : std::uint8_t { debian, ubuntu, rhel, suse };
template <>
struct Names<PackageNames> {
  static constexpr std::string_view wanted = "debian, ubuntu, rhel or suse";
  static constexpr std::array table{
      Name<PackageNames>{PackageNames::debian, "debian"}, Name<PackageNames>{PackageNames::ubuntu, "ubuntu"},
      Name<PackageNames>{PackageNames::rhel, "rhel"}, Name<PackageNames>{PackageNames::suse, "suse"}};
};

/// A package of a distribution.
struct Package {
  std::string name;
  std::vector<std::string> needed_for;  ///< parts of the spec: "devices", "soft_devices.type=rxe"
  std::string why;                      ///< its use, for people: "serves NFS"
  bool by_ofed = false;  ///< MLNX_OFED and DOCA-OFED have a package of their own for this, which this one would replace
  bool is_tool = false;  ///< to check what was configured; nothing configured needs it
  bool operator==(const Package&) const = default;
};

/// The package names of this host's distribution; nullopt where the table does not know it.
std::optional<PackageNames> package_names(const Facts& facts);

/// The packages for the parts that `is_named` says are in the spec, each once, in the table's order. A part is a
/// section or a field of one, "nfs.server", or a field's value, "network.backend=networkd". `kernel` is uname -r, or
/// empty where none runs: it tells Debian's architecture and Ubuntu's modules. `with_tools`: also the tools by which
/// the guides check such parts.
std::vector<Package> packages_for(PackageNames names, std::string_view kernel,
                                  const std::function<bool(std::string_view part)>& is_named, bool with_tools = false);

/// The part of a spec that names adapters by their PCI driver: "devices.match.driver=hfi1".
std::string part_of_driver(std::string_view driver);
/// The packages with the firmware that this PCI driver loads from /lib/firmware; none: it loads none, its adapters have
/// theirs in flash (mlx4, mlx5, bnxt_en, i40e). On Debian they are in the component non-free-firmware.
std::vector<Package> firmware_for(PackageNames names, std::string_view driver);

/// Every part that the table speaks of, for tests.
std::vector<std::string_view> parts_with_packages();

}  // namespace rdmastate
