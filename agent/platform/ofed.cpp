// SPDX-License-Identifier: Apache-2.0
#include "platform/ofed.hpp"

#include <algorithm>
#include <array>

#include "base/ini.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

struct Loaded {
  std::string_view module;
  std::string_view key;
};

// openibd's start ends at a module that it cannot load.
constexpr std::array loaded{
    Loaded{"ib_ipoib", "IPOIB_LOAD"}, Loaded{"rdma_cm", "RDMA_CM_LOAD"},  Loaded{"rdma_ucm", "RDMA_UCM_LOAD"},
    Loaded{"ib_umad", "UMAD_LOAD"},   Loaded{"ib_uverbs", "UVERBS_LOAD"}, Loaded{"ib_srp", "SRP_LOAD"},
    Loaded{"ib_iser", "ISER_LOAD"},   Loaded{"ib_isert", "ISERT_LOAD"},   Loaded{"rds_rdma", "RDS_LOAD"},
    Loaded{"mlx4_core", "MLX4_LOAD"}, Loaded{"mlx4_ib", "MLX4_LOAD"},     Loaded{"mlx4_en", "MLX4_EN_LOAD"},
    Loaded{"mlx5_core", "MLX5_LOAD"}, Loaded{"mlx5_ib", "MLX5_LOAD"}};

bool is_looked_at(std::string_view key) {
  return key == "SET_IPOIB_CM" ||
         std::any_of(loaded.begin(), loaded.end(), [&](const Loaded& one) { return one.key == key; });
}

}  // namespace

std::string_view openib_key(std::string_view module) {
  const auto found =
      std::find_if(loaded.begin(), loaded.end(), [&](const Loaded& one) { return one.module == module; });
  return found == loaded.end() ? std::string_view() : found->key;
}

std::string openib_value(std::string_view text, std::string_view key) {
  return ini::File(ini::shell, text).value("", key);
}

std::string openib_lines(std::string_view text) {
  const ini::File file(ini::shell, text);
  std::string kept;
  for (const auto& entry : file.entries())
    if (is_looked_at(entry.key))
      kept.append(trimmed(text.substr(entry.begin, entry.end - entry.begin), " \t\r\n")).append("\n");
  return kept;
}

}  // namespace rdmastate
