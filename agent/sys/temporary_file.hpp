// SPDX-License-Identifier: Apache-2.0
// A file beside its target, under a name of its own, until it is renamed into place (host/temporary.hpp has the names).
#pragma once

#include <cerrno>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace rdmastate {

/// A name that nobody has: 16 random digits behind the target's prefix.
std::string temporary_name(const std::string& target);

/// Calls `make(name)` (a system call that fails with EEXIST) with temporary names until one is free.
template <class Make>
std::string with_temporary_name(const std::string& target, const std::string& doing, Make&& make) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    std::string name = temporary_name(target);
    if (make(name) >= 0) return name;
    if (errno != EEXIST) break;
  }
  throw SystemError(doing, errno);
}

/// Throws SystemError (EPERM) where what is made could be neither renamed nor removed again (chattr +a).
void refuse_append_only(int directory, const std::string& doing);

/// Calls `remove(name)` of a temporary file unless it was kept.
template <class Remove>
class Temporary {
 public:
  Temporary(std::string name, Remove remove) : name_(std::move(name)), remove_(std::move(remove)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!name_.empty()) remove_(name_);
  }
  std::string keep() { return std::exchange(name_, {}); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  Remove remove_;
};

}  // namespace rdmastate
