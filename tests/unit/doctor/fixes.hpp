// SPDX-License-Identifier: Apache-2.0
// What a fix says of a spec, put before the spec's own reader.
#pragma once

#include <string>

namespace rdmastate::doctor {

/// Why a spec does not take what a fix says: empty where it does. Judged are lines (`memlock: {...}`,
/// `subnet_manager.partitions: [...]`: whole, or a part of one section) and names of fields (`ipoib.ipv4.addresses`).
std::string why_refused(const std::string& fix);

}  // namespace rdmastate::doctor
