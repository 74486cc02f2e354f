// SPDX-License-Identifier: Apache-2.0
// Everything that is said about a document, as a person reads it.
#pragma once

#include <string>

#include "sample.hpp"
#include "yaml/load.hpp"
#include "yaml/reader.hpp"

namespace rdmastate::test {

/// What load() and read() say about `bytes` as a sample::Spec.
inline std::string told(std::string bytes) {
  Report report;
  sample::Spec spec;
  if (const auto document = yaml::load("spec.yaml", std::move(bytes), report))
    yaml::read(document->root, spec, "", report);
  report.sort();
  return render(report, false);
}

/// What is said about a document that has nothing but `line` wrong, the second of two.
inline std::string told_of(const std::string& line) { return told("version: 1\n" + line + "\n"); }

/// One diagnostic about line 2, as render() shows it, and the count below it.
inline std::string about(const std::string& line, std::size_t column, std::size_t width, const std::string& message,
                         const std::string& below = {}) {
  return "spec.yaml:2:" + std::to_string(column) + ": error: " + message + "\n    2 | " + line + "\n      | " +
         std::string(column - 1, ' ') + "^" + std::string(width - 1, '~') + "\n" + below + "1 error\n";
}

}  // namespace rdmastate::test
