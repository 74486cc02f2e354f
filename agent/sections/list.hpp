// SPDX-License-Identifier: Apache-2.0
// The sections of a spec: the one list, in the order of the manual page and of expansion. A section NAME is a folder of
// that name with `spec.hpp` (its structs and their field tables; tables that cost much to compile stand in
// `fields.hpp`) and `NAME.cpp` (the Section NAME_section). CMake makes `sections/folders.hpp` of the folders.
#pragma once

#include <optional>
#include <vector>

#include "sections/folders.hpp"

// SECTION(name, type of its member in Spec, what `explain` says of it)
#define RDMASTATE_SECTIONS(SECTION)                                                                        \
  SECTION(modules, std::optional<ModulesSection>, "Kernel modules.")                                       \
  SECTION(rdma, std::optional<RdmaSection>, "Settings of RDMA for the whole host.")                        \
  SECTION(devices, std::vector<DeviceRecord>, "RDMA devices.")                                             \
  SECTION(ipoib, std::vector<IpoibRecord>, "IPoIB interfaces with their IP configuration.")                \
  SECTION(soft_devices, std::vector<SoftDeviceRecord>, "Software RDMA devices on top of network devices.") \
  SECTION(nfs, std::optional<NfsSection>, "NFS over RDMA.")                                                \
  SECTION(memlock, std::optional<MemlockSection>, "Limits for memory that RDMA programs pin.")             \
  SECTION(permissions, std::optional<PermissionsSection>, "Who may open RDMA's device nodes.")             \
  SECTION(subnet_manager, std::optional<SubnetManagerSection>, "OpenSM on this host.")
