// SPDX-License-Identifier: Apache-2.0
// Adapters without a driver, a module, firmware or GUIDs.
#include "patients.hpp"

namespace rdmastate::doctor {
namespace {

// ConnectX-6's PCI function as sysfs shows it.
void add_function(HostModel& model, const std::string& pci, const std::string& pci_class, const std::string& driver) {
  std::string text = driver.empty() ? "" : "DRIVER=" + driver + "\n";
  text += "PCI_CLASS=" + pci_class + "\nPCI_ID=15B3:101B\nPCI_SLOT_NAME=" + pci + "\n";
  put(model, "/sys/bus/pci/devices/" + pci + "/uevent", text);
}

constexpr const char* infiniband = "20700";
constexpr const char* omni_path = "20800";
constexpr const char* ethernet = "20000";

// What dpkg has installed, with libibverbs1 of this version, for two architectures.
void have_library(HostModel& model, const std::string& version) {
  const std::string rest = "Status: install ok installed\nArchitecture: amd64\nVersion: ";
  put(model, "/var/lib/dpkg/status",
      "Package: libc6\n" + rest + "2.36-9\n\nPackage: libibverbs1\n" + rest + version +
          "\nDescription: verbs\n Package: libibverbs1\n\nPackage: libibverbs1\n" + rest + version +
          "\n\nPackage: mlnx-tools\n" + rest + "25.07mlnx\n");
}

// rpm's packages: their documents, in a directory of this name.
void have_documents(HostModel& model, const std::string& directory) {
  model.files.erase("/var/lib/dpkg/status");
  put(model, "/usr/share/doc/" + directory + "/libibverbs.md", "# Introduction\n");
}

// The function has its driver, and this its RDMA device.
void make_device(HostModel& model) {
  add_function(model, "0000:c1:00.0", infiniband, "mlx5_core");
  model.modules.loaded.insert({"ib_core", "mlx5_core", "mlx5_ib"});
  RdmaDevice device = example("storage").devices.at(0);
  device.name = "mlx5_1";
  device.pci = "0000:c1:00.0";
  device.node_guid.value += 0x10;
  device.ports.at(0).guid.value += 0x10;
  model.devices.push_back(std::move(device));
}

}  // namespace

std::vector<Illness> adapter_illnesses() {
  return {
      {"driver-missing", "storage", "0000:c1:00.0", Severity::error,
       [](HostModel& model) { add_function(model, "0000:c1:00.0", infiniband, ""); }, "mlx5_core", make_device},
      {"rdma-module-missing", "ci", "0000:c1:00.0", Severity::error,
       [](HostModel& model) { add_function(model, "0000:c1:00.0", infiniband, "mlx5_core"); },
       "modules: {load: [mlx5_ib]}", make_device},
      {"rdma-module-missing", "ci", "0000:c1:00.0", Severity::info,
       [](HostModel& model) { add_function(model, "0000:c1:00.0", ethernet, "bnxt_en"); }, "bnxt_re"},
      {"device-missing", "storage", "0000:c1:00.0", Severity::error,
       [](HostModel& model) { add_function(model, "0000:c1:00.0", infiniband, "mlx5_core"); }, "mlx5_core loads none",
       make_device},
      {"device-missing", "storage", "0000:c1:00.0", Severity::error,
       [](HostModel& model) {
         model.modules.loaded.insert("hfi1");
         add_function(model, "0000:c1:00.0", omni_path, "hfi1");
       },
       "install linux-firmware, which has the firmware that hfi1 loads"},
      {"device-missing", "storage", "0000:c1:00.0", Severity::error,
       [](HostModel& model) {
         model.files.erase("/etc/os-release");
         model.files.erase("/usr/lib/os-release");
         model.modules.loaded.insert("hfi1");
         add_function(model, "0000:c1:00.0", omni_path, "hfi1");
       },
       "install the package with the firmware that hfi1 loads"},
      {"firmware-missing", "storage", "mlx5_0", Severity::warning,
       [](HostModel& model) { model.devices[0].firmware = "0.0.0"; }, "mlx5_core loads none",
       [](HostModel& model) { model.devices[0].firmware = "20.35.1012"; }},
      {"firmware-missing", "storage", "mlx5_0", Severity::warning,
       [](HostModel& model) {
         model.devices[0].firmware = "0.0.0";
         model.devices[0].driver = "hfi1";
       },
       "install linux-firmware"},
      {"guid-zero", "vm", "mlx5_0", Severity::error, [](HostModel& model) { model.devices[0].node_guid = {}; },
       "vf N node_guid", [](HostModel& model) { model.devices[0].node_guid.value = 0x0011223344556677; }},
      {"stack-mixed", "storage", "", Severity::warning,
       [](HostModel& model) { model.modules.loaded.insert("mlx_compat"); }, "OFED's programs are not installed",
       [](HostModel& model) { put(model, "/etc/infiniband/openib.conf", "ONBOOT=yes\n"); }},
      {"stack-mixed", "storage", "", Severity::warning,
       [](HostModel& model) { put(model, "/etc/infiniband/openib.conf", "ONBOOT=yes\n"); },
       "the kernel's own modules are loaded", [](HostModel& model) { model.modules.loaded.insert("mlx_compat"); }},
      {"stack-mixed", "head", "", Severity::info, [](HostModel& model) { have_library(model, "2507mlnx58-1.2507097"); },
       "OFED's libibverbs is installed", [](HostModel& model) { have_library(model, "44.0-2"); }},
      {"stack-mixed", "head", "", Severity::warning,
       [](HostModel& model) {
         model.modules.loaded.insert("mlx_compat");
         put(model, "/etc/infiniband/openib.conf", "ONBOOT=yes\n");
         have_library(model, "44.0-2");
       },
       "libibverbs is the distribution's", [](HostModel& model) { have_library(model, "2410mlnx54-1.2410068"); }},
      {"stack-mixed", "head", "", Severity::warning,
       [](HostModel& model) {
         model.modules.loaded.insert("mlx_compat");
         have_library(model, "44.0-2");
       },
       "OFED's programs are not installed", [](HostModel& model) { have_library(model, "2307mlnx47-1.2307050"); }},
      {"stack-mixed", "storage", "", Severity::info,
       [](HostModel& model) { have_documents(model, "libibverbs-51mlnx1"); }, "OFED's libibverbs is installed",
       [](HostModel& model) { model.modules.loaded.insert("mlx_compat"); }},
      {"stack-mixed", "storage", "", Severity::warning,
       [](HostModel& model) {
         model.modules.loaded.insert("mlx_compat");
         put(model, "/etc/infiniband/openib.conf", "ONBOOT=yes\n");
         have_documents(model, "rdma-core-48.0");
       },
       "Install libibverbs from OFED's repository",
       [](HostModel& model) { have_documents(model, "libibverbs-2410mlnx54"); }},
  };
}

}  // namespace rdmastate::doctor
