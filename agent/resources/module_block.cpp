// SPDX-License-Identifier: Apache-2.0
#include "resources/module_block.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace rdmastate {
namespace {

Observation module_block_observe(const Snapshot& snapshot, const std::string& key) {
  switch (snapshot.module({key})) {
    case ModuleStatus::loaded:
    case ModuleStatus::builtin:
      return Absent{};
    case ModuleStatus::loadable:
    case ModuleStatus::missing:
      break;
  }
  return State(module_block_kind, ModuleBlockState{{key}});
}

// Unloading takes away what others use, and is the administrator's to decide.
Gap module_block_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  Gap gap;
  if (wanted == nullptr || state_of(observed) != nullptr) return gap;
  if (scene.snapshot.module({key}) == ModuleStatus::builtin) {
    gap.blocked = fmt::format(
        "module {} is built into the running kernel {}, and no file keeps it away: take it out of block, or run a kernel "
        "that has it as a module",
        key, scene.facts.kernel);
  } else {
    gap.pending = {
        fmt::format(
            "module {} is loaded and stays until the next boot: rdmastate unloads nothing (modprobe -r {} does, where nothing "
            "uses it)",
            key, key),
        Until::reboot};
  }
  return gap;
}

std::vector<Ref> module_block_needs(const std::string&, const State*) { return {}; }

void module_block_move(Tools&, const std::string& key, const State*, const State*) {
  throw Error(fmt::format("rdmastate does not unload the module {}", key));
}

std::string module_block_title(const std::string& key, const State*) { return key; }

}  // namespace

constinit const Kind module_block_kind = [] {
  Kind kind = kind_of<ModuleBlockState>("module_block");
  kind.rank = 22;  // never used: no step moves it
  kind.observe = module_block_observe;
  kind.gap = module_block_gap;
  kind.needs = module_block_needs;
  kind.move = module_block_move;
  kind.title = module_block_title;
  return kind;
}();

}  // namespace rdmastate
