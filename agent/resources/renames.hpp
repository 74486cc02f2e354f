// SPDX-License-Identifier: Apache-2.0
// An interface that a plan gives another name, as those see it who configure interfaces by name.
#pragma once

#include <optional>
#include <string>

#include "resources/gap.hpp"

namespace rdmastate {

/// An interface's name before and after.
struct Rename {
  std::string from;
  std::string to;
  /// A sentence: that it comes at the next boot, and why not now. Empty: a step of this plan does it.
  std::string later;
};

/// Of the port's interface that has this name now; nullopt where the plan leaves it its name, or there is none.
std::optional<Rename> rename_from(const Scene& scene, const std::string& present);
/// Of the port's interface that the plan gives this name; nullopt where it has it, or none gets it.
std::optional<Rename> rename_to(const Scene& scene, const std::string& name);

/// A sentence: why the files that know this interface by its present name stay, although others take their place: it,
/// or the port that it is a child of, gets its new name at the next boot. Empty: they may go.
std::string why_name_stays(const Scene& scene, const std::string& interface);

/// A sentence: why nothing can be made of the interface that is to have this name now: it gets it at the next boot, or
/// the one that has it gives it up then. Empty: it has it, or gets it by this plan. nullopt: there is none.
std::optional<std::string> why_not_named(const Scene& scene, const std::string& name);

/// Whether an owner that runs takes the interface of this name up, by a file of the same plan: then it can be taken
/// down for that name now.
bool is_taken_up(const Scene& scene, const std::string& name);

}  // namespace rdmastate
