// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/drivers.hpp"

#include <algorithm>
#include <iterator>

namespace rdmastate {
namespace {

// ice: ice_dcb_nl.c. The first DSCP (ice_dcbnl_setapp) gives class 0 all bandwidth and priority N class N; while there
// is one, ice_dcbnl_setets ignores the classes of priorities, and reports success; with the last one
// (ice_dcbnl_delapp) ice_dcb_sw_dflt_cfg gives classes and flow control their defaults.
constexpr DcbDriver drivers[] = {
    {.name = "ice", .makes_classes = true},
};

}  // namespace

DcbDriver dcb_driver(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(drivers), std::end(drivers), [&](const DcbDriver& one) { return one.name == name; });
  return found == std::end(drivers) ? DcbDriver{} : *found;
}

DcbPort managed_port(std::string netdev, const RdmaDevice& device, DcbState present) {
  DcbPort port{std::move(netdev), dcb_driver(device.driver), std::move(present)};
  if (port.driver.makes_classes) port.now.classes.reset();
  return port;
}

}  // namespace rdmastate
