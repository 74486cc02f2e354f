// SPDX-License-Identifier: Apache-2.0
#include "host/export_table.hpp"

#include <utility>

#include "base/ascii.hpp"
#include "host/nfs_exports.hpp"

namespace rdmastate {
namespace {

// No client is named with a line break.
std::string key_of(std::string_view path, std::string_view host) {
  std::string key(path);
  return key.append("\n").append(ascii::lower(host));
}

// Calls `each` with what a file may call the host beside its full name, the longest first.
template <class Each>
void for_shorter_names(std::string_view host, Each&& each) {
  for (auto dot = host.rfind('.'); dot != std::string_view::npos && dot != 0; dot = host.rfind('.', dot - 1))
    if (const auto name = host.substr(0, dot); is_host_name(name)) each(name);
}

}  // namespace

ExportTable::ExportTable(std::vector<NfsExport> exports) {
  exports_.reserve(exports.size());
  for (auto& one : exports) {
    const bool is_new = exact_.emplace(key_of(one.path, one.host), exports_.size()).second;
    if (!is_new) continue;
    for_shorter_names(one.host,
                      [&](std::string_view name) { shorter_.emplace(key_of(one.path, name), exports_.size()); });
    exports_.push_back(std::move(one));
  }
}

const NfsExport* ExportTable::at(const Index& index, const std::string& key) const {
  const auto found = index.find(key);
  return found == index.end() ? nullptr : &exports_[found->second];
}

const NfsExport* ExportTable::in_force(std::string_view path, std::string_view written) const {
  const std::string key = key_of(path, written);
  const NfsExport* found = at(exact_, key);
  return found != nullptr ? found : at(shorter_, key);
}

const NfsExport* ExportTable::written(std::string_view path, std::string_view full) const {
  const NfsExport* found = at(exact_, key_of(path, full));
  for_shorter_names(full, [&](std::string_view name) {
    if (found == nullptr) found = at(exact_, key_of(path, name));
  });
  return found;
}

}  // namespace rdmastate
