// SPDX-License-Identifier: Apache-2.0
// MLNX_OFED and DOCA-OFED have their own drivers, loader and naming: what a spec would break there.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sections/modules_check.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view loader_file = "/etc/infiniband/openib.conf";

struct Loaded {
  std::string_view module;
  std::string_view key;  ///< in openib.conf: whether openibd loads it
};

// A module that openibd cannot load ends its start.
constexpr std::array loaded{
    Loaded{"ib_ipoib", "IPOIB_LOAD"}, Loaded{"rdma_cm", "RDMA_CM_LOAD"},  Loaded{"rdma_ucm", "RDMA_UCM_LOAD"},
    Loaded{"ib_umad", "UMAD_LOAD"},   Loaded{"ib_uverbs", "UVERBS_LOAD"}, Loaded{"ib_srp", "SRP_LOAD"},
    Loaded{"ib_iser", "ISER_LOAD"},   Loaded{"ib_isert", "ISERT_LOAD"},   Loaded{"rds_rdma", "RDS_LOAD"},
    Loaded{"mlx4_core", "MLX4_LOAD"}, Loaded{"mlx4_ib", "MLX4_LOAD"},     Loaded{"mlx4_en", "MLX4_EN_LOAD"},
    Loaded{"mlx5_core", "MLX5_LOAD"}, Loaded{"mlx5_ib", "MLX5_LOAD"}};

void check_names(const Spec& spec, Report& report) {
  for (std::size_t i = 0; i < spec.devices.size(); ++i)
    if (spec.devices[i].name)
      complain(
          report, devices_path(i, "name"),
          "this host runs MLNX_OFED or DOCA-OFED, whose own udev rule keeps the kernel's names (NAME_KERNEL) and whose "
          "tools go by them",
          "take name out, and match by node_guid: it stays whatever the device is called");
}

void check_block(const Spec& spec, Report& report) {
  const auto& block = spec.modules->block;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto found =
        std::find_if(loaded.begin(), loaded.end(), [&](const Loaded& one) { return one.module == block[i].value; });
    if (found != loaded.end())
      complain(
          report, fmt::format("modules.block[{}]", i),
          fmt::format("this host runs MLNX_OFED or DOCA-OFED, whose service openibd loads {} where {} says {}=yes, and "
                      "fails when it cannot",
                      found->module, loader_file, found->key),
          fmt::format("take it out of block, and write {}=no in {}", found->key, loader_file));
  }
}

void check_enhanced(const Spec& spec, Report& report) {
  const ModuleName ipoib{"ib_ipoib"};
  const ParameterName enhanced{"ipoib_enhanced"};
  const auto options = spec.modules->options.find(ipoib);
  if (options != spec.modules->options.end() && options->second.contains(enhanced))
    complain(report, option_path(ipoib, enhanced),
             "only the ib_ipoib of MLNX_OFED and DOCA-OFED has this parameter, and this host runs the kernel's own",
             "take it out: the kernel's driver decides by the adapter");
}

}  // namespace

void check_ofed(const Spec& spec, const Facts& facts, Report& report) {
  const bool ofed = facts.stack == "ofed";
  if (ofed) check_names(spec, report);
  if (!spec.modules) return;
  if (ofed)
    check_block(spec, report);
  else
    check_enhanced(spec, report);
}

}  // namespace rdmastate
