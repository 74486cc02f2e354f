// SPDX-License-Identifier: Apache-2.0
// Arbitrary hosts that a record can hold. Deterministic in their seed, so that a failing one shrinks to a
// small number.
#pragma once

#include <random>

#include "host/recorded/dcb.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

class HostGenerator {
 public:
  explicit HostGenerator(std::uint32_t seed) : random_(seed) {}

  HostModel make() {
    HostModel model;
    model.origin = text();
    for (unsigned n = below(3); n > 0; --n) model.notes.push_back(text());
    model.ipv6 = below(4) != 0;
    for (unsigned n = below(8); n > 0; --n) add_file(model);
    add_parents(model.files);
    for (unsigned n = below(3); n > 0; --n) add_device(model, n);
    for (unsigned n = below(6); n > 0; --n) add_link(model);
    model.next_index += below(3);
    if (!model.links.empty()) add_addresses_and_routes(model);
    if (!model.links.empty() && below(2) != 0) add_soft_device(model);
    if (below(2) != 0) add_connection(model);
    if (below(4) == 0) model.netns_mode = NetnsMode::exclusive;
    if (below(4) == 0) model.other_namespaces = {"/run/netns/blue", text() + "x"};
    model.modules.loaded = {"ib_core"};
    model.modules.loadable = {"ib_core", "ib_ipoib"};
    if (below(2) != 0) model.modules.depends["ib_ipoib"] = {"ib_core"};
    if (below(2) != 0) model.modules.in_use["ib_core"] = below(9);
    if (below(2) != 0) model.modules.parameters["ib_core.netns_mode"] = text();
    if (below(2) != 0) model.modules.given["ib_core.netns_mode"] = text();
    if (below(2) != 0) model.modules.writable = {"ib_core.netns_mode"};
    model.networkd = below(2) != 0;
    if (below(2) != 0) model.systemd.emplace();
    if (model.systemd && below(2) != 0)
      model.systemd->timers["rdmastate-unconfirmed-000007"] = {below(90), {"rollback"}};
    if (below(2) != 0)
      model.networkmanager = NmState{{{text(), text(), text(), below(2) != 0}}, {{text(), text(), text(), true}}};
    return model;
  }

 private:
  unsigned below(unsigned end) { return std::uniform_int_distribution<unsigned>(0, end - 1)(random_); }
  std::uint64_t any64() { return below(8) == 0 ? 0 : std::uint64_t{random_()} << 32U | random_(); }

  std::string text() {
    static constexpr const char* words[] = {"", "plain", "two\nlines\n", "\"quoted\" \\", "\xc3\xa9", "\x01\x7f"};
    return words[below(std::size(words))];
  }

  void add_file(HostModel& model) {
    FileContent file;
    file.meta = {static_cast<FileType>(below(4)), below(010000), below(2000), below(2000)};
    if (file.meta.type == FileType::symlink) file.meta.mode = 0777;
    if (file.meta.type == FileType::regular) file.bytes = below(3) == 0 ? std::string("\xff\x00\xfe", 3) : text();
    if (file.meta.type == FileType::symlink) file.bytes = below(4) == 0 ? "../\xff" : "../x";
    if (below(4) == 0) file.xattrs["user.note"] = text() + "x";
    const std::string directory = below(2) == 0 ? "/etc/" : "/var/lib/deep/";
    if (below(4) == 0) file.xattrs["system.posix_acl_access"] = std::string("\2\0\0\0\1\0\xff", 7);
    model.files[directory + (below(8) == 0 ? '\xfe' : static_cast<char>('a' + below(6)))] = file;
  }

  void add_soft_device(HostModel& model) {
    RdmaDevice device;
    device.name = "soft";
    device.node_guid = {any64()};
    model.devices.push_back(device);
    model.soft["soft"] = {static_cast<SoftType>(below(2)), model.links.begin()->second.link.name, "soft"};
    if (below(2) != 0) model.users["soft"] = {{static_cast<RdmaUser::What>(below(2)), below(3), text()}};
  }

  void add_device(HostModel& model, unsigned n) {
    RdmaDevice device{"mlx" + std::to_string(n), {any64()}, {any64()}, "0000:03:00.0", "mlx4_core", text(), text(), {}};
    device.is_virtual = below(2) != 0;
    for (std::uint32_t number = 1; number <= below(3); ++number) {
      RdmaPort port{number, {any64()}, static_cast<LinkLayer>(below(3)), below(5), below(6), below(9), below(9),
                    text(), {}};
      if (below(2) != 0) port.link_type = static_cast<LinkType>(below(3));
      for (unsigned pkeys = below(3); pkeys > 0; --pkeys) port.pkeys.push_back(1 + below(0xffff));
      if (below(3) == 0)
        model.roce[{device.name, number}] = {{static_cast<RoceMode>(below(2))},
                                             {static_cast<RoceMode>(below(2)), below(256)}};
      if (below(2) != 0) model.port_mtus[port.guid.value] = {2048, 1024, {{static_cast<std::uint16_t>(0x8002), 256}}};
      device.ports.push_back(port);
    }
    model.devices.push_back(device);
  }

  TrafficClasses classes() {
    const auto byte = [this] { return static_cast<std::uint8_t>(below(256)); };
    TrafficClasses made{byte(), byte(), byte()};
    for (const auto& [name, eight] : arrays_of_classes)
      if (below(2) != 0)
        for (auto& number : made.*eight) number = byte();
    return made;
  }

  PortBuffers buffers() {
    PortBuffers made;
    for (auto& one : made.of_priority) one = static_cast<std::uint8_t>(below(8));
    for (auto& one : made.sizes) one = below(1U << 20U);
    made.total = below(1U << 23U);
    return made;
  }

  DcbState dcb() {
    DcbState made;
    made.is_older = below(4) == 0;
    if (!made.is_older && below(2) == 0) made.classes = classes();
    if (!made.is_older && below(2) == 0) made.dcbx = DcbxMode{static_cast<std::uint8_t>(below(32))};
    made.is_before_buffers = made.is_older || below(4) == 0;
    if (!made.is_before_buffers && below(2) == 0) made.buffers = buffers();
    if (below(3) != 0)
      made.flow_control = FlowControl{static_cast<std::uint8_t>(below(256)), static_cast<std::uint8_t>(below(9)), 0,
                                      static_cast<std::uint16_t>(below(65536))};
    for (std::uint8_t dscp = 0; dscp < 64; ++dscp)
      if (below(16) == 0) made.dscp.emplace(dscp, static_cast<std::uint8_t>(below(8)));
    return made;
  }

  PauseState pause() {
    PauseState made{below(2) != 0, below(2) != 0, below(2) != 0, std::nullopt};
    if (below(2) != 0) made.tx_frames = std::uint64_t{below(1000)} << 30U;
    return made;
  }

  void add_link(HostModel& model) {
    RecordedLink one;
    one.link.name = "if" + std::to_string(model.next_index);
    one.link.type = below(2) == 0 ? 1 : 32;
    one.link.up = below(2) != 0;
    one.link.carrier = below(2) != 0;
    one.link.mtu = below(70000);
    one.cable = below(2) != 0;
    if (model.ipv6 && below(3) != 0) one.link.ipv6 = static_cast<Ipv6Conf>(below(3));
    if (!model.links.empty() && below(2) != 0)
      one.link.parent = below(4) == 0 ? Link::parent_elsewhere : model.links.begin()->first;
    if (!one.link.is_ipoib() && below(3) == 0) one.dcb = dcb();
    if (!one.link.is_ipoib() && below(3) == 0) one.pause = pause();
    if (!one.link.is_ipoib() && below(3) == 0) one.flow_counters["tx_prio3_pause"] = std::uint64_t{below(1000)} << 30U;
    if (!model.links.empty() && below(4) == 0) one.link.master = model.links.begin()->first;
    if (one.link.master != 0 && below(2) != 0) one.mtu_alone = 1 + below(4092);
    if (!one.link.is_ipoib() && below(3) == 0) {
      one.link.kind = "bond";
      one.link.bond =
          BondInfo{{below(2) * 100, below(2) * 500, std::vector<IpAddress>{}}, static_cast<BondMode>(below(7))};
      if (below(2) != 0) one.link.bond->arp_targets->push_back({Family::v4, {192, 0, 2, 254}});
      if (!model.links.empty() && below(2) != 0)
        one.link.bond->primary = one.link.bond->active = model.links.begin()->first;
    }
    if (one.link.is_ipoib()) {
      one.link.kind = "ipoib";
      for (unsigned i = 0; i < 20; ++i) one.link.address += static_cast<char>(below(256));
      const auto pkey = static_cast<std::uint16_t>(0x8001U + below(0x7fff));
      one.link.ipoib = IpoibInfo{{static_cast<IpoibMode>(below(2)), below(2) != 0}, {pkey}};
      one.mcast_mtu = 1 + below(4092);
      one.admin_mtu = 1 + below(4092);
    }
    model.add(one);
  }

  IpAddress address() {
    IpAddress made;
    made.family = below(2) == 0 ? Family::v4 : Family::v6;
    for (std::size_t i = 0; i < made.size(); ++i) made.bytes[i] = static_cast<std::uint8_t>(below(256));
    return made;
  }

  void add_connection(HostModel& model) {
    Connection one;
    one.what = static_cast<Connection::What>(below(4));
    one.name = text();
    one.type = text();
    one.source = text();
    for (unsigned n = below(3); n > 0; --n) one.remotes.push_back(address());
    if (below(2) != 0) one.local = address();
    one.rdma = below(2) != 0;
    if (below(2) != 0) one.carries = {"/", "/var"};
    model.connections.push_back(std::move(one));
  }

  void add_addresses_and_routes(HostModel& model) {
    for (unsigned n = below(5); n > 0; --n) {
      const IpAddress one = address();
      const IpInterface interface { one, static_cast<std::uint8_t>(below(one.family == Family::v4 ? 33 : 129)) };
      model.addresses.push_back({model.links.rbegin()->first, interface, below(2) != 0, below(2) != 0, below(2) != 0});
      Route route{
          network_of(interface), {}, model.links.begin()->first, below(9999), static_cast<std::uint8_t>(below(256))};
      if (below(2) != 0) route.via = one;
      model.routes.push_back(route);
    }
  }

  std::mt19937 random_;
};

}  // namespace rdmastate
