// SPDX-License-Identifier: Apache-2.0
// Which module drives an adapter that none has taken, by its PCI id.
#include <gtest/gtest.h>

#include "doctor/drivers.hpp"

namespace rdmastate::doctor {
namespace {

TEST(DoctorDrivers, OfAPciId) {
  const std::pair<const char*, const char*> known[] = {
      {"15b3:5a44", "ib_mthca"},  {"15b3:6274", "ib_mthca"},  {"15b3:6282", "ib_mthca"},  {"15b3:6340", "mlx4_core"},
      {"15b3:673c", "mlx4_core"}, {"15b3:1002", "mlx4_core"}, {"15b3:1007", "mlx4_core"}, {"15b3:1011", "mlx5_core"},
      {"15b3:1021", "mlx5_core"}, {"15b3:a2dc", "mlx5_core"}, {"8086:24f0", "hfi1"},      {"1af4:1000", ""}};
  for (const auto& [id, module] : known) EXPECT_EQ(module_of_function(id), module) << id;
}

}  // namespace
}  // namespace rdmastate::doctor
