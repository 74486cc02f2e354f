// SPDX-License-Identifier: Apache-2.0
// The checks of speed: widths and rates of ports, and the PCIe link and NUMA node of their adapters. `table`, at the
// end, lists the checks.
#include <fmt/format.h>

#include <charconv>
#include <map>

#include "base/lines.hpp"
#include "doctor/examination.hpp"

namespace rdmastate::doctor {
namespace {

/// The number that a rate begins with: 56 of "56 Gb/sec (4X FDR)", 8 of a bus's "8.0 GT/s PCIe"; 0: it has none.
double gigabits(std::string_view rate) {
  double value = 0;
  std::from_chars(rate.data(), rate.data() + rate.size(), value);
  return value;
}

Evidence rate_of(const RdmaDevice& device, const RdmaPort& port) {
  return {sysfs_of(device, port) + "rate", port.rate};
}

template <class Each>
void each_active(Examination& look, Each&& each) {
  for (const auto& device : look.facts.devices)
    for (const auto& port : device.ports)
      if (port.is_active()) each(device, port);
}

// --- width-degraded, rate-uneven

// Of Ethernet one lane is usual: "25 Gb/sec (1X EDR)" is a 25 Gb/s port.
void look_for_width(Examination& look) {
  each_active(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    if (port.link_layer != LinkLayer::infiniband || port.rate.find("(1X ") == std::string::npos) return;
    look.found(subject_of(device, port), fmt::format("the link runs on one lane: {}", port.rate),
               "A lane of the cable or of a connector is broken, or the link partner has one lane.",
               "Clean or change the cable; `iblinkinfo` shows both ends.", {rate_of(device, port)});
  });
}

void look_for_uneven(Examination& look) {
  std::map<std::pair<std::string, LinkLayer>, double> best;
  const auto key = [](const RdmaDevice& device, const RdmaPort& port) {
    return std::pair(device.board_id, port.link_layer);
  };
  each_active(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    double& rate = best[key(device, port)];
    rate = std::max(rate, gigabits(port.rate));
  });
  each_active(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    const double most = best[key(device, port)];
    if (device.board_id.empty() || gigabits(port.rate) == 0 || gigabits(port.rate) >= most) return;
    look.found(
        subject_of(device, port),
        fmt::format("the port runs at {}, another one of the same kind of adapter at {} Gb/sec", port.rate, most),
        "The link partner or the cable can do no more, or the link came up slower than it can.",
        "Compare cables and switch ports; devices.expect.ports.rate in a spec says what a port should have.",
        {rate_of(device, port), {sysfs_of(device) + "board_id", device.board_id}});
  });
}

// --- pcie-slow, pcie-degraded

/// A PCIe link at one speed and width.
struct PcieLink {
  double speed = 0;  ///< GT/s
  std::uint64_t width = 0;

  // In Gb/s. Up to 5 GT/s 8 of 10 bits are data, above 128 of 130 (PCI Express Base Specification).
  double data_rate() const { return speed * static_cast<double>(width) * (speed <= 5 ? 0.8 : 128.0 / 130.0); }
  std::string text() const { return fmt::format("{} GT/s x{}", speed, width); }
};

/// The PCIe link of one device.
struct Slot {
  PcieLink now;      ///< as it was trained
  PcieLink most;     ///< what the adapter can do; the slot may do less
  std::string path;  ///< of the function in sysfs, with a slash at its end
  std::vector<Evidence> evidence() const {
    return {{path + "current_link_speed, current_link_width", now.text()},
            {path + "max_link_speed, max_link_width", most.text()}};
  }
};

// The PCIe link of the device. nullopt: it has no PCI function, or a virtual one, which has no link of its own.
std::optional<Slot> slot_of(Examination& look, const RdmaDevice& device) {
  if (device.pci.empty()) return std::nullopt;
  Slot slot;
  slot.path = "/sys/bus/pci/devices/" + device.pci + "/";
  const auto read = [&](const char* which, PcieLink& bus) {
    bus.speed = gigabits(look.text(fmt::format("{}{}_link_speed", slot.path, which)).value_or(""));
    bus.width = look.number(fmt::format("{}{}_link_width", slot.path, which)).value_or(0);
  };
  read("current", slot.now);
  read("max", slot.most);
  constexpr std::uint64_t unknown_width = 255;  // PCIE_LNK_WIDTH_UNKNOWN, the kernel's include/linux/pci.h
  if (slot.now.speed == 0 || slot.now.width == 0 || slot.now.width == unknown_width) return std::nullopt;
  return slot;
}

// The rate, in Gb/s, of its fastest port that is ACTIVE; 0: none is.
double fastest(const RdmaDevice& device) {
  double most = 0;
  for (const auto& port : device.ports)
    if (port.is_active()) most = std::max(most, gigabits(port.rate));
  return most;
}

void look_for_slow(Examination& look) {
  for (const auto& device : look.facts.devices) {
    const auto slot = slot_of(look, device);
    const double rate = fastest(device);
    if (!slot || slot->now.data_rate() >= rate) continue;
    look.found(
        {About::device, device.name},
        fmt::format("its bus ({}) carries {:.0f} Gb/s, its port {} Gb/s", slot->now.text(), slot->now.data_rate(),
                    rate),
        slot->now.data_rate() < slot->most.data_rate()
            ? "The adapter sits in a slot with fewer lanes or an older generation, or its link was trained down."
            : "The adapter's own bus is slower than its port.",
        "Move the adapter to a slot that can do more; look at the riser and at the firmware's setting of the slot.",
        slot->evidence());
  }
}

void look_for_degraded(Examination& look) {
  for (const auto& device : look.facts.devices) {
    const auto slot = slot_of(look, device);
    if (!slot || slot->now.data_rate() >= slot->most.data_rate() || slot->now.data_rate() < fastest(device)) continue;
    look.found({About::device, device.name},
               fmt::format("its bus runs at {}, and the adapter can do {}", slot->now.text(), slot->most.text()),
               "The slot has fewer lanes or is of an older generation, or the link was trained down.",
               "Nothing, as long as one port is used at a time: the bus carries more than the port.", slot->evidence());
  }
}

// --- pcie-errors

/// The number behind TOTAL_ERR_COR, TOTAL_ERR_FATAL or TOTAL_ERR_NONFATAL, as the kernel's drivers/pci/pcie/aer.c
/// writes such a file; 0: it has no such line.
std::uint64_t total_in(const std::string& text) {
  std::uint64_t total = 0;
  for_lines(text, [&](std::string_view line) {
    if (!line.starts_with("TOTAL_ERR_")) return;
    const std::string_view number = line.substr(std::min(line.find(' ') + 1, line.size()));
    std::from_chars(number.data(), number.data() + number.size(), total);
  });
  return total;
}

void look_for_bus_errors(Examination& look) {
  for (const auto& device : look.facts.devices) {
    if (device.pci.empty()) continue;
    for (const std::string kind : {"fatal", "nonfatal", "correctable"}) {
      const std::string path = "/sys/bus/pci/devices/" + device.pci + "/aer_dev_" + kind;
      const std::uint64_t total = total_in(look.text(path).value_or(""));
      if (total == 0) continue;
      auto& finding = look.found(
          {About::device, device.name}, fmt::format("{} {} errors on its bus since the boot", total, kind),
          "The adapter sits loosely, or slot, riser or adapter is broken.",
          "Seat the adapter anew; `journalctl -k -g AER` names the errors.", {{path, fmt::format("total {}", total)}});
      if (kind == "correctable") finding.severity = Severity::info;
    }
  }
}

// --- numa-unknown

void look_for_numa(Examination& look) {
  const std::string nodes = look.text("/sys/devices/system/node/online").value_or("0");
  if (nodes == "0") return;
  for (const auto& device : look.facts.devices) {
    if (device.pci.empty()) continue;
    const std::string path = "/sys/bus/pci/devices/" + device.pci + "/numa_node";
    if (look.text(path).value_or("") != "-1") continue;
    look.found({About::device, device.name},
               fmt::format("its NUMA node is not known, and the host has nodes {}", nodes),
               "The firmware does not say which processor the slot belongs to.",
               "Update the host's firmware (BIOS), or bind programs by hand.", {{path, "-1"}});
  }
}

constexpr Check speed_table[] = {
    {"width-degraded", Severity::warning, "An InfiniBand link runs on one lane",
     "Links of hosts have four lanes, or two. A link that came up with one has a quarter of its rate; mostly a connector is "
     "dirty or a cable is broken.",
     look_for_width},
    {"rate-uneven", Severity::info, "Ports of the same kind of adapter run at different rates",
     "Two ports of adapters with the same board id are ACTIVE at different rates. That is right where their link partners "
     "differ; else one link is degraded. doctor cannot know what a port should have: a spec's devices.expect can.",
     look_for_uneven},
    {"pcie-slow", Severity::warning, "An adapter's PCIe link is slower than its port",
     "What the bus carries is its speed times its lanes, less the encoding, and less some 10 % of protocol which is not counted "
     "here. Below the port's rate the port can never be filled.",
     look_for_slow},
    {"pcie-degraded", Severity::info, "An adapter's PCIe link runs below what the adapter can do",
     "The link has fewer lanes or a lower speed than the adapter could use, and is still faster than the fastest port. With "
     "two ports in use at a time it may be too slow.",
     look_for_degraded},
    {"pcie-errors", Severity::warning, "The bus counted errors of an adapter",
     "PCIe's Advanced Error Reporting counts errors per function. Fatal and non-fatal ones mean lost work; correctable ones "
     "(information only) are repeated by the hardware, and many of them cost throughput.",
     look_for_bus_errors},
    {"numa-unknown", Severity::info, "An adapter's NUMA node is not known",
     "Programs that place their memory and threads near the adapter (MPI, NCCL, irqbalance) ask for its node. -1 on a host "
     "with several nodes makes them guess.",
     look_for_numa},
};

// Keeps the files of RDMA devices alone.
Kept keep_of_devices(const FileToKeep& file) {
  const bool ours = std::any_of(file.facts.devices.begin(), file.facts.devices.end(), [&](const RdmaDevice& device) {
    return !device.pci.empty() && file.path.find("/" + device.pci + "/") != std::string_view::npos;
  });
  return Kept{ours ? Kept::How::whole : Kept::How::nothing};
}

FilePlaces speed_places() {
  FilePlaces places = whole_files({"/sys/devices/system/node/online"});
  for (const char* name : {"current_link_speed", "current_link_width", "max_link_speed", "max_link_width",
                           "aer_dev_fatal", "aer_dev_nonfatal", "aer_dev_correctable", "numa_node"})
    places.push_back({std::string("/sys/bus/pci/devices/*/") + name, keep_of_devices});
  return places;
}

}  // namespace

const CheckFamily speed_checks{speed_table, speed_places};

}  // namespace rdmastate::doctor
