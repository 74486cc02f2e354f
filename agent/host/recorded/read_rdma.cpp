// SPDX-License-Identifier: Apache-2.0
// Reads the RDMA devices of a record's JSON text (read_device), with the state of their ports that the kernel does not
// show in RdmaPort: MTUs, network devices, RoCE defaults. Errors name the place in the text.

#include "base/json_object.hpp"
#include "base/types_device.hpp"
#include "host/recorded/kernel.hpp"
#include "host/recorded/model.hpp"
#include "host/recorded/rdma.hpp"

namespace rdmastate {
namespace {

// A record may have the GUID 0, which soft devices show; a spec may not.
Guid read_guid(JsonObject& in, const std::string& key) {
  if (in.text_or(key, "") == to_text(Guid{})) return {};
  return in.value<Guid>(key);
}

// An entry of a P_Key table as the kernel prints it, "0x8001"; free entries (0x0000) do not stand in a record.
std::uint32_t read_pkey(const std::string& text, const std::string& path) {
  const bool hex =
      text.size() == 6 && text.starts_with("0x") && text.find_first_not_of("0123456789abcdef", 2) == std::string::npos;
  if (!hex || text == "0x0000") throw Error(path + ": expected a table entry such as \"0xffff\", got \"" + text + "\"");
  return static_cast<std::uint32_t>(std::stoul(text, nullptr, 16));
}

// Refuses what is no MTU of InfiniBand, or of Omni-Path (the last two).
std::uint32_t read_mtu(std::uint32_t mtu, const std::string& path) {
  constexpr std::uint32_t known[] = {256, 512, 1024, 2048, 4096, 8192, 10240};
  if (std::find(std::begin(known), std::end(known), mtu) == std::end(known))
    throw Error(path + ": expected an InfiniBand MTU (256, 512, 1024, 2048, 4096), got " + std::to_string(mtu));
  return mtu;
}

PortMtu read_port_mtu(JsonObject& in) {
  PortMtu mtu;
  mtu.max = read_mtu(in.number_or("max_mtu", mtu.max), in.path() + ".max_mtu");
  mtu.group = read_mtu(in.number_or("group_mtu", mtu.group), in.path() + ".group_mtu");
  in.each_member("group_mtus", [&](const std::string& name, const Json& value, const std::string& path) {
    mtu.partitions.emplace(static_cast<std::uint16_t>(read_pkey(name, path)), read_mtu(json_number(value, path), path));
  });
  return mtu;
}

RoceMode read_roce_mode(const Json& value, const std::string& path) {
  const std::string text = json_text(value, path);
  RoceMode mode{};
  if (Text<RoceMode>::read({text, /*plain=*/false}, mode))
    throw Error(path + ": expected v1 or v2, got \"" + text + "\"");
  return mode;
}

RecordedRoce read_roce(JsonObject& in) {
  RecordedRoce roce;
  in.each("modes", [&](const Json& one, const std::string& path) { roce.modes.push_back(read_roce_mode(one, path)); });
  roce.defaults = kernel::first_defaults(roce.modes);
  if (const auto mode = in.value_if<RoceMode>("default_mode")) roce.defaults.mode = *mode;
  roce.defaults.tos = in.number_or("tos", 0);
  return roce;
}

RdmaPort read_port(const Json& value, const std::string& path, const std::string& device, HostModel& model) {
  JsonObject in(value, path);
  RdmaPort port;
  port.number = in.number("number");
  port.guid = read_guid(in, "guid");
  port.link_layer = in.value<LinkLayer>("link_layer");
  port.link_type = in.value_if<LinkType>("link_type");
  port.state = in.number("state");
  port.phys_state = in.number_or("phys_state", 0);
  port.lid = in.number_or("lid", 0);
  port.sm_lid = in.number_or("sm_lid", 0);
  port.rate = in.text_or("rate", "");
  in.each("pkeys", [&](const Json& one, const std::string& place) {
    port.pkeys.push_back(read_pkey(json_text(one, place), place));
  });
  if (const PortMtu mtu = read_port_mtu(in); mtu != PortMtu{}) model.port_mtus.emplace(port.guid.value, mtu);
  if (in.has("netdev")) model.netdevs.emplace(HostModel::Port{device, port.number}, in.text("netdev"));
  in.with("roce", [&](JsonObject& roce) { model.roce.emplace(HostModel::Port{device, port.number}, read_roce(roce)); });
  in.finish();
  return port;
}

RecordedSriov read_sriov(JsonObject& in) {
  RecordedSriov sriov;
  sriov.total = in.number("total");
  sriov.autoprobe = in.flag_or("autoprobe", true);
  sriov.offset = in.number_or("offset", sriov.offset);
  sriov.stride = in.number_or("stride", sriov.stride);
  for (const char* key : {"offset", "stride"})
    if (in.has(key) && in.number_or(key, 1) == 0) in.refuse(key, "is 1 or more");
  in.each("functions", [&](const Json& one, const std::string& path) {
    JsonObject vf(one, path);
    RecordedVf made;
    made.driver = vf.text_or("driver", "");
    made.settings = {vf.value_if<ReportedGuid>("node_guid"), vf.value_if<ReportedGuid>("port_guid"),
                     vf.value_if<VfLinkState>("link_state")};
    vf.finish();
    sriov.functions.push_back(std::move(made));
  });
  return sriov;
}

}  // namespace

void read_device(const Json& value, const std::string& path, HostModel& model) {
  JsonObject in(value, path);
  RdmaDevice device;
  device.name = in.text("name");
  device.node_guid = read_guid(in, "node_guid");
  if (in.has("sys_image_guid")) device.sys_image_guid = read_guid(in, "sys_image_guid");
  device.pci = in.text_or("pci", "");
  device.driver = in.text_or("driver", "");
  device.board_id = in.text_or("board_id", "");
  device.firmware = in.text_or("firmware", "");
  device.is_virtual = in.flag_or("virtual", false);
  if (PciAddress pci; in.has("sriov") && Text<PciAddress>::read(Scalar{device.pci}, pci))
    in.refuse("sriov", "a device with virtual functions has a PCI address in pci, as 0000:3b:00.0");
  in.with("sriov", [&](JsonObject& sriov) { model.sriov.emplace(device.pci, read_sriov(sriov)); });
  in.with("soft", [&](JsonObject& soft) {
    model.soft.emplace(device.name, SoftDevice{soft.value<SoftType>("type"), soft.text("netdev"), device.name});
  });
  in.each("users", [&](const Json& one, const std::string& place) {
    JsonObject user(one, place);
    const auto what = user.flag_or("connection", false) ? RdmaUser::What::connection : RdmaUser::What::queue_pair;
    model.users[device.name].push_back({what, user.number_or("pid", 0), user.text("command")});
    user.finish();
  });
  in.each("ports", [&](const Json& one, const std::string& place) {
    device.ports.push_back(read_port(one, place, device.name, model));
  });
  in.finish();
  model.devices.push_back(std::move(device));
}

}  // namespace rdmastate
