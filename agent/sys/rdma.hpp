// SPDX-License-Identifier: Apache-2.0
// RDMA devices of the live host. rdma.cpp uses sysfs, rdma_netlink.cpp asks and changes by RDMA netlink, rdma_roce.cpp
// reads RoCE modes in sysfs, and reads and sets the defaults by configfs.
#pragma once

#include "host/rdma.hpp"
#include "sys/codec/rdma_codec.hpp"
#include "sys/netlink.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// The live host's RDMA devices. Every plan calls devices(), which reads sysfs. A value that the kernel or the driver
/// does not show stays empty or zero; a file that is there and cannot be read throws. A device that vanishes while it
/// is read is left out, or listed with empty values.
/// Contract: host/rdma.hpp.
class KernelRdma final : public Rdma {
 public:
  /// `root` must outlive this object.
  explicit KernelRdma(const Root& root) : root_(root) {}

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
  bool has_core() const;                    ///< whether ib_core is loaded
  std::vector<codec::RdmaIndex> indexes();  ///< of all devices, by RDMA netlink; loads ib_core
  /// Throws SystemError (ENODEV) where there is no such device. `doing` begins the error's text.
  std::uint32_t index_of(const std::string& name, const std::string& doing);
  /// `doing` begins an error's text.
  std::optional<SoftType> soft_type(const codec::RdmaIndex& device, const std::string& doing);
  /// The device as a soft device; nullopt where its driver is neither rxe nor siw.
  std::optional<SoftDevice> soft_device(const codec::RdmaIndex& device);

  const Root& root_;
  NetlinkSocket netlink_{rdma_protocol};
  static constexpr int rdma_protocol = 20;  // NETLINK_RDMA of linux/netlink.h
};

/// What a device is by its files in sysfs, for where its driver's id cannot be asked for: since Linux 7 rxe and siw do
/// not need ib_uverbs. nullopt: neither rxe nor siw.
std::optional<SoftType> soft_type_in_sysfs(const Root& root, const std::string& device);

}  // namespace rdmastate
