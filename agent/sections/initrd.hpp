// SPDX-License-Identifier: Apache-2.0
// Field `initrd`: whether the images that kernels boot with are rebuilt for what the rest of a spec asks.
#pragma once

#include "resources/wanted.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

/// Adds the resource `initrd` to `desired`: the host's images hold each wanted file and entry that the distribution
/// copies into them. Adds none where it copies none of them, or with `initrd: leave`.
void add_initrd(const Spec& spec, const Facts& facts, Desired& desired);

}  // namespace rdmastate
