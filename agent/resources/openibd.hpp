// SPDX-License-Identifier: Apache-2.0
// Warnings about openibd, the service of MLNX_OFED and DOCA-OFED, for the kinds module and ipoib_link: whenever openibd
// starts, it undoes what its openib.conf contradicts.
#pragma once

#include <string>
#include <string_view>

#include "host/facts.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// The text of openib.conf on a host with MLNX_OFED or DOCA-OFED, for the functions below; empty elsewhere.
std::string openib_text(const Facts& facts, const Snapshot& snapshot);
/// A sentence where openibd leaves this module out when it is restarted; else empty.
std::string left_out_by_openibd(std::string_view text, std::string_view module);
/// A sentence where openibd takes an interface out of datagram mode; else empty.
std::string connected_by_openibd(std::string_view text, std::string_view interface);

}  // namespace rdmastate
