// SPDX-License-Identifier: Apache-2.0
// Implements Dcb, the interface to Data Center Bridging, for a recorded host.
#pragma once

#include "host/dcb.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// DCB in memory, as net/dcb/dcbnl.c of Linux 6.1 and the driver mlx5 have it (en_dcbnl.c): a DSCP has one entry.
class RecordedDcb final : public Dcb {
 public:
  RecordedDcb(HostModel& model, CallLog& log) : model_(model), log_(log) {}
  std::optional<DcbState> dcb(const std::string& netdev) override;
  std::optional<PauseState> pause(const std::string& netdev) override;
  void set_flow_control(const std::string& netdev, const FlowControl& wanted) override;
  void add_dscp(const std::string& netdev, DscpEntry entry) override;
  void remove_dscp(const std::string& netdev, DscpEntry entry) override;

 private:
  /// The interface's state, for a change. Throws Refusal: ENODEV, or EOPNOTSUPP where its driver has no DCB.
  DcbState& need(const std::string& netdev);
  HostModel& model_;
  CallLog& log_;
};

}  // namespace rdmastate
