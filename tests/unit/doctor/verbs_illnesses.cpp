// SPDX-License-Identifier: Apache-2.0
// Hosts with libibverbs that lack a provider or a module.
#include "patients.hpp"

namespace rdmastate::doctor {
namespace {

constexpr const char* folder = "/usr/lib/x86_64-linux-gnu/";

void install(HostModel& model, const std::string& provider) {
  put(model, folder + std::string("libibverbs.so.1"), "\177ELF IBVERBS_1.1 IBVERBS_PRIVATE_34 _edata");
  put(model, "/etc/libibverbs.d/" + provider + ".driver", "driver " + provider + "\n");
  put(model, folder + std::string("libibverbs/lib") + provider + "-rdmav34.so", "");
}

void install_by_path(HostModel& model) {
  install(model, "mlx5");
  put(model, "/etc/libibverbs.d/mlx5.driver", "driver " + std::string(folder) + "libibverbs/libmlx5\n");
}

}  // namespace

std::vector<Illness> verbs_illnesses() {
  return {
      {"provider-missing", "storage", "mlx5_0", Severity::error, [](HostModel& model) { install(model, "mlx4"); },
       "the provider mlx5", [](HostModel& model) { install(model, "mlx5"); }},
      {"provider-broken", "storage", "mlx5_0", Severity::error,
       [](HostModel& model) {
         install(model, "mlx5");
         model.files.erase(folder + std::string("libibverbs/libmlx5-rdmav34.so"));
       },
       "libmlx5-rdmav*.so", [](HostModel& model) { install(model, "mlx5"); }},
      {"provider-broken", "storage", "mlx5_0", Severity::error,
       [](HostModel& model) {
         install_by_path(model);
         model.files.erase(folder + std::string("libibverbs/libmlx5-rdmav34.so"));
       },
       "mlx5.driver names the provider /usr/lib/x86_64-linux-gnu/libibverbs/libmlx5, and libmlx5-rdmav*.so"},
      {"provider-incompatible", "storage", "mlx5_0", Severity::error,
       [](HostModel& model) {
         install(model, "mlx5");
         model.files.erase(folder + std::string("libibverbs/libmlx5-rdmav34.so"));
         put(model, folder + std::string("libibverbs/libmlx5-rdmav22.so"), "");
       },
       "libibverbs loads libmlx5-rdmav34.so, and the provider is /usr/lib/x86_64-linux-gnu/libibverbs/libmlx5-rdmav22.so",
       [](HostModel& model) { install(model, "mlx5"); }},
      {"uverbs-missing", "head", "", Severity::warning,
       [](HostModel& model) {
         install(model, "mlx5");
         model.modules.loaded.erase("ib_uverbs");
       },
       "modules: {load: [ib_uverbs]}", [](HostModel& model) { model.modules.loaded.insert("ib_uverbs"); }},
      {"rdma-cm-missing", "vm", "", Severity::warning, [](HostModel& model) { install(model, "mlx5"); }, "rdma_ucm",
       [](HostModel& model) { model.modules.loaded.insert("rdma_ucm"); }},
  };
}

std::vector<Illness> verbs_healths() {
  return {{"", "storage", "", Severity::info, install_by_path},
          {"", "head", "", Severity::info, [](HostModel& model) {  // OFED's library was removed
             put(model, "/var/lib/dpkg/status",
                 "Package: libibverbs1\nStatus: deinstall ok config-files\nVersion: 2410mlnx54-1.2410068\n");
           }}};
}

}  // namespace rdmastate::doctor
