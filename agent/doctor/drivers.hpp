// SPDX-License-Identifier: Apache-2.0
// For each PCI driver the kernel module that makes its RDMA devices, and the libibverbs provider that serves them: for
// the checks of adapters and of verbs.
#pragma once

#include <string_view>

namespace rdmastate::doctor {

/// A PCI driver with its RDMA module and provider. Sources: kernel-boot/rdma-hw-modules.rules and
/// providers/*/CMakeLists.txt of rdma-core 56.
struct RdmaDriver {
  std::string_view pci;       ///< the driver of the function, as sysfs names it
  std::string_view module;    ///< what makes the RDMA device
  std::string_view provider;  ///< `driver NAME` in /etc/libibverbs.d
};

/// nullptr: it is not known.
const RdmaDriver* rdma_driver(std::string_view pci_driver);

/// The module that drives an InfiniBand function of this vendor and device id ("15B3:1017"); empty: not known.
std::string_view module_of_function(std::string_view id);

}  // namespace rdmastate::doctor
