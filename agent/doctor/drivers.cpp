// SPDX-License-Identifier: Apache-2.0
#include "doctor/drivers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

namespace rdmastate::doctor {
namespace {

constexpr RdmaDriver drivers[] = {
    {"mlx5_core", "mlx5_ib", "mlx5"},
    {"mlx4_core", "mlx4_ib", "mlx4"},
    {"ib_mthca", "ib_mthca", "mthca"},
    {"hfi1", "hfi1", "hfi1verbs"},
    {"ib_qib", "ib_qib", "ipathverbs"},
    {"qib", "ib_qib", "ipathverbs"},
    {"bnxt_en", "bnxt_re", "bnxt_re"},
    {"ice", "irdma", "irdma"},
    {"i40e", "irdma", "irdma"},
    {"cxgb4", "iw_cxgb4", "cxgb4"},
    {"qede", "qedr", "qedr"},
    {"be2net", "ocrdma", "ocrdma"},
    {"efa", "efa", "efa"},
    {"erdma", "erdma", "erdma"},
    {"mana", "mana_ib", "mana"},
    {"vmw_pvrdma", "vmw_pvrdma", "vmw_pvrdma"},
};

std::uint32_t hexadecimal(std::string_view text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

}  // namespace

const RdmaDriver* rdma_driver(std::string_view pci_driver) {
  const auto* found =
      std::find_if(std::begin(drivers), std::end(drivers), [&](const auto& one) { return one.pci == pci_driver; });
  return found == std::end(drivers) ? nullptr : found;
}

// Of Mellanox's adapters Connect-IB (0x1011) and later ones are mlx5_core's; those from ConnectX (0x6340, 0x1002) on
// mlx4_core's; those of InfiniHost (0x5a44 to 0x6282) are ib_mthca's (pci_device_id tables of the drivers). 0x7000 lies
// above all ConnectX of mlx4_core and below BlueField (0xa2d2), which is mlx5_core's.
std::string_view module_of_function(std::string_view function) {
  constexpr std::uint32_t mellanox = 0x15b3, intel = 0x8086, qlogic = 0x1077, first_mlx5 = 0x1011,
                          first_connectx = 0x6340, first_mthca = 0x5a44, last_mthca = 0x6282;
  const std::size_t colon = std::min(function.find(':'), function.size());
  const std::uint32_t id = hexadecimal(function.substr(std::min(colon + 1, function.size())));
  switch (hexadecimal(function.substr(0, colon))) {
    case mellanox:
      if (id >= first_connectx && id < 0x7000) return "mlx4_core";
      if (id >= first_mthca && id <= last_mthca) return "ib_mthca";
      return id < first_mlx5 ? "mlx4_core" : "mlx5_core";
    case intel:
      return "hfi1";
    case qlogic:
      return "ib_qib";
  }
  return {};
}

}  // namespace rdmastate::doctor
