// SPDX-License-Identifier: Apache-2.0
#include "sys/verbs.hpp"

#include <fmt/format.h>
#include <infiniband/verbs.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "sys/libibverbs.hpp"

// The header defines macros of these names that call inline functions; this file needs the library's own symbols.
#undef ibv_get_device_list
#undef ibv_query_port

namespace rdmastate {
namespace {

constexpr std::size_t attribute_limit = 4096;  // the most bytes that are read of one file

struct Verbs {
  DynamicLibrary library = libibverbs();
  RDMASTATE_FUNCTION(library, ibv_get_device_list);
  RDMASTATE_FUNCTION(library, ibv_free_device_list);
  RDMASTATE_FUNCTION(library, ibv_get_device_name);
  RDMASTATE_FUNCTION(library, ibv_open_device);
  RDMASTATE_FUNCTION(library, ibv_close_device);
  RDMASTATE_FUNCTION(library, ibv_query_device);
  RDMASTATE_FUNCTION(library, ibv_query_port);
};

const Verbs& verbs() { return dynamic_table<Verbs>(); }

struct Close {
  void operator()(ibv_context* context) const noexcept { verbs().ibv_close_device(context); }
};
using Context = std::unique_ptr<ibv_context, Close>;

struct FreeList {
  void operator()(ibv_device** list) const noexcept { verbs().ibv_free_device_list(list); }
};

// Empty also where the attribute cannot be read, as some attributes of a port that is not set up.
std::string attribute(const Root& root, const std::string& path) {
  try {
    std::string text = root.read(path, attribute_limit).value_or("");
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
  } catch (const SystemError&) {
    return {};
  }
}

// The number that the text starts with; 0 where there is none.
std::uint32_t number(const std::string& text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// An entry that is not in use reads as zeros.
std::vector<GidDetail> gids_from(const Root& root, const std::string& directory) {
  std::vector<GidDetail> gids;
  for (const std::string& entry : root.names(directory + "gids")) {
    GidDetail one;
    one.index = number(entry);
    one.gid = attribute(root, directory + "gids/" + entry);
    if (one.gid.find_first_not_of("0:") == std::string::npos) continue;
    one.type = attribute(root, directory + "gid_attrs/types/" + entry);
    one.netdev = attribute(root, directory + "gid_attrs/ndevs/" + entry);
    gids.push_back(std::move(one));
  }
  std::sort(gids.begin(), gids.end(), [](const GidDetail& a, const GidDetail& b) { return a.index < b.index; });
  return gids;
}

PortDetail port_from(const Root& root, const std::string& directory, std::uint32_t which) {
  constexpr std::size_t prefix_length = 19;  // of "fe80:0000:0000:0000:f452:1403:007b:cba1"
  PortDetail port;
  port.number = which;
  port.subnet_prefix = attribute(root, directory + "gids/0").substr(0, prefix_length);
  port.lmc = number(attribute(root, directory + "lid_mask_count"));
  port.capability_mask = attribute(root, directory + "cap_mask");
  port.netdev = attribute(root, directory + "gid_attrs/ndevs/0");
  port.gids = gids_from(root, directory);
  return port;
}

DeviceDetail device_from(const Root& root, const std::string& name) {
  const std::string directory = "/sys/class/infiniband/" + name + "/";
  DeviceDetail device;
  device.name = name;
  device.type = attribute(root, directory + "hca_type");
  device.hardware = attribute(root, directory + "hw_rev");
  for (const std::string& port : root.names(directory + "ports"))
    device.ports.push_back(port_from(root, directory + "ports/" + port + "/", number(port)));
  std::sort(device.ports.begin(), device.ports.end(),
            [](const PortDetail& a, const PortDetail& b) { return a.number < b.number; });
  return device;
}

std::string transport_name(ibv_transport_type type) {
  if (type == IBV_TRANSPORT_IB) return "InfiniBand";
  return type == IBV_TRANSPORT_IWARP ? "iWARP" : fmt::format("{}", static_cast<int>(type));
}

std::uint32_t mtu_bytes(ibv_mtu mtu) {
  constexpr std::uint32_t half_of_least = 128;  // IBV_MTU_256 is 1
  return half_of_least << static_cast<unsigned>(mtu);
}

// ask_port(), ask_device() and ask_all() add what libibverbs says. Where a call of it fails, the fields stay empty.
void ask_port(ibv_context* context, PortDetail& port) {
  ibv_port_attr attributes{};
  // The library's symbol takes the struct under this name; it does not fill the members that were appended later.
  auto* answer = reinterpret_cast<_compat_ibv_port_attr*>(&attributes);
  if (verbs().ibv_query_port(context, static_cast<std::uint8_t>(port.number), answer) != 0) return;
  port.max_mtu = mtu_bytes(attributes.max_mtu);
  port.active_mtu = mtu_bytes(attributes.active_mtu);
}

void ask_device(ibv_device* found, DeviceDetail& device) {
  device.transport = transport_name(found->transport_type);
  const Context context(verbs().ibv_open_device(found));
  if (!context) return;
  ibv_device_attr attributes{};
  if (verbs().ibv_query_device(context.get(), &attributes) == 0) {
    device.vendor_id = attributes.vendor_id;
    device.vendor_part_id = attributes.vendor_part_id;
    device.hw_ver = attributes.hw_ver;
  }
  for (auto& port : device.ports) ask_port(context.get(), port);
}

void ask_all(std::vector<DeviceDetail>& devices) {
  int count = 0;
  const std::unique_ptr<ibv_device*, FreeList> list(verbs().ibv_get_device_list(&count));
  for (int i = 0; list && i < count; ++i) {
    const std::string name = verbs().ibv_get_device_name(list.get()[i]);
    const auto at = std::find_if(devices.begin(), devices.end(), [&](const auto& one) { return one.name == name; });
    if (at != devices.end()) ask_device(list.get()[i], *at);
  }
}

}  // namespace

std::vector<DeviceDetail> read_details(const Root& root, const std::vector<std::string>& names, std::string& trouble) {
  std::vector<DeviceDetail> devices;
  for (const auto& name : names) devices.push_back(device_from(root, name));
  if (devices.empty()) return devices;
  try {
    ask_all(devices);
  } catch (const Error& error) {
    trouble = error.what();
  }
  return devices;
}

}  // namespace rdmastate
