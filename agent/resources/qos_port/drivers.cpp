// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/drivers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "resources/qos_port/gap.hpp"

namespace rdmastate {
namespace {

// ice: ice_dcb_nl.c. The first DSCP (ice_dcbnl_setapp) gives class 0 all bandwidth and priority N class N; while there
// is one, ice_dcbnl_setets ignores the classes of priorities, and reports success; with the last one
// (ice_dcbnl_delapp) ice_dcb_sw_dflt_cfg gives classes and flow control their defaults. An entry of a DSCP that has one
// is EINVAL, and so is a priority that is no class of the device. Each entry that comes or goes is committed by
// ice_pf_dcb_cfg, which takes the network device's queues down and up for it (ice_dcb_ena_dis_vsi). dcbx_off: ice.rst
// in Documentation/networking/device_drivers of Linux.
// i40e: i40e_priv_flags of i40e_ethtool.c.
// mlx5_core: en_dcbnl.c, mlx5e_dcbnl_ieee_getets. mlx5e_dcbnl_setdcbx shows no bit at all where mode `host` was set
// without a version, and 0 after it: then its firmware negotiates. LLDP_NB_DCBX_P1: mlxconfig's manual.
// mlx4_core: mlx4/en_dcb_nl.c, mlx4_en_ets_validate.
// bnxt_en: bnxt_dcb.c, bnxt_ets_validate: `vendor` is ENOTSUPP (524), which a program sees as "Cannot allocate memory"
// (dcb_outcome_from()); newer ones refuse any 0% where all are 100 together. bnxt_dcbnl_ieee_setpfc:
// flow control is EINVAL until traffic classes were set once.
constexpr DcbDriver drivers[] = {
    {.name = "ice",
     .makes_classes = true,
     .keeps_entries = true,
     .dscp_gives_class = true,
     .dscp_bounces = true,
     .dcbx_off = "`ethtool --set-priv-flags {} fw-lldp-agent off` turns that off"},
    {.name = "i40e", .dcbx_off = "`ethtool --set-priv-flags {} disable-fw-lldp on` turns that off"},
    {.name = "mlx5_core",
     .has_vendor_class = true,
     .shows_zero_as_all = true,
     .zero_is_firmware = true,
     .dcbx_off = "`dcb dcbx set dev {} host ieee` gives them to the host now, and mlxconfig's LLDP_NB_DCBX_P1=0 (or "
                 "_P2) from the firmware's next reset on"},
    {.name = "mlx4_core", .has_vendor_class = true},
    {.name = "bnxt_en", .takes_zero = false, .classes_before_flow = true},
};

// Whether nobody has set traffic classes since the driver came: all strict, and all priorities in class 0.
bool has_first_classes(const DcbState& now) {
  const auto zero = [](std::uint8_t one) { return one == 0; };
  return now.classes && std::all_of(now.classes->class_of.begin(), now.classes->class_of.end(), zero) &&
         std::all_of(now.classes->selection.begin(), now.classes->selection.end(),
                     [](std::uint8_t one) { return one == TrafficClasses::strict; });
}

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

void hold_back_early_flow(const DcbPort& port, const QosPortState& from, QosPortState& to, Gap& gap) {
  if (!port.driver.classes_before_flow || to.pfc == from.pfc || !has_first_classes(port.now)) return;
  if (to.priorities != from.priorities || to.classes != from.classes) return;  // this step sets them first
  block(gap,
        fmt::format("{} takes no flow control before traffic classes are set: name priorities and classes",
                    port.driver.name),
        {});
  to.pfc = from.pfc;
}

// What `to` has and `from` has not comes from the spec, so its priority is too high for good.
void hold_back_dscp(const DcbPort& port, const QosPortState& from, QosPortState& to, Gap& gap) {
  const std::uint32_t most = port.now.flow_control ? port.now.flow_control->most : 0;
  if (!port.driver.dscp_gives_class || most == 0 || !to.dscp || to.dscp == from.dscp) return;
  const auto is_there = [&](Dscp dscp, Priority priority) {
    return from.dscp && from.dscp->contains(dscp) && from.dscp->at(dscp) == priority;
  };
  if (std::none_of(to.dscp->begin(), to.dscp->end(), [&](const auto& entry) {
        return entry.second.value >= most && !is_there(entry.first, entry.second);
      }))
    return;
  block(
      gap,
      fmt::format("{} takes the priority of a DSCP for a traffic class, and {} has {}, from 0: name no priority above "
                  "{} in dscp",
                  port.driver.name, port.netdev, most, most - 1),
      {"dscp"});
  to.dscp = from.dscp;
  to.trust = from.trust;
}

}  // namespace rdmastate
