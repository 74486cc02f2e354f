// SPDX-License-Identifier: Apache-2.0
// The name of a resource: the key of the tables by which a plan finds items and entries of the ledger.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// "ipoib_link mlx4_ib0": a kind's name and a key.
inline std::string resource_name(std::string_view kind, std::string_view key) {
  std::string name;
  name.reserve(kind.size() + 1 + key.size());
  return name.append(kind).append(1, ' ').append(key);
}

}  // namespace rdmastate
