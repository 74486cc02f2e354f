// SPDX-License-Identifier: Apache-2.0
// Reports what a spec would break on a host with MLNX_OFED or DOCA-OFED, which have their own drivers, loader and
// naming.
#include <fmt/format.h>

#include "platform/ofed.hpp"
#include "sections/modules/modules.hpp"

namespace rdmastate {
namespace {

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
    const std::string_view key = openib_key(block[i].value);
    if (!key.empty())
      complain(
          report, fmt::format("modules.block[{}]", i),
          fmt::format("this host runs MLNX_OFED or DOCA-OFED, whose service openibd loads {} where {} says {}=yes, and "
                      "fails when it cannot",
                      block[i].value, openib_conf, key),
          fmt::format("take it out of block, and write {}=no in {}", key, openib_conf));
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
