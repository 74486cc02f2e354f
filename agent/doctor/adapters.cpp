// SPDX-License-Identifier: Apache-2.0
// The checks of adapters: PCI functions, their drivers and RDMA devices, firmware, GUIDs. The table of all checks
// stands below their functions.
#include <fmt/format.h>

#include "base/lines.hpp"
#include "doctor/drivers.hpp"
#include "doctor/examination.hpp"
#include "platform/packages.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::string_view functions = "/sys/bus/pci/devices";

/// What a PCI function's uevent says (drivers/pci/pci-driver.c, pci_uevent()).
struct Function {
  std::string pci{};
  std::string driver{};  ///< empty: nothing drives it
  /// "20700": base class, subclass and interface, in hexadecimal digits without leading zeros
  std::string pci_class{};
  std::string id{};  ///< vendor and device: "15B3:101B"

  Subject subject() const { return {About::device, pci}; }
  std::string path() const { return fmt::format("{}/{}/uevent", functions, pci); }
  // include/linux/pci_ids.h: network/InfiniBand, network/fabric (Omni-Path), serial bus/InfiniBand.
  bool is_infiniband() const {
    return pci_class.starts_with("207") || pci_class.starts_with("208") || pci_class.starts_with("C06");
  }
  bool is_ethernet() const { return pci_class.starts_with("200"); }
  std::vector<Evidence> evidence() const {
    return {{path(), fmt::format("PCI_CLASS={} PCI_ID={} DRIVER={}", pci_class, id, driver)}};
  }
};

Function function_from(std::string_view uevent) {
  Function function;
  for_lines(uevent, [&](std::string_view line) {
    for (const auto& [key, to] : {std::pair("DRIVER=", &function.driver), std::pair("PCI_CLASS=", &function.pci_class),
                                  std::pair("PCI_ID=", &function.id)})
      if (line.starts_with(key)) *to = line.substr(std::string_view(key).size());
  });
  return function;
}

// Every PCI function of the classes InfiniBand and Ethernet.
template <class Each>
void each_function(Examination& look, Each&& each) {
  for (const auto& pci : look.names(std::string(functions))) {
    Function function = function_from(look.text(fmt::format("{}/{}/uevent", functions, pci)).value_or(""));
    function.pci = pci;
    if (function.is_infiniband() || function.is_ethernet()) each(function);
  }
}

bool has_device(const Examination& look, const Function& function) {
  return std::any_of(look.facts.devices.begin(), look.facts.devices.end(),
                     [&](const RdmaDevice& device) { return device.pci == function.pci; });
}

// --- driver-missing

/// Why a function has no driver, and what to do, as Finding::cause and Finding::fix.
struct CauseAndFix {
  std::string cause;
  std::string fix;
};

CauseAndFix why_no_driver(const Examination& look, const Function& function) {
  const std::string module(module_of_function(function.id));
  if (module.empty())
    return {"Nothing that this kernel loaded knows the adapter.",
            fmt::format("Install the vendor's driver for {}.", function.id)};
  if (look.snapshot.module(ModuleName{module}) == ModuleStatus::missing)
    return {fmt::format("The running kernel has no module {}.", module),
            "Install the kernel's package with more modules, and boot that kernel."};
  return {fmt::format("{} is not loaded, is blocked in modprobe.d, or refused the adapter.", module),
          fmt::format("modules: {{load: [{}]}}, and read `journalctl -k -g {}`.", module, module)};
}

void look_for_drivers(Examination& look) {
  each_function(look, [&](const Function& function) {
    if (!function.is_infiniband() || !function.driver.empty()) return;
    auto [cause, fix] = why_no_driver(look, function);
    look.found(function.subject(), "no driver drives this InfiniBand function", std::move(cause), std::move(fix),
               function.evidence());
  });
}

// --- rdma-module-missing, device-missing

// Every function without an RDMA device whose driver could have one, and the module that makes it.
template <class Each>
void each_without_device(Examination& look, Each&& each) {
  each_function(look, [&](const Function& function) {
    if (has_device(look, function)) return;
    if (const RdmaDriver* rdma = rdma_driver(function.driver)) each(function, std::string(rdma->module));
  });
}

// "; install firmware-qlogic, which has the firmware that ib_qib loads", by the distribution's name where it is known;
// empty: what the driver loads is not known.
std::string firmware_advice(const Examination& look, std::string_view driver) {
  const auto names = package_names(look.facts);
  const auto packages = firmware_for(names.value_or(PackageNames::debian), driver);
  if (packages.empty())
    return rdma_driver(driver) == nullptr ? "" : fmt::format("; {} loads none from /lib/firmware", driver);
  if (!names) return fmt::format("; install the package with the firmware that {} loads", driver);
  return fmt::format("; install {}, which has the firmware that {} loads", packages.front().name, driver);
}

// An Ethernet adapter works without the module; whether it is to have RDMA, only a spec says.
void look_for_modules(Examination& look) {
  each_without_device(look, [&](const Function& function, const std::string& module) {
    if (look.has_module(module.c_str())) return;
    auto& finding = look.found(
        function.subject(), fmt::format("{} drives it, and no RDMA device is made of it", function.driver),
        fmt::format("{} is not loaded.", module), fmt::format("modules: {{load: [{}]}}", module), function.evidence());
    if (function.is_ethernet()) finding.severity = Severity::info;
  });
}

void look_for_devices(Examination& look) {
  each_without_device(look, [&](const Function& function, const std::string& module) {
    if (!function.is_infiniband() || !look.has_module(module.c_str())) return;
    look.found(function.subject(),
               fmt::format("{} and {} are loaded, and no RDMA device is there", function.driver, module),
               "The driver refused the adapter, or its firmware did not load.",
               fmt::format("Read `journalctl -k -g {}`{}.", function.driver, firmware_advice(look, function.driver)),
               function.evidence());
  });
}

// --- firmware-missing

void look_for_firmware(Examination& look) {
  for (const auto& device : look.facts.devices)
    if (!device.firmware.empty() && device.firmware.find_first_not_of("0.") == std::string::npos)
      look.found({About::device, device.name}, fmt::format("its firmware's version is {}", device.firmware),
                 "The adapter runs no firmware, or one that failed to start.",
                 fmt::format("Write the adapter's flash anew with the vendor's tool, and boot{}.",
                             firmware_advice(look, device.driver)),
                 {{sysfs_of(device) + "fw_ver", device.firmware}});
}

// --- guid-zero

void look_for_guids(Examination& look) {
  for (const auto& device : look.facts.devices) {
    if (device.node_guid.value != 0 || device.driver.empty()) continue;
    look.found(
        {About::device, device.name}, "its node GUID is zero",
        device.is_virtual ? "Nobody has given this virtual function GUIDs."
                          : "The adapter, or the host that gave this machine the function, has no GUIDs for it.",
        "On the host with the physical function: `ip link set PF vf N node_guid GUID`, the same with port_guid, then "
        "unbind and bind the function.",
        {{sysfs_of(device) + "node_guid", to_text(device.node_guid)}});
  }
}

constexpr Check adapter_table[] = {
    {"driver-missing", Severity::error, "An InfiniBand function has no driver",
     "The PCI bus shows an adapter of class InfiniBand, and no driver is bound to it: nothing of RDMA works on it. The "
     "driver's module is not loaded (a blacklist in modprobe.d, an initrd without it), is not there (cloud kernels have it "
     "in a package of its own, linux-modules-extra), or refused the adapter; what it says then is in the kernel's log.",
     look_for_drivers},
    {"rdma-module-missing", Severity::error, "An adapter's driver is there, and the module for RDMA is not loaded",
     "Most drivers have two halves: mlx5_core drives the adapter, mlx5_ib makes the RDMA device. Without the second the "
     "adapter is a plain network card, and an InfiniBand adapter is nothing. udev loads it with rdma-core's rules "
     "(90-rdma-hw-modules.rules); without rdma-core, name it in modules.load. On Ethernet this is information only.",
     look_for_modules},
    {"device-missing", Severity::error, "An adapter's driver is loaded, and it made no RDMA device",
     "The driver is bound to the InfiniBand function and its RDMA half is loaded, and still there is no RDMA device: the "
     "driver gave up on the adapter. The usual reason is firmware that it could not load from /lib/firmware (hfi1), or that "
     "is too old or too new for it (mlx5). The kernel's log says which.",
     look_for_devices},
    {"firmware-missing", Severity::warning, "An adapter reports a firmware of version zero",
     "The driver asks the adapter for its firmware's version and gets 0.0.0: the adapter is in recovery mode or its firmware "
     "did not start. A spec's expect.firmware says which version a host should have.",
     look_for_firmware},
    {"guid-zero", Severity::error, "A device's node GUID is zero",
     "Virtual functions of InfiniBand adapters begin with GUID 0. Programs of rdma_cm crash on it, and a subnet manager "
     "gives such a port nothing. The host that owns the physical function gives GUIDs, and the function's driver reads them "
     "when it is bound.",
     look_for_guids},
};

FilePlaces adapter_places() {
  return {{"/sys/bus/pci/devices/*/uevent", [](const FileToKeep& file) {
             const Function function = function_from(file.text);
             return Kept{function.is_infiniband() || function.is_ethernet() ? Kept::How::whole : Kept::How::nothing};
           }}};
}

}  // namespace

const CheckFamily adapter_checks{adapter_table, adapter_places};

}  // namespace rdmastate::doctor
