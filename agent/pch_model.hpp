// SPDX-License-Identifier: Apache-2.0
// The precompiled header of the rooms that use `resources` (room() in CMakeLists.txt): kinds, wanted resources and the
// Spec, which nearly each of their sources includes. Their tables of fields take most of the time to compile.
#pragma once

#include "pch_host.hpp"
#include "resources/kind.hpp"
#include "resources/wanted.hpp"
#include "sections/spec.hpp"
