// SPDX-License-Identifier: Apache-2.0
// /sys/class/pci_bus/BUS/device is the bridge that a bus is behind, so the way from a function up to the root complex
// is read without looking at every function. Registers: PCI Express Base Specification, include/uapi/linux/pci_regs.h.
#include "doctor/acs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::string_view functions = "/sys/bus/pci/devices";
constexpr std::string_view buses = "/sys/class/pci_bus";

// The value of a line KEY=VALUE; empty: there is no such line.
std::string value_of(std::string_view uevent, std::string_view key) {
  std::string value;
  for_lines(uevent, [&](std::string_view line) {
    if (line.starts_with(key) && line.substr(key.size()).starts_with('=')) value = line.substr(key.size() + 1);
  });
  return value;
}

// The functions that drivers of GPUs drive. One that a virtual machine has (vfio-pci) is not this host's to use.
std::vector<std::string> gpus(Examination& look) {
  std::vector<std::string> found;
  for (const auto& pci : look.names(std::string(functions))) {
    const std::string uevent = look.text(fmt::format("{}/{}/uevent", functions, pci)).value_or("");
    const std::string driver = value_of(uevent, "DRIVER");
    if (driver == "nvidia" || driver == "amdgpu" || driver == "habanalabs") found.push_back(pci);
  }
  return found;
}

/// A bridge above a function.
struct Bridge {
  std::string pci;  ///< "0000:16:00.0"
  std::string bus;  ///< the bus behind it: "0000:17"
  std::string path() const { return fmt::format("{}/{}/device/config", buses, bus); }
};

// "0000:17" of "0000:17:00.0"
std::string bus_of(const std::string& pci) { return pci.substr(0, pci.rfind(':')); }

// The bridges above a function, from the nearest to the root port.
std::vector<Bridge> way_up(Examination& look, const std::string& pci) {
  constexpr std::size_t deepest = 32;
  std::vector<Bridge> way;
  for (std::string bus = bus_of(pci); way.size() < deepest;) {
    const auto uevent = look.text(fmt::format("{}/{}/device/uevent", buses, bus));
    std::string bridge = value_of(uevent.value_or(""), "PCI_SLOT_NAME");  // a root bus is behind none
    if (bridge.empty()) break;
    way.push_back({bridge, bus});
    bus = bus_of(bridge);
  }
  return way;
}

/// Where the ways of two functions meet.
struct Meeting {
  Bridge bridge;              ///< above both
  std::vector<Bridge> ports;  ///< those next below it on both ways: what ACS of these says is done
};

// The nearest bridge that is on both ways up; nullopt: none is.
std::optional<Meeting> meeting(const std::vector<Bridge>& a, const std::vector<Bridge>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (a[i].pci != b[j].pci) continue;
      Meeting met{a[i], {}};
      if (i > 0) met.ports.push_back(a[i - 1]);
      if (j > 0) met.ports.push_back(b[j - 1]);
      return met;
    }
  return std::nullopt;
}

// --- the configuration space

constexpr std::size_t most_of_others = 128;    // bytes that the kernel shows to who is not root (pci_read_config)
constexpr std::size_t first_extended = 0x100;  // where extended capabilities begin

std::uint32_t number_at(std::string_view config, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes && at + i < config.size(); ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(config[at + i])) << (8 * i);
  return value;
}

// Where the ACS capability begins; 0: there is none.
std::size_t acs_in(std::string_view config) {
  constexpr std::uint32_t acs = 0x0d;
  constexpr int most = 64;  // a list that does not end is a broken one
  std::size_t at = first_extended;
  for (int i = 0; i < most && at >= first_extended && at + 8 <= config.size(); ++i) {
    const std::uint32_t header = number_at(config, at, 4);
    if ((header & 0xffffU) == acs) return at;
    at = header >> 20U & 0xffcU;
  }
  return 0;
}

// The control register of ACS; 0 where there is none. nullopt: this user may not see it, which is noted.
std::optional<std::uint32_t> acs_control(Examination& look, const Bridge& port) {
  const auto config = look.text(port.path());
  if (!config) return std::nullopt;
  if (config->size() <= most_of_others) {
    look.unseen(port.path(), std::string(look.snapshot.who_sees()));
    return std::nullopt;
  }
  const std::size_t at = acs_in(*config);
  return at == 0 ? 0 : number_at(*config, at + 6, 2);
}

// P2P Request Redirect, without Direct Translated P2P, by which requests with translated addresses (ATS) go past it.
bool redirects(std::uint32_t control) {
  constexpr std::uint32_t request_redirect = 0x04;
  constexpr std::uint32_t direct_translated = 0x40;
  return (control & request_redirect) != 0 && (control & direct_translated) == 0;
}

void look_at(Examination& look, const RdmaDevice& device, const std::vector<std::string>& all_gpus) {
  const auto way = way_up(look, device.pci);
  std::vector<std::string> reached;  // GPUs
  std::vector<std::string> ports;
  std::vector<Evidence> evidence;
  for (const auto& gpu : all_gpus) {
    const auto met = meeting(way, way_up(look, gpu));
    if (!met) continue;
    for (const auto& port : met->ports) {
      const auto control = acs_control(look, port);
      if (!control || !redirects(*control)) continue;
      if (reached.empty() || reached.back() != gpu) reached.push_back(gpu);
      if (std::find(ports.begin(), ports.end(), port.pci) != ports.end()) continue;
      ports.push_back(port.pci);
      evidence.push_back(
          {port.path(), fmt::format("of {}, ACS control 0x{:04x}: requests are redirected", port.pci, *control)});
    }
  }
  if (reached.empty()) return;
  std::string commands;
  for (const auto& port : ports)
    commands += fmt::format("{}`setpci -s {} ECAP_ACS+6.w=0:000c`", commands.empty() ? "" : ", ", port);
  look.found(
      {About::device, device.name},
      fmt::format("what it exchanges with GPU {} goes through the root complex, past the bridge above both",
                  fmt::join(reached, ", ")),
      "ACS of the bridge's ports redirects peer requests. Firmware, or the kernel for the IOMMU, turned it on, so "
      "that virtual machines which have a function each are kept apart.",
      fmt::format("Where no virtual machine has a function below it: turn ACS off in the firmware's setup, or at each "
                  "boot {}.",
                  commands),
      std::move(evidence));
}

// Of the configuration space the ACS capability, as one that is the first of the list and the last.
Kept acs_alone(const FileToKeep& file) {
  if (file.text.size() <= most_of_others) return kept_part(std::string(file.text));
  const std::size_t at = acs_in(file.text);
  if (at == 0) return {};
  constexpr std::size_t length = 8;
  std::string config(first_extended, '\0');
  config += file.text.substr(at, length);
  config[first_extended + 2] = '\1';  // version 1, and no next one
  config[first_extended + 3] = '\0';
  return kept_part(config + std::string(length, '\0'));
}

}  // namespace

void look_for_redirect(Examination& look) {
  const auto& devices = look.facts.devices;
  const auto is_on_bus = [](const RdmaDevice& device) { return !device.pci.empty() && !device.is_virtual; };
  if (std::none_of(devices.begin(), devices.end(), is_on_bus)) return;
  const auto all_gpus = gpus(look);
  for (const auto& device : devices)
    if (!all_gpus.empty() && is_on_bus(device)) look_at(look, device, all_gpus);
}

FilePlaces acs_places() {
  FilePlaces places = whole_files({"/sys/bus/pci/devices/*/uevent", "/sys/class/pci_bus/*/device/uevent"});
  places.push_back({fmt::format("{}/*/device/config", buses), acs_alone});
  return places;
}

}  // namespace rdmastate::doctor
