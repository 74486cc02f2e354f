// SPDX-License-Identifier: Apache-2.0
// stdout carries the result, stderr the talk.
#pragma once

#include <span>
#include <string>

#include "base/error.hpp"
#include "base/report.hpp"
#include "cli/options.hpp"
#include "cli/pipeline_cases.hpp"

namespace rdmastate {

/// Whether this stream gets colours: --color, else NO_COLOR, else whether it is a terminal.
bool wants_colour(const Options& options, int fd);

/// Whoever read the result has gone (`rdmastate plan | head`): nothing is left to be said, and nobody to say it to.
class NobodyReads : public Error {
 public:
  NobodyReads() : Error("nobody reads the result") {}
};

/// To stdout, byte by byte: what programs read. A full disk is an Error, a closed pipe NobodyReads.
void print_result(const std::string& text);
/// The same of data that was asked for (see told_json).
void print_json(const Json& json);
/// To stdout, for people: nothing that a file or the kernel said drives their terminal, and on one lines are at most as
/// wide as it is: COLUMNS, or what it says itself, and not less than 40 columns. Errors as of print_result().
void print_text(std::string_view text);
/// To stderr, with a newline, for people as print_text().
void talk(std::string_view line);

/// What was found about a spec, as `check -o json` has it: by its reader, and by what the host's facts reveal.
Json diagnostics_json(std::initializer_list<const Report*> reports);
/// What is wrong with these specs, in the form asked for: text to stderr, every other form as one document to stdout.
void print_reports(std::span<const Checked> files, const Options& options);
/// The same of one spec.
void print_report(const Report& report, const Options& options);
/// A plan in the form asked for. `spec`: what it was read from; null of what boot.json says.
void print_plan(const Plan& plan, const SpecFile* spec, const Options& options);

/// GitHub's workflow commands, one annotation per finding.
std::string github_text(std::span<const Case> cases);
/// A SARIF 2.1.0 log of one run (docs.oasis-open.org/sarif/sarif/v2.1.0).
std::string sarif_text(std::span<const Case> cases);
/// JUnit's XML as Ant's task wrote it and as CI systems read it. `name`: of the suite.
std::string junit_text(std::span<const Case> cases, const std::string& name);

}  // namespace rdmastate
