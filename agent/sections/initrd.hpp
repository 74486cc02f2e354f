// SPDX-License-Identifier: Apache-2.0
// Field `initrd`: whether the initrd images are rebuilt where they hold copies of files that the other sections write.
#pragma once

#include "resources/wanted.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

/// Adds one resource of kind `initrd` to `desired`: the host's images hold the wanted version of each file, and of each
/// entry (a key or line in a foreign file), that the distribution copies into them. Call it when all sections have
/// expanded. Adds none where nothing is copied; `initrd: leave` notes in `desired.left` that the kind is left alone.
void add_initrd(const Spec& spec, const Facts& facts, Desired& desired);

}  // namespace rdmastate
