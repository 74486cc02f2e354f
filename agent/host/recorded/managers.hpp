// SPDX-License-Identifier: Apache-2.0
// Implements the interfaces NetworkManager and Networkd for a recorded host.
#pragma once

#include "host/network_manager.hpp"
#include "host/networkd.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// NetworkManager as far as a record knows it: the profiles that it has loaded and those that are active. Of the
/// effects of a profile in the kernel, only that its interface goes up and down is modelled.
class RecordedNetworkManager final : public NetworkManager {
 public:
  RecordedNetworkManager(HostModel& model, CallLog& log) : model_(model), log_(log) {}

  std::optional<NmState> look() override;
  void load(const std::string& path) override;
  void activate(const std::string& uuid, const std::string& interface) override;
  bool reapply(const std::string& interface) override;
  void deactivate(const std::string& interface) override;

 private:
  NmState& state(const std::string& doing) const;

  HostModel& model_;
  CallLog& log_;
};

/// systemd-networkd as far as a record knows it: which file each interface runs, the children that a parent's file
/// names, and bonds with their ports. Addresses and other settings of a file are not modelled, and of interfaces that
/// come up only bonds.
class RecordedNetworkd final : public Networkd {
 public:
  RecordedNetworkd(HostModel& model, CallLog& log) : model_(model), log_(log) {}

  bool runs() override;
  void reload() override;
  void reconfigure(std::uint32_t index) override;

 private:
  void make_children(const std::string& parent);
  void make_bonds();
  bool is_news(const RecordedLink& link) const;
  void give_master(const std::string& port);
  void give_masters();
  void write_state_files();

  HostModel& model_;
  CallLog& log_;
};

}  // namespace rdmastate
