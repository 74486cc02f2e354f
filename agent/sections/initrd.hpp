// SPDX-License-Identifier: Apache-2.0
// Field `initrd`: whether the images that kernels boot with are rebuilt for what the rest of a spec asks.
#pragma once

#include "resources/wanted.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

/// Wants of the host's images what they copy of all that is wanted; nothing where no program copies any of it.
void add_initrd(const Spec& spec, const Facts& facts, Desired& desired);

}  // namespace rdmastate
