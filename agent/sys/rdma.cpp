// SPDX-License-Identifier: Apache-2.0
#include "sys/rdma.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/error.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t attribute_limit = 64U << 10U;  // the most bytes that are read of one file

/// Subnet managers write P_Key tables in blocks of 32 entries. After two blocks without any entry the rest of the table
/// (up to 1024 entries, 4 microseconds each) is taken to be empty.
constexpr std::uint32_t empty_pkeys_to_stop_at = 64;

/// The text of a file in sysfs, without blanks at its end; empty where there is none.
std::string attribute(const Root& root, const std::string& path) {
  std::string text = root.read(path, attribute_limit).value_or("");
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

/// The number that `text` starts with: "4: ACTIVE" is 4, "0x1f" is 31. 0 when there is none.
std::uint32_t leading_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  return value;
}

/// The last 8 bytes of "fe80:0000:0000:0000:f452:1403:007b:cba1", or all of a GUID's.
Guid trailing_guid(const std::string& text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != ':'; });
  Guid guid;
  if (digits.size() < 16) return guid;
  std::from_chars(digits.data() + digits.size() - 16, digits.data() + digits.size(), guid.value, 16);
  return guid;
}

std::string last_component(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// "0000:3b:00.0": domain, bus, device and function.
bool is_pci_address(std::string_view name) {
  constexpr std::string_view shape = "hhhh:hh:hh.h";
  if (name.size() < shape.size()) return false;
  name.remove_prefix(name.size() - shape.size());  // some domains have more than four digits
  return std::equal(name.begin(), name.end(), shape.begin(), [](char c, char wanted) {
    return wanted == 'h' ? std::string_view("0123456789abcdef").find(c) != std::string_view::npos : c == wanted;
  });
}

/// The text of one entry of a P_Key table; empty at the end of the table. Opens the entry relative to the table, since
/// the whole path leads through many links, and there are up to 1024 entries. `directory` is for messages.
std::string pkey_at(const UniqueFd& table, std::uint32_t index, const std::string& directory) {
  const std::string entry = std::to_string(index);
  const UniqueFd fd{uninterrupted([&] { return ::openat(table.get(), entry.c_str(), O_RDONLY | O_CLOEXEC); })};
  if (!fd && errno == ENOENT) return {};  // the table's end
  if (!fd) throw SystemError("opening " + directory + entry, errno);
  return read_all(fd.get(), attribute_limit, directory + entry);
}

std::vector<std::uint32_t> pkeys_of(const Root& root, const std::string& directory) {
  std::vector<std::uint32_t> pkeys;
  const UniqueFd table = root.open(directory, O_PATH | O_DIRECTORY);
  for (std::uint32_t index = 0, empty = 0; table && empty < empty_pkeys_to_stop_at; ++index) {
    const std::string text = pkey_at(table, index, directory);
    if (text.empty()) break;
    const std::uint32_t pkey = leading_number(text);
    empty = pkey == 0 ? empty + 1 : 0;
    if (pkey != 0) pkeys.push_back(pkey);
  }
  return pkeys;
}

LinkLayer link_layer_from(std::string_view text) {
  if (text == "InfiniBand") return LinkLayer::infiniband;
  return text == "Ethernet" ? LinkLayer::ethernet : LinkLayer::unspecified;
}

// `directory` is the port's, with a slash at its end.
RdmaPort port_from(const Root& root, const std::string& directory, std::uint32_t number) {
  const auto read = [&](const char* name) { return attribute(root, directory + name); };
  RdmaPort port;
  port.number = number;
  port.guid = trailing_guid(read("gids/0"));
  port.link_layer = link_layer_from(read("link_layer"));
  port.state = leading_number(read("state"));
  port.phys_state = leading_number(read("phys_state"));
  port.lid = leading_number(read("lid"));
  port.sm_lid = leading_number(read("sm_lid"));
  port.rate = read("rate");
  port.pkeys = pkeys_of(root, directory + "pkeys/");
  return port;
}

// From "ib", or "auto (ib)" where the choice is left to the driver. nullopt: there is no such file, since the driver
// has no choice.
std::optional<LinkType> link_type_from(std::string_view text) {
  for (const LinkType type : {LinkType::infiniband, LinkType::ethernet, LinkType::automatic})
    if (text.substr(0, text.find(' ')) == kernel_word(type)) return type;
  return std::nullopt;
}

// The file in which mlx4_core shows and takes a port's type.
std::string link_type_file(const std::string& pci, std::uint32_t port) {
  return "/sys/bus/pci/devices/" + pci + "/mlx4_port" + std::to_string(port);
}

// Where the first port of a PCI function has no link type, no port of it has one.
void read_link_types(const Root& root, RdmaDevice& device) {
  for (auto& port : device.ports) {
    if (device.pci.empty()) return;
    port.link_type = link_type_from(attribute(root, link_type_file(device.pci, port.number)));
    if (!port.link_type) return;
  }
}

RdmaDevice device_from(const Root& root, const std::string& name) {
  const std::string directory = "/sys/class/infiniband/" + name + "/";
  RdmaDevice device;
  device.name = name;
  device.node_guid = trailing_guid(attribute(root, directory + "node_guid"));
  device.sys_image_guid = trailing_guid(attribute(root, directory + "sys_image_guid"));
  device.board_id = attribute(root, directory + "board_id");
  device.firmware = attribute(root, directory + "fw_ver");
  const std::string parent = last_component(root.read_link(directory + "device").value_or(""));
  if (is_pci_address(parent)) device.pci = parent;
  // The kernel of the host makes this link (drivers/pci/iov.c); a virtual machine that was given the function has none.
  device.is_virtual = root.read_link(directory + "device/physfn").has_value();
  device.driver = last_component(root.read_link(directory + "device/driver").value_or(""));
  for (const std::string& port : root.names(directory + "ports"))
    device.ports.push_back(port_from(root, directory + "ports/" + port + "/", leading_number(port)));
  std::sort(device.ports.begin(), device.ports.end(),
            [](const RdmaPort& a, const RdmaPort& b) { return a.number < b.number; });
  read_link_types(root, device);
  return device;
}

}  // namespace

// drivers/infiniband/sw/rxe/rxe_verbs.c: rxe alone has the file parent, the network device. Where siw can be without
// ib_uverbs its devices have no parent device, as an iWARP adapter has.
std::optional<SoftType> soft_type_in_sysfs(const Root& root, const std::string& device) {
  constexpr std::uint32_t rnic = 4;  // RDMA_NODE_RNIC of rdma/ib_verbs.h
  const std::string directory = "/sys/class/infiniband/" + device + "/";
  if (root.read(directory + "parent", attribute_limit)) return SoftType::rxe;
  const bool is_siw =
      leading_number(attribute(root, directory + "node_type")) == rnic && !root.read_link(directory + "device");
  return is_siw ? std::optional(SoftType::siw) : std::nullopt;
}

std::vector<RdmaDevice> KernelRdma::devices() {
  std::vector<std::string> names = root_.names("/sys/class/infiniband");
  std::sort(names.begin(), names.end());
  std::vector<RdmaDevice> devices;
  for (const std::string& name : names) {
    try {
      devices.push_back(device_from(root_, name));
    } catch (const SystemError& error) {
      // ENODEV, and the device is not listed any more: it vanished meanwhile.
      if (error.number() != ENODEV || root_.read_link("/sys/class/infiniband/" + name)) throw;
    }
  }
  return devices;
}

void KernelRdma::set_link_type(const std::string& pci, std::uint32_t port, LinkType type) {
  root_.write_attribute(link_type_file(pci, port), std::string(kernel_word(type)) + "\n");
}

}  // namespace rdmastate
