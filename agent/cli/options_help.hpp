// SPDX-License-Identifier: Apache-2.0
// Inside of options*.cpp: how `--help` is laid out.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace rdmastate {

/// Lays out the help of a command, and of the program, in 80 columns: names in the first 30, what they mean behind
/// them.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace rdmastate
