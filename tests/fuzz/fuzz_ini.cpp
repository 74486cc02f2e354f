// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are a file of entries in every dialect, each with the lines that it stands on.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/ini.hpp"

namespace {

using namespace rdmastate;

void require(bool holds) {
  if (!holds) std::abort();
}

void read(const ini::Dialect& dialect, std::string_view text) {
  const ini::File file(dialect, text);
  std::size_t at = 0, line = 0;
  for (const auto& entry : file.entries()) {
    require(entry.begin >= at && entry.end > entry.begin && entry.end <= file.unfinished());
    require(entry.line > line && entry.instance < file.sections().size() && !entry.key.empty());
    require(entry.key.size() + entry.value.size() < 2 * (entry.end - entry.begin));
    require(file.find(file.section(entry), entry.key) != nullptr);
    at = entry.end, line = entry.line;
  }
  for (const auto& section : file.sections()) require(section.begin <= section.end && section.end <= file.unfinished());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& dialect : {ini::systemd, ini::keyfile, ini::nfs_conf, ini::shell}) read(dialect, text);
  return 0;
}
