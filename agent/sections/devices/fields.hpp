// SPDX-License-Identifier: Apache-2.0
// The field tables of section `devices`: what the reader, the schema, the man page and `explain` know of it.
#pragma once

#include "base/fields.hpp"
#include "sections/devices/spec.hpp"

namespace rdmastate {

template <>
struct Fields<DeviceMatch> {
  static constexpr std::string_view name = "match";
  static constexpr std::string_view doc =
      "Which RDMA device this is. A device must match all selectors that are given.";
  static constexpr auto table = Table{
      Field{"node_guid",
            &DeviceMatch::node_guid,
            "The node GUID, as ibstat prints it. Stable: prefer it.",
            {.example = "\"f452:1403:007b:cba0\""}},
      Field{"port_guid",
            &DeviceMatch::port_guid,
            "The GUID of any of its ports.",
            {.example = "\"f452:1403:007b:cba1\""}},
      Field{"pci", &DeviceMatch::pci, "The PCI function's address.", {.example = "\"0000:3b:00.0\""}},
      Field{"board_id",
            &DeviceMatch::board_id,
            "The board id (PSID), as ibv_devinfo prints it.",
            {.example = "MT_1090120019"}},
      Field{"driver", &DeviceMatch::driver, "The driver of the device's function.", {.example = "mlx4_core"}},
      Field{"name",
            &DeviceMatch::name,
            "The present name. It can change: prefer another selector.",
            {.example = "mlx4_0"}},
  };
};

template <>
struct Fields<RoceSettings> {
  static constexpr std::string_view name = "roce";
  static constexpr std::string_view doc = "What connections made through rdma_cm use on this port.";
  static constexpr auto table = Table{
      Field{
          "default_mode",
          &RoceSettings::default_mode,
          "The RoCE version that rdma_cm chooses, the kernel's \"IB/RoCE v1\" or \"RoCE v2\". A v2 client cannot reach a v1 server. Programs that choose a GID themselves (NCCL, UCX) ignore it.",
          {.example = "v2"}},
      Field{"tos",
            &RoceSettings::tos,
            "The traffic class byte, all eight bits, that rdma_cm sets in packets: DSCP 26 is 104, or 106 with ECN.",
            {.example = "106"}},
  };
};

template <>
struct Fields<QosSettings> {
  static constexpr std::string_view name = "qos";
  static constexpr std::string_view doc = "Priorities on the network device of this port.";
  static constexpr auto table = Table{
      Field{
          "trust",
          &QosSettings::trust,
          "Which mark decides a packet's priority: dscp in the IP header, or pcp in the VLAN tag. Drivers trust DSCP as long as a DSCP has a priority, so pcp removes all entries of dscp.",
          {.example = "dscp"}},
      Field{"pfc",
            &QosSettings::pfc,
            "The priorities with flow control (PFC); [] means none. A change takes the link down for a moment.",
            {.example = "[3]"}},
      Field{"dscp",
            &QosSettings::dscp,
            "The priority of each DSCP. A DSCP that is not listed is left alone.",
            {.example = "{26: 3}"}},
      Field{"priorities",
            &QosSettings::priorities,
            "The traffic class of each priority. A priority that is not listed keeps its class.",
            {.example = "{3: 3}"}},
      Field{
          "classes",
          &QosSettings::classes,
          "What each traffic class may send (ETS): a percentage of the bandwidth when others send too, or strict: before all classes with a percentage. The percentages are 100 together. A class that is not listed keeps what it has, such as vendor: the driver's own way, on mlx5 before strict.",
          {.example = "{0: 40%, 3: 60%, 6: strict}"}},
      Field{"priority_buffers",
            &QosSettings::priority_buffers,
            "The receive buffer of each priority. A priority that is not listed keeps its buffer.",
            {.example = "{3: 1}"}},
      Field{
          "buffers",
          &QosSettings::buffers,
          "The size of each receive buffer; a buffer that is not listed keeps its size. The device rounds down to its cells, by less than 1KiB. From the first time that they are set, mlx5's firmware no longer changes buffers with flow control, until its next reset. An undo sets the sizes that were there, and does not change that.",
          {.example = "{0: 128KiB, 1: 256KiB}"}},
  };
};

template <>
struct Fields<VfGuids> {
  static constexpr std::string_view name = "guids";
  static constexpr std::string_view doc = "The GUIDs of one virtual function.";
  static constexpr auto table = Table{
      Field{"node",
            &VfGuids::node,
            "The node GUID of its RDMA device.",
            {.required = true, .example = "\"f452:1403:007b:cb01\""}},
      Field{"port", &VfGuids::port, "The GUID of its port; the same as node where it is absent."},
  };
};

template <>
struct Fields<SriovSettings> {
  static constexpr std::string_view name = "sriov";
  static constexpr std::string_view doc =
      "SR-IOV virtual functions. They are of the PCI function, so only one port of a device can say this.";
  static constexpr std::array<NeverKey, 1> never{
      {{"trust",
        "trust is of Ethernet's virtual functions: the kernel refuses it on InfiniBand, and on Ethernet who makes the network sets it"}}};
  static constexpr auto table = Table{
      Field{
          "vfs",
          &SriovSettings::vfs,
          "How many there are; 0 removes them. The number changes through 0, so it is never changed while somebody uses one: a virtual machine (vfio-pci), another network namespace, a program, an interface that is up.",
          {.required = true, .example = "4"}},
      Field{
          "guids",
          &SriovSettings::guids,
          "The GUIDs of each, in their order (InfiniBand). Without them new ones have GUID 0, and no subnet manager takes them in. They are set before a driver takes the function, through the port's IPoIB interface: ib_ipoib is loaded for it.",
          {.example = "[{node: \"f452:1403:007b:cb01\", port: \"f452:1403:007b:cb02\"}]"}},
      Field{"link_state",
            &SriovSettings::link_state,
            "What the link of each follows: the port (auto), or it is always up (enable) or down (disable).",
            {.on_create = "auto", .example = "auto"}},
      Field{
          "autoprobe",
          &SriovSettings::autoprobe,
          "false: no driver of this host takes them, as for virtual machines alone. Absent means true: drivers take those that none has.",
          {.on_create = "true", .example = "true"}},
  };
};

template <>
struct Fields<DevicePort> {
  static constexpr std::string_view name = "port";
  static constexpr std::string_view doc = "One port of the device.";
  static constexpr auto table = Table{
      Field{
          "link_type",
          &DevicePort::link_type,
          "The port's type, where the driver can change it (mlx4). For the change the driver removes the device and its interfaces for a moment, so a device whose interfaces are in use is changed at the next boot.",
          {.example = "ethernet"}},
      Field{
          "mtu",
          &DevicePort::mtu,
          "The MTU of this port's network device (Ethernet). The kernel computes RoCE's MTU from it: 4096 from 4192 on, 2048 from 2144 on, else 1024 from 1120 on. For the change drivers set their queues up anew, so it is refused while somebody uses the device. Give the same to who configures the interface: it may set its own.",
          {.example = "9000"}},
      Field{"roce", &DevicePort::roce, "What connections made through rdma_cm use on this port (Ethernet)."},
      Field{"qos", &DevicePort::qos, "Priorities on the network device of this port (Ethernet)."},
      Field{"sriov", &DevicePort::sriov, "SR-IOV virtual functions of this port's PCI function."},
  };
};

template <>
struct Fields<PortExpectation> {
  static constexpr std::string_view name = "port";
  static constexpr std::string_view doc = "What is expected of one port.";
  static constexpr auto table = Table{
      Field{"state", &PortExpectation::state, "The logical state.", {.example = "active"}},
      Field{"rate", &PortExpectation::rate, "The rate in Gb/s, with or without a relation.", {.example = "\">=56\""}},
      Field{"link_layer", &PortExpectation::link_layer, "The link layer.", {.example = "infiniband"}},
  };
};

template <>
struct Fields<DeviceExpectation> {
  static constexpr std::string_view name = "expect";
  static constexpr std::string_view doc = "What is expected of the device: shown by verify, never a step.";
  static constexpr auto table = Table{
      Field{"firmware",
            &DeviceExpectation::firmware,
            "The firmware's version, with or without a relation.",
            {.example = "\">=2.30.8000\""}},
      Field{"ports", &DeviceExpectation::ports, "What is expected of its ports, by number."},
  };
};

template <>
struct Fields<DeviceRecord> {
  static constexpr std::string_view name = "devices";
  static constexpr std::string_view doc = "An RDMA device of the host.";
  static constexpr auto table = Table{
      Field{"match", &DeviceRecord::match, "Which device it is.", {.required = true, .identity = true, .merge_key = 1}},
      Field{"every", &DeviceRecord::every,
            "true: all devices that match, not exactly one. SR-IOV virtual functions are left out."},
      Field{"virtual", &DeviceRecord::with_virtual,
            "true: every includes SR-IOV virtual functions, which are mostly for virtual machines."},
      Field{"optional", &DeviceRecord::optional, "true: the device may be missing. It is configured when it appears."},
      Field{"name", &DeviceRecord::name, "The device's name, given now and at every boot.", {.example = "mlx4_a"}},
      Field{"ports", &DeviceRecord::ports, "Its ports, by number."},
      Field{"expect", &DeviceRecord::expect, "What is expected of it: shown by verify, never a step."},
  };
};

}  // namespace rdmastate
