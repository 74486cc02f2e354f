// SPDX-License-Identifier: Apache-2.0
#include "sections/device_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace rdmastate {
namespace {

// The names that the kernel's drivers (drivers/infiniband) pass to ib_register_device(), without their %d.
constexpr std::array<std::string_view, 20> kernel_patterns{
    "mlx4_", "mlx5_", "mthca",  "cxgb4_", "hfi1_", "qib",        "bnxt_re", "qedr",  "hns_",   "efa_",
    "irdma", "i40iw", "ocrdma", "usnic_", "opap",  "vmw_pvrdma", "erdma_",  "mana_", "ionic_", "ib"};

struct Named {
  const DeviceName& name;
  std::string path;     ///< of the record: "devices[0]"
  std::string example;  ///< a name that no driver gives
};

std::vector<Named> names_in(const Spec& spec) {
  std::vector<Named> names;
  for (std::size_t i = 0; i < spec.devices.size(); ++i)
    if (spec.devices[i].name) names.push_back({*spec.devices[i].name, fmt::format("devices[{}]", i), "store0"});
  for (std::size_t i = 0; i < spec.soft_devices.size(); ++i)
    names.push_back({spec.soft_devices[i].name, fmt::format("soft_devices[{}]", i),
                     to_text(spec.soft_devices[i].type) + "_store0"});
  return names;
}

}  // namespace

bool is_drivers_name(std::string_view name) {
  // A name of digits alone: find_last_not_of() gives npos, and npos + 1 is 0.
  const std::size_t digits = name.size() - std::min(name.size(), name.find_last_not_of("0123456789") + 1);
  const std::string_view stem = name.substr(0, name.size() - digits);
  return digits > 0 && std::find(kernel_patterns.begin(), kernel_patterns.end(), stem) != kernel_patterns.end();
}

void check_device_names(const Spec& spec, Report& report) {
  std::map<std::string, std::string> path_by_name;
  for (const auto& [name, path, example] : names_in(spec)) {
    if (name.value.empty()) continue;  // it could not be read, which is reported already
    const auto [earlier, is_new] = path_by_name.emplace(name.value, path);
    if (!is_new)
      complain(report, path + ".name", fmt::format("{} is called {} already", earlier->second, name.value),
               "give each RDMA device a name of its own");
    if (is_drivers_name(name.value))
      warn(report, path + ".name",
           fmt::format(
               "{} is a name of the form that drivers give: at boot another device may have it before this one appears",
               name.value),
           "choose a name that no driver gives, such as " + example);
  }
}

}  // namespace rdmastate
