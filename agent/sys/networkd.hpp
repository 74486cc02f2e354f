// SPDX-License-Identifier: Apache-2.0
// systemd-networkd over D-Bus.
#pragma once

#include "host/networkd.hpp"
#include "sys/bus.hpp"

namespace rdmastate {

/// The systemd-networkd that runs, over the system bus: runs() asks the bus whether networkd has its name there. No
/// call starts it, and each waits at most 30 s for the answer (Bus::call()). Contract: host/networkd.hpp.
class BusNetworkd final : public Networkd {
 public:
  /// `bus` must outlive this object.
  explicit BusNetworkd(Bus& bus) : bus_(bus) {}

  bool runs() override;
  void reload() override;
  void reconfigure(std::uint32_t index) override;

 private:
  Bus& bus_;
};

}  // namespace rdmastate
