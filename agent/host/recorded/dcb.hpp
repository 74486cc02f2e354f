// SPDX-License-Identifier: Apache-2.0
// Implements Dcb, the interface to Data Center Bridging, for a recorded host; reads an interface's part.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "host/dcb.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

class Json;
class JsonObject;

/// The arrays of TrafficClasses by their names in a record.
inline constexpr std::array arrays_of_classes{
    std::pair{std::string_view("selection"), &TrafficClasses::selection},
    std::pair{std::string_view("bandwidth"), &TrafficClasses::bandwidth},
    std::pair{std::string_view("class_of"), &TrafficClasses::class_of},
    std::pair{std::string_view("rx_bandwidth"), &TrafficClasses::rx_bandwidth},
    std::pair{std::string_view("advised_bandwidth"), &TrafficClasses::advised_bandwidth},
    std::pair{std::string_view("advised_selection"), &TrafficClasses::advised_selection},
    std::pair{std::string_view("advised_class_of"), &TrafficClasses::advised_class_of}};

/// DCB in memory, as net/dcb/dcbnl.c of Linux 6.1 and the driver mlx5 have it (en_dcbnl.c): a DSCP has one entry.
class RecordedDcb final : public Dcb {
 public:
  RecordedDcb(HostModel& model, CallLog& log) : model_(model), log_(log) {}
  std::optional<DcbState> dcb(const std::string& netdev) override;
  std::optional<PauseState> pause(const std::string& netdev) override;
  FlowCounters flow_counters(const std::string& netdev) override;
  void set_flow_control(const std::string& netdev, const FlowControl& wanted) override;
  void set_classes(const std::string& netdev, const TrafficClasses& wanted) override;
  void set_buffers(const std::string& netdev, const PortBuffers& wanted) override;
  void add_dscp(const std::string& netdev, DscpEntry entry) override;
  void remove_dscp(const std::string& netdev, DscpEntry entry) override;

 private:
  /// The interface's state, for a change. Throws Refusal: ENODEV, or EOPNOTSUPP where its driver has no DCB.
  DcbState& need(const std::string& netdev);
  HostModel& model_;
  CallLog& log_;
  std::set<std::string> sized_by_hand_;  ///< network devices whose buffers were set: their firmware changes none now
};

/// Reads the objects "dcb" and "pause" of a record's interface; and of the interface "flow_counters", which may be
/// absent.
DcbState read_dcb(JsonObject& in);
PauseState read_pause(JsonObject& in);
FlowCounters read_flow_counters(JsonObject& link);
/// The first two as a record has them.
Json dcb_json(const DcbState& state);
Json pause_json(const PauseState& state);

}  // namespace rdmastate
