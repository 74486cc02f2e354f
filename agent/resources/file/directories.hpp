// SPDX-License-Identifier: Apache-2.0
// Makes the directories that a file needs, where no step of a plan makes them.
#pragma once

#include <string>

#include "host/files.hpp"

namespace rdmastate {

/// Makes the directory and those above it where they are missing; those of rdmastate are for root alone, others for
/// all to read. Throws as Files::replace() does.
void make_directories(Files& files, const std::string& path);

}  // namespace rdmastate
