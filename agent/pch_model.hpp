// SPDX-License-Identifier: Apache-2.0
// Compiled once for the rooms from sections upwards: the model that nearly each of their sources includes. The tables
// of fields are what costs.
#pragma once

#include "pch_host.hpp"
#include "resources/kind.hpp"
#include "resources/wanted.hpp"
#include "sections/spec.hpp"
