// SPDX-License-Identifier: Apache-2.0
// Traffic classes (ETS) of kind `qos_port`: between what the kernel has and `priorities` and `classes` of its State.
#pragma once

#include "resources/qos_port/drivers.hpp"

namespace rdmastate {

/// Puts the device's traffic classes into `priorities` and `classes` of the state: all that it has (ets_cap; 8 where it
/// does not say). What IEEE 802.1Qaz does not have is left out: algorithms 3 to 254, classes above 7, more than 100%.
void observe_classes(const TrafficClasses& now, QosPortState& state);
/// `now` with the state's `priorities` and `classes`, as it is to be set. A class without a percentage gets bandwidth
/// 0, as dcb-ets(8) has it.
TrafficClasses with_classes(const TrafficClasses& now, const QosPortState& wanted);
/// The percentages of traffic classes, taken together.
struct Shares {
  unsigned sum = 0;                  ///< percent
  std::vector<std::string> texts;    ///< of each class with a percentage: "class 3: 60%"
  bool has_zero = false;             ///< one class has 0%
  bool has_zero_beside_all = false;  ///< one class has 0%, and another 100%

  bool is_whole() const { return texts.empty() || sum == 100; }
  /// Whether a driver can be asked for them and shows them afterwards. mlx5 shows a 0% beside a 100% as 100% too
  /// (mlx5e_dcbnl_ieee_getets). Of one driver there may be more to say: DcbDriver.
  bool can_be_set() const { return is_whole() && !has_zero_beside_all; }
};
/// What the percentages among these classes come to.
Shares shares_of(const std::map<TrafficClass, ClassShare>& classes);

/// Takes traffic classes that the port cannot have out of `to`, and `gap` says why. What it cannot have for good is
/// judged by `asked` alone: `to` has also what others set.
void hold_back_classes(const DcbPort& port, const QosPortState& asked, const QosPortState& from, QosPortState& to,
                       Gap& gap);

}  // namespace rdmastate
