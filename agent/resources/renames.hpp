// SPDX-License-Identifier: Apache-2.0
// Which interfaces a plan renames, now or at the next boot: for the kinds of files that configure interfaces by name,
// and have to wait where the name comes later. The new names are those of the wanted resources of kind ipoib_link.
#pragma once

#include <optional>
#include <string>

#include "resources/gap.hpp"

namespace rdmastate {

/// Another name that the plan wants for an interface, whether it can have that now or not.
struct Rename {
  std::string from;
  std::string to;
  /// A sentence: why the interface is not renamed now: that it has to wait for a boot, or what blocks the step. Empty:
  /// a step does it.
  std::string later;
};

/// The rename of the port's own interface that has this name now; nullopt where there is no such interface, or no other
/// name is wanted for it.
std::optional<Rename> rename_from(const Scene& scene, const std::string& present);
/// The rename of the port's own interface that is to have this name; nullopt where it has the name already, or no
/// interface is to have it.
std::optional<Rename> rename_to(const Scene& scene, const std::string& name);

/// A sentence: why the files that know this interface by its present name stay, although new files replace them: the
/// interface, or the parent of which it is a child, does not get its new name now (Rename::later). Empty: they may
/// go.
std::string why_name_stays(const Scene& scene, const std::string& interface);

/// A sentence: why the port's interface that is to have this name cannot be configured now: it does not get the
/// name now (Rename::later), or another one has it. Empty: an interface has the name and keeps it, or one that is here
/// gets it by this plan. nullopt: neither. It may still come with a module that the plan loads: the caller asks
/// is_coming().
std::optional<std::string> why_not_named(const Scene& scene, const std::string& name);

/// Whether the plan has a file for the interface under this name, which it has or is to get, and the file's owner
/// (NetworkManager, networkd, ifupdown, netplan's renderer) runs. That owner takes the interface up, so rdmastate can
/// take it down now to give it the name.
bool is_taken_up(const Scene& scene, const std::string& name);

}  // namespace rdmastate
