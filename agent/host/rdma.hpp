// SPDX-License-Identifier: Apache-2.0
// The interface to a host's RDMA devices, their ports, soft devices (rxe, siw) and users.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace rdmastate {

/// The link type that a driver is told to give a port, where it has the choice (mlx4). `automatic`: the driver decides
/// by the other end of the cable.
enum class LinkType : std::uint8_t { infiniband, ethernet, automatic };
template <>
struct Names<LinkType> {
  static constexpr std::string_view wanted = "infiniband, ethernet or auto";
  static constexpr std::array table{Name<LinkType>{LinkType::infiniband, "infiniband"},
                                    Name<LinkType>{LinkType::ethernet, "ethernet"},
                                    Name<LinkType>{LinkType::automatic, "auto"}};
};
/// As mlx4_port1 takes it, less the newline (set_port_type() in drivers/net/ethernet/mellanox/mlx4/main.c).
constexpr std::string_view kernel_word(LinkType type) {
  return type == LinkType::infiniband ? "ib" : type == LinkType::ethernet ? "eth" : "auto";
}

/// A GUID as a device reports it: 0 until it is set, as on a new virtual function.
struct ReportedGuid : Guid {
  ReportedGuid() = default;
  ReportedGuid(Guid guid) : Guid(guid) {}
  ReportedGuid(std::uint64_t guid) : Guid{guid} {}
};
template <>
struct Text<ReportedGuid> : Text<Guid> {
  static std::optional<Complaint> read(const Scalar& scalar, ReportedGuid& out);
};

/// One port of an RDMA device, numbered from 1. Numbers are those of sysfs and RDMA netlink.
struct RdmaPort {
  std::uint32_t number = 1;
  ReportedGuid guid{};  ///< interface id of GID 0
  LinkLayer link_layer = LinkLayer::unspecified;
  std::uint32_t state = 0;       ///< 1 DOWN, 2 INIT, 3 ARMED, 4 ACTIVE
  std::uint32_t phys_state = 0;  ///< 2 Polling, 3 Disabled, 5 LinkUp
  std::uint32_t lid = 0;
  std::uint32_t sm_lid = 0;             ///< 0: no subnet manager seen
  std::string rate{};                   ///< as sysfs prints it, "56 Gb/sec (4X FDR)"
  std::optional<LinkType> link_type{};  ///< what the driver was told; nullopt: it has no such choice
  std::vector<std::uint32_t> pkeys{};   ///< raw entries in use; bit 15 clear is a limited membership
  /// Whether it carries packets: IB_PORT_ACTIVE, include/rdma/ib_verbs.h.
  bool is_active() const { return state == 4; }
  bool operator==(const RdmaPort&) const = default;
};

/// One RDMA device, as sysfs shows it.
struct RdmaDevice {
  std::string name{};  ///< as the kernel has it now; changeable, never a key
  ReportedGuid node_guid{};
  ReportedGuid sys_image_guid{};
  std::string pci{};       ///< "0000:3b:00.0", empty for what has no PCI function
  std::string driver{};    ///< "mlx4_core"; empty when there is no parent device
  std::string board_id{};  ///< PSID; empty where the driver shows none
  std::string firmware{};
  std::vector<RdmaPort> ports{};
  bool is_virtual = false;  ///< of an SR-IOV virtual function whose physical one this host sees too
  bool operator==(const RdmaDevice&) const = default;
};

/// Whether every network namespace sees every device, or a device belongs to one (`rdma system`).
enum class NetnsMode : std::uint8_t { exclusive, shared };
template <>
struct Names<NetnsMode> {
  static constexpr std::string_view wanted = "shared or exclusive";
  static constexpr std::array table{Name<NetnsMode>{NetnsMode::exclusive, "exclusive"},
                                    Name<NetnsMode>{NetnsMode::shared, "shared"}};
};

/// Which driver makes an RDMA device of a network device: `rdma link add ... type`.
enum class SoftType : std::uint8_t { rxe, siw };
template <>
struct Names<SoftType> {
  static constexpr std::string_view wanted = "rxe or siw";
  static constexpr std::array table{Name<SoftType>{SoftType::rxe, "rxe"}, Name<SoftType>{SoftType::siw, "siw"}};
};

/// An RDMA device that a driver makes of a network device.
struct SoftDevice {
  SoftType type = SoftType::rxe;
  std::string netdev{};  ///< the present name of the network device
  std::string name{};    ///< of the RDMA device
  bool operator==(const SoftDevice&) const = default;
};

/// Which packets a RoCE connection uses.
enum class RoceMode : std::uint8_t { v1, v2 };
template <>
struct Names<RoceMode> {
  static constexpr std::string_view wanted = "v1 or v2";
  static constexpr std::array table{Name<RoceMode>{RoceMode::v1, "v1"}, Name<RoceMode>{RoceMode::v2, "v2"}};
};
/// As configfs and the GID table spell it, and take it (gid_type_str in drivers/infiniband/core/cache.c).
constexpr std::string_view kernel_word(RoceMode mode) { return mode == RoceMode::v1 ? "IB/RoCE v1" : "RoCE v2"; }

/// What connections through rdma_cm use on one port unless they say otherwise.
struct RoceDefaults {
  RoceMode mode = RoceMode::v2;
  std::uint32_t tos = 0;  ///< the whole traffic class byte
  bool operator==(const RoceDefaults&) const = default;
};

/// What the link of a virtual function follows. The numbers are IFLA_VF_LINK_STATE_*.
enum class VfLinkState : std::uint8_t { automatic, enable, disable };
template <>
struct Names<VfLinkState> {
  static constexpr std::string_view wanted = "auto, enable or disable";
  static constexpr std::array table{Name<VfLinkState>{VfLinkState::automatic, "auto"},
                                    Name<VfLinkState>{VfLinkState::enable, "enable"},
                                    Name<VfLinkState>{VfLinkState::disable, "disable"}};
};

/// What a physical function keeps of one virtual function (IFLA_VF_INFO). nullopt: its driver does not tell, or it is
/// left alone.
struct VfSettings {
  std::optional<ReportedGuid> node_guid{};  ///< the two GUIDs are InfiniBand's alone
  std::optional<ReportedGuid> port_guid{};
  std::optional<VfLinkState> link_state{};
  bool operator==(const VfSettings&) const = default;
};

/// A virtual function as PCI has it.
struct VirtualFunction {
  std::string pci{};                   ///< "0000:3b:00.1"
  std::string driver{};                ///< "mlx5_core", "vfio-pci"; empty: none has it
  std::vector<std::string> netdevs{};  ///< its interfaces in our network namespace
  bool operator==(const VirtualFunction&) const = default;
};

/// What a PCI function says of its virtual ones.
struct Sriov {
  std::uint32_t total = 0;                   ///< the most that it can have (sriov_totalvfs)
  bool autoprobe = true;                     ///< drivers take new ones; while it is off no driver can take any
  std::vector<VirtualFunction> functions{};  ///< by number
  std::uint32_t offset = 1;                  ///< from its address to that of the first one, in functions (sriov_offset)
  std::uint32_t stride = 1;                  ///< from each to the next (sriov_stride)
  bool operator==(const Sriov&) const = default;
};

/// A queue pair or a connection id of rdma_cm that is open on a device.
struct RdmaUser {
  enum class What : std::uint8_t { queue_pair, connection };
  What what = What::queue_pair;
  std::uint32_t pid = 0;  ///< 0: the kernel's own
  std::string command{};  ///< the command name of the process, or the name of the kernel module
  auto operator<=>(const RdmaUser&) const = default;
};

/// The RDMA devices of a host. Calls that change something throw SystemError with the kernel's errno.
class Rdma {
 public:
  virtual ~Rdma() = default;
  /// All devices, sorted by name. Empty when ib_core is not loaded.
  virtual std::vector<RdmaDevice> devices() = 0;

  /// nullopt when ib_core is not loaded (it is not loaded by asking).
  virtual std::optional<NetnsMode> netns_mode() = 0;
  /// Who has a network namespace of its own, a few of them at most: "process 812 (dnsmasq)", "/run/netns/blue".
  virtual std::vector<std::string> other_namespaces() = 0;
  /// EBUSY while there are other network namespaces.
  virtual void set_netns_mode(NetnsMode mode) = 0;

  /// Devices that a driver made of a network device, sorted by name. Empty when ib_core is not loaded: each driver
  /// needs it.
  virtual std::vector<SoftDevice> soft_devices() = 0;
  /// Loads the type's driver where it is not there. EEXIST: the network device has one; ENFILE: the name is taken;
  /// EPERM: rxe on a VLAN; ENODEV: no such network device; EINVAL: no such driver, or not on this kind of device.
  virtual void add(const SoftDevice& wanted) = 0;
  /// Removes the device of that name. ENODEV: there is none; EINVAL: it is no soft device.
  virtual void remove(const SoftDevice& device) = 0;

  /// ENODEV: nothing is called `from`; EEXIST: something is called `to`.
  virtual void rename(const std::string& from, const std::string& to) = 0;

  /// Sets the link type of a port of a PCI function. The driver takes the function's RDMA device and interfaces away
  /// and makes new ones. ENOENT: no such function, or its driver has no such choice. EOPNOTSUPP (EINVAL before Linux
  /// 5.5): this adapter cannot have that type, or not beside the type of its other port.
  virtual void set_link_type(const std::string& pci, std::uint32_t port, LinkType type) = 0;

  /// nullopt: there is no such PCI function, or it can have no virtual ones.
  virtual std::optional<Sriov> sriov(const std::string& pci) = 0;
  /// Makes or removes virtual functions of a PCI function. Without autoprobe new ones have no driver. EBUSY: from one
  /// number to another, which has to go through 0; ERANGE: above Sriov::total; ENOENT: its driver has none to give.
  virtual void set_vf_count(const std::string& pci, std::uint32_t count) = 0;
  virtual void set_vf_autoprobe(const std::string& pci, bool on) = 0;
  /// Gives a virtual function to the driver that fits it, or takes it from the one that has it. Does nothing where
  /// autoprobe is off, or no driver fits.
  virtual void bind_vf(const std::string& vf_pci) = 0;
  virtual void unbind_vf(const std::string& vf_pci) = 0;

  /// The present name of a port's network device; empty where it has none, or none in our network namespace.
  virtual std::string netdev(const std::string& device, std::uint32_t port) = 0;

  /// nullopt: rdma_cm is not loaded, or knows no such device or port. Only root may ask: else EACCES or EPERM. The
  /// directory in configfs that the look needs is removed again.
  virtual std::optional<RoceDefaults> roce_defaults(const std::string& device, std::uint32_t port) = 0;
  /// The modes of the GIDs that the port has now; empty while it has none.
  virtual std::vector<RoceMode> roce_modes(const std::string& device, std::uint32_t port) = 0;
  /// EINVAL: the port does not have this mode; ENODEV: rdma_cm is not loaded, or knows no such device; ENOENT: no such
  /// port.
  virtual void set_roce_mode(const std::string& device, std::uint32_t port, RoceMode mode) = 0;
  /// ERANGE above 255; ENODEV and ENOENT as in set_roce_mode().
  virtual void set_roce_tos(const std::string& device, std::uint32_t port, std::uint32_t tos) = 0;

  /// Queue pairs and connection ids on a device, the kernel's own included; empty when it is not there.
  virtual std::vector<RdmaUser> users(const std::string& device) = 0;
};

}  // namespace rdmastate
