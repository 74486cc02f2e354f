// SPDX-License-Identifier: Apache-2.0
// The precompiled header of the rooms that use `host` and not `resources` (room() in CMakeLists.txt): the interfaces to
// a host, and its Snapshot.
#pragma once

#include <chrono>
#include <set>

#include "host/host.hpp"
#include "host/snapshot.hpp"
#include "pch.hpp"
