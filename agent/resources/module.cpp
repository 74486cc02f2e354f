// SPDX-License-Identifier: Apache-2.0
#include "resources/module.hpp"

#include <fmt/format.h>

#include "host/recorded/model.hpp"
#include "platform/ofed.hpp"
#include "resources/link_table.hpp"
#include "resources/openibd.hpp"

namespace rdmastate {
namespace {

Observation module_observe(const Snapshot& snapshot, const std::string& key) {
  switch (snapshot.module({key})) {
    case ModuleStatus::loaded:
    case ModuleStatus::builtin:
      return State(module_kind, ModuleState{{key}});
    case ModuleStatus::loadable:
    case ModuleStatus::missing:
      break;
  }
  return Absent{};
}

// A plan unloads nothing: a module that the spec no longer names stays loaded, and leaves the ledger. Undo unloads.
Gap module_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  Gap gap;
  if (wanted == nullptr || state_of(observed) != nullptr) return gap;
  if (scene.snapshot.module({key}) == ModuleStatus::missing) {
    gap.blocked = no_module_text(scene.facts, key);
    return gap;
  }
  gap.move = Gap::Move{std::nullopt, *wanted};
  return gap;
}

std::string module_warn(const Scene& scene, const std::string& key, const State&) {
  return left_out_by_openibd(openib_text(scene.facts, scene.snapshot), key);
}

std::vector<Ref> module_needs(const std::string&, const State*) { return {}; }

void module_move(Tools& tools, const std::string& key, const State*, const State* to) {
  const ModuleName name{key};
  if (to != nullptr) {
    tools.host.modules->load(name);
  } else if (tools.host.modules->users(name) == 0) {  // one that is used stays (may_stay)
    tools.host.modules->unload(name);
  }
  tools.links.forget();  // a module brings interfaces, and takes them along
}

std::string module_title(const std::string& key, const State*) { return key; }

FilePlaces module_places() {
  return {{std::string(openib_conf), [](const FileToKeep& file) { return kept_part(openib_lines(file.text)); }}};
}

void module_keep(const Snapshot& snapshot, const Facts&, HostModel& model) { model.modules = snapshot.module_table(); }

}  // namespace

constinit const Kind module_kind = [] {
  Kind kind = kind_of<ModuleState>("module");
  kind.verbs = {"load", "reload", "unload"};
  kind.rank = 20;  // after files (10), which a module takes its options from; before what it brings
  kind.brings_others = true;
  kind.may_stay = true;
  kind.observe = module_observe;
  kind.gap = module_gap;
  kind.needs = module_needs;
  kind.warn = module_warn;
  kind.move = module_move;
  kind.title = module_title;
  kind.places = module_places;
  kind.keep = module_keep;
  return kind;
}();

bool is_coming(const Scene& scene, const std::string& module) {
  if (scene.snapshot.is_tree()) return false;
  const auto* wanted = scene.plan.wanted(module_kind, module);
  return wanted != nullptr && *wanted && scene.snapshot.module({module}) == ModuleStatus::loadable;
}

std::vector<std::string> coming_modules(const Scene& scene) {
  std::vector<std::string> coming;
  for (const auto& [module, wanted] : scene.plan.wanted(module_kind))
    if (is_coming(scene, module)) coming.push_back(module);
  return coming;
}

std::string no_module_text(const Facts& facts, const std::string& module) {
  const bool is_rare = module == "siw";  // CONFIG_RDMA_SIW
  return fmt::format("the running kernel {} has no module {}: {}", facts.kernel, module,
                     is_rare ? "few distributions build it (Debian does not): use an rxe device instead, or boot a "
                               "kernel with it"
                             : "install the package with its modules (cloud kernels lack the RDMA ones; on RHEL "
                               "rdma_rxe is in kernel-modules-extra), or boot the newest installed kernel");
}

}  // namespace rdmastate
