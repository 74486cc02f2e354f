// SPDX-License-Identifier: Apache-2.0
// Any bytes: loaded, read, and every complaint rendered. What is taken must also be written and taken again.
#include <cstdlib>
#include <string>

#include "unit/yaml/sample.hpp"
#include "yaml/load.hpp"
#include "yaml/reader.hpp"
#include "yaml/writer.hpp"

using namespace rdmastate;

namespace {

bool take(std::string bytes, sample::Spec& spec) {
  Report report;
  const auto document = yaml::load("fuzz.yaml", std::move(bytes), report);
  if (document) yaml::read(document->root, spec, "", report);
  if (!document && !report.failed()) std::abort();
  report.sort();
  static_cast<void>(render(report, true));
  return !report.failed();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sample::Spec spec;
  if (!take(std::string(reinterpret_cast<const char*>(data), size), spec)) return 0;
  sample::Spec again;
  if (!take(yaml::to_yaml_of(spec), again) || !same(spec, again)) std::abort();
  return 0;
}
