// SPDX-License-Identifier: Apache-2.0
// Prints results to stdout and messages to stderr.
#pragma once

#include <span>
#include <string>

#include "base/error.hpp"
#include "base/report.hpp"
#include "cli/options.hpp"
#include "cli/pipeline_cases.hpp"

namespace rdmastate {

/// Whether the stream of this file descriptor gets colours: --color, else NO_COLOR, else whether it is a terminal.
bool wants_colour(const Options& options, int fd);

/// Thrown when the reader of the result has closed the pipe (`rdmastate plan | head`): the program ends without a
/// message.
class NobodyReads : public Error {
 public:
  NobodyReads() : Error("nobody reads the result") {}
};

/// Writes to stdout what programs read, unchanged. Throws NobodyReads where the pipe is closed, and SystemError
/// where the text cannot be written for another reason, such as a full disk.
void print_result(const std::string& text);
/// The same for JSON, as told_json() prints it.
void print_json(const Json& json);
/// Writes to stdout, for people: control characters in the text cannot reach their terminal. On a terminal, lines are
/// at most as wide as COLUMNS or else the terminal itself says, but not less than 40 columns. Throws as print_result().
void print_text(std::string_view text);
/// Writes to stderr, with a newline, for people as print_text(). Ignores errors.
void talk(std::string_view line);

/// The diagnostics of these reports, as `check -o json` has them.
Json diagnostics_json(std::initializer_list<const Report*> reports);
/// What is wrong with these specs, in the form asked for: text to stderr, every other form as one document to stdout.
void print_reports(std::span<const Checked> files, const Options& options);
/// The same for one spec.
void print_report(const Report& report, const Options& options);
/// Prints a plan in the form asked for. `spec`: what it was made from; null: from boot.json.
void print_plan(const Plan& plan, const SpecFile* spec, const Options& options);

// --- Texts of output_github.cpp, output_sarif.cpp and output_junit.cpp

/// GitHub's workflow commands, one annotation per finding.
std::string github_text(std::span<const Case> cases);
/// A SARIF 2.1.0 log of one run (docs.oasis-open.org/sarif/sarif/v2.1.0).
std::string sarif_text(std::span<const Case> cases);
/// JUnit's XML as Ant's task wrote it and as CI systems read it. `name`: of the suite.
std::string junit_text(std::span<const Case> cases, const std::string& name);

}  // namespace rdmastate
