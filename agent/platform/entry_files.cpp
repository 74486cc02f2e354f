// SPDX-License-Identifier: Apache-2.0
#include "platform/entry_files.hpp"

#include <algorithm>
#include <array>

namespace rdmastate {
namespace {

constexpr std::array files{
    EntryFile{"/etc/default/opensm", EntryForm::shell}, EntryFile{"/etc/sysconfig/opensm", EntryForm::shell},
    EntryFile{"/etc/nfs.conf", EntryForm::ini},         EntryFile{"/etc/nfs.conf.local", EntryForm::ini},
    EntryFile{"/etc/rdma/mlx4.conf", EntryForm::words},
};

}  // namespace

std::span<const EntryFile> entry_files() { return files; }

const EntryFile* entry_file(std::string_view path) {
  const auto found = std::find_if(files.begin(), files.end(), [&](const EntryFile& one) { return one.path == path; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace rdmastate
