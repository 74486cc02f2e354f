// SPDX-License-Identifier: Apache-2.0
// Compiled once for the rooms that see a host.
#pragma once

#include <chrono>
#include <set>

#include "host/host.hpp"
#include "host/snapshot.hpp"
#include "pch.hpp"
