// SPDX-License-Identifier: Apache-2.0
// Implements Rdma, the interface to RDMA devices, for a recorded host; reads a device.
#pragma once

#include <string>

#include "base/json.hpp"
#include "host/rdma.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// RDMA devices in memory, refusing as drivers/infiniband/core/{nldev,device,cma_configfs}.c and the soft drivers of
/// Linux 6.1 do. Without ib_core there is no RDMA netlink and no sysfs class: no devices.
class RecordedRdma final : public Rdma {
 public:
  RecordedRdma(HostModel& model, CallLog& log) : model_(model), log_(log) {}

  std::vector<RdmaDevice> devices() override;
  std::optional<NetnsMode> netns_mode() override;
  std::vector<std::string> other_namespaces() override;
  void set_netns_mode(NetnsMode mode) override;
  std::vector<SoftDevice> soft_devices() override;
  void add(const SoftDevice& wanted) override;
  void remove(const SoftDevice& device) override;
  void rename(const std::string& from, const std::string& to) override;
  void set_link_type(const std::string& pci, std::uint32_t port, LinkType type) override;
  std::optional<Sriov> sriov(const std::string& pci) override;
  void set_vf_count(const std::string& pci, std::uint32_t count) override;
  void set_vf_autoprobe(const std::string& pci, bool on) override;
  void bind_vf(const std::string& vf_pci) override;
  void unbind_vf(const std::string& vf_pci) override;
  std::string netdev(const std::string& device, std::uint32_t port) override;
  std::optional<RoceDefaults> roce_defaults(const std::string& device, std::uint32_t port) override;
  std::vector<RoceMode> roce_modes(const std::string& device, std::uint32_t port) override;
  void set_roce_mode(const std::string& device, std::uint32_t port, RoceMode mode) override;
  void set_roce_tos(const std::string& device, std::uint32_t port, std::uint32_t tos) override;
  std::vector<RdmaUser> users(const std::string& device) override;

 private:
  bool has_module(const std::string& name) const;
  /// Throws the Refusal with which rdma_cm's configfs refuses a device or port that it does not know.
  void check_roce_port(const std::string& device, std::uint32_t port) const;

  HostModel& model_;
  CallLog& log_;
};

/// Reads one device of the record's list "rdma" into the model: with its users, with what a soft one is made of, and
/// with what RdmaPort does not show of its ports (MTUs, network devices, RoCE defaults). Throws Error that names its
/// place, `path`.
void read_device(const Json& value, const std::string& path, HostModel& model);

}  // namespace rdmastate
