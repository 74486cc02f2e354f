// SPDX-License-Identifier: Apache-2.0
// The loss by a step on a netplan file: each interface whose definition comes, goes or changes, or that does not run
// its definition yet, is configured anew or no longer. What the renderer would leave as it is, nobody can tell before:
// the step counts as taking the interface down.
#include "resources/netplan_file/netplan_file.hpp"

namespace rdmastate {

Loss netplan_file_loses(const Scene& scene, const std::string&, const State* from, const State* to) {
  Loss loss;
  if (!scene.snapshot.has_netplan() || !renderer_is_told(to == nullptr ? nullptr : &to->as<NetplanFileState>()))
    return loss;
  DefinitionTexts before = definition_texts(from);
  for (const auto& [id, text] : definition_texts(to)) {
    const auto was = before.find(id);
    const bool stays = was != before.end() && was->second == text && runs_definition(scene.snapshot, id);
    if (!stays) add_loss_of_link(scene.snapshot, scene.snapshot.link(id), loss);
    before.erase(id);
  }
  for (const auto& [id, text] : before) add_loss_of_link(scene.snapshot, scene.snapshot.link(id), loss);
  return loss;
}

}  // namespace rdmastate
