// SPDX-License-Identifier: Apache-2.0
// Which devices of a host a record of section `devices` means.
#pragma once

#include <vector>

#include "base/report.hpp"
#include "host/facts.hpp"
#include "sections/devices/spec.hpp"

namespace rdmastate {

/// One device of a record. `id` is what keys are made of, whether the device is there or not: its stable identity, or
/// what the record says of it. A resource that needs the device names {rdma_device_kind.name, to_text(id)} in needs().
struct MatchedDevice {
  DeviceId id;
  const RdmaDevice* device = nullptr;  ///< nullptr: not there now (or a tree, which has none)
};

/// The devices that `match` fits, without virtual functions where the record is `every` without `virtual: true`.
std::vector<const RdmaDevice*> meant_by(const DeviceRecord& record, const std::vector<RdmaDevice>& devices);

/// The record's device, or with `every` all that fit. Where none fits: one element with a null device. Returns nothing,
/// and reports an error at `match`, where several fit a record without `every`, or where `every` leaves out all that
/// fit as virtual functions (no error if the record is optional).
std::vector<MatchedDevice> match_devices(const DeviceRecord& record, std::size_t index, const Facts& facts,
                                         Report& report);

}  // namespace rdmastate
