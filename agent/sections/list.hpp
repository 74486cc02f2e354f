// SPDX-License-Identifier: Apache-2.0
// The list of a spec's sections, as a macro that each user of the list expands with its own SECTION. By its order
// texts list the sections (manual page, `explain`, the schema, a spec that is written), and sections check, expand and
// adopt: devices and nfs do not want a module that an earlier section wants (Desired::wanted). A section NAME is the
// folder sections/NAME with `spec.hpp` (its structs and their field tables; large tables stand in `fields.hpp`, so that
// fewer sources compile them) and `NAME.cpp` (which defines the constant NAME_section of type Section). CMake writes
// `sections/folders.hpp`, which includes each folder's spec.hpp.
#pragma once

#include <optional>
#include <vector>

#include "sections/folders.hpp"

// SECTION(name, type of its member in Spec, what `explain` says of it)
#define RDMASTATE_SECTIONS(SECTION)                                                                                  \
  SECTION(modules, std::optional<ModulesSection>, "Kernel modules.")                                                 \
  SECTION(rdma, std::optional<RdmaSection>, "Settings of RDMA for the whole host.")                                  \
  SECTION(devices, std::vector<DeviceRecord>, "RDMA devices.")                                                       \
  SECTION(ipoib, std::vector<IpoibRecord>, "IPoIB interfaces with their IP configuration.")                          \
  SECTION(bonds, std::vector<BondRecord>, "Bonds of IPoIB interfaces: one carries the traffic, another takes over.") \
  SECTION(soft_devices, std::vector<SoftDeviceRecord>, "Software RDMA devices on top of network devices.")           \
  SECTION(nfs, std::optional<NfsSection>, "NFS over RDMA.")                                                          \
  SECTION(memlock, std::optional<MemlockSection>, "Limits for memory that RDMA programs pin.")                       \
  SECTION(permissions, std::optional<PermissionsSection>, "Who may open RDMA's device nodes.")                       \
  SECTION(subnet_manager, std::optional<SubnetManagerSection>, "OpenSM on this host.")
