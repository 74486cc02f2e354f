// SPDX-License-Identifier: Apache-2.0
#include "platform/ofed.hpp"

#include <algorithm>
#include <array>

#include "base/ini.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

struct LoadKey {
  std::string_view module;
  std::string_view key;
};

// Which module openibd loads where a key of openib.conf is yes. Where it cannot load one its start fails, so a spec
// must not block these modules (sections/modules/ofed.cpp).
constexpr std::array load_keys{
    LoadKey{"ib_ipoib", "IPOIB_LOAD"}, LoadKey{"rdma_cm", "RDMA_CM_LOAD"},  LoadKey{"rdma_ucm", "RDMA_UCM_LOAD"},
    LoadKey{"ib_umad", "UMAD_LOAD"},   LoadKey{"ib_uverbs", "UVERBS_LOAD"}, LoadKey{"ib_srp", "SRP_LOAD"},
    LoadKey{"ib_iser", "ISER_LOAD"},   LoadKey{"ib_isert", "ISERT_LOAD"},   LoadKey{"rds_rdma", "RDS_LOAD"},
    LoadKey{"mlx4_core", "MLX4_LOAD"}, LoadKey{"mlx4_ib", "MLX4_LOAD"},     LoadKey{"mlx4_en", "MLX4_EN_LOAD"},
    LoadKey{"mlx5_core", "MLX5_LOAD"}, LoadKey{"mlx5_ib", "MLX5_LOAD"}};

// Whether rdmastate reads this key: those above, and SET_IPOIB_CM, by which openibd sets connected mode
// (resources/openibd.cpp).
bool is_looked_at(std::string_view key) {
  return key == "SET_IPOIB_CM" ||
         std::any_of(load_keys.begin(), load_keys.end(), [&](const LoadKey& one) { return one.key == key; });
}

}  // namespace

std::string_view openib_key(std::string_view module) {
  const auto found =
      std::find_if(load_keys.begin(), load_keys.end(), [&](const LoadKey& one) { return one.module == module; });
  return found == load_keys.end() ? std::string_view() : found->key;
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
