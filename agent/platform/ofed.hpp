// SPDX-License-Identifier: Apache-2.0
// openibd, the service of MLNX_OFED and DOCA-OFED that loads and unloads their drivers, and its configuration. Pure
// data.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// openibd's configuration: a shell's assignments, KEY=yes or KEY=no.
inline constexpr std::string_view openib_conf = "/etc/infiniband/openib.conf";

/// The key that says whether openibd loads this module; empty: openibd does not load it.
std::string_view openib_key(std::string_view module);

/// A key's value in openib.conf, without quotes: the last assignment counts. Empty: the key is not set.
std::string openib_value(std::string_view text, std::string_view key);

/// The lines of openib.conf whose keys rdmastate reads (openib_key() and SET_IPOIB_CM): what a record keeps of the
/// file.
std::string openib_lines(std::string_view text);

}  // namespace rdmastate
