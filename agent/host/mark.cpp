// SPDX-License-Identifier: Apache-2.0
#include "host/mark.hpp"

#include "base/ini.hpp"
#include "host/network_manager.hpp"

namespace rdmastate {

bool is_rendered(std::string_view bytes) { return bytes.starts_with(managed_line); }

bool carries_mark(std::string_view bytes) {
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  if (is_rendered(first)) return true;
  if (first.starts_with('{') && first.find(made_by_mark) != std::string_view::npos) return true;
  return bytes.find(nm_digest_key) != std::string_view::npos &&
         ini::File(ini::keyfile, bytes).find("user", nm_digest_key) != nullptr;
}

}  // namespace rdmastate
