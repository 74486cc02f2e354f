// SPDX-License-Identifier: Apache-2.0
// stdout carries the result, stderr the talk.
#pragma once

#include <string>

#include "base/report.hpp"
#include "cli/options.hpp"

namespace rdmastate {

/// Whether this stream gets colours: --color, else NO_COLOR, else whether it is a terminal.
bool wants_colour(const Options& options, int fd);

/// To stdout; a full disk or a closed pipe is an Error.
void print_result(const std::string& text);
/// To stderr, with a newline.
void talk(const std::string& line);

/// What is wrong with a spec, in the form asked for: text to stderr, json and github annotations to stdout.
void print_report(const Report& report, const Options& options);

}  // namespace rdmastate
