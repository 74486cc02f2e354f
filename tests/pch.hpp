// SPDX-License-Identifier: Apache-2.0
// The precompiled header of all tests.
#pragma once

#include <gtest/gtest.h>

#include "pch_model.hpp"
