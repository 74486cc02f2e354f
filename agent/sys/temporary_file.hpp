// SPDX-License-Identifier: Apache-2.0
// A file beside its target, under a name of its own, until it is renamed into place (host/temporary.hpp says which
// names are such).
#pragma once

#include <cerrno>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace rdmastate {

/// A random name in the target's directory: temporary_prefix(target) and 16 hexadecimal digits. `target` is the file's
/// name without its directory. A file of that name may exist.
std::string temporary_name(const std::string& target);

/// Calls `make(name)` with names of temporary_name(), at most 16 times, until it does not fail with EEXIST. `make`
/// returns less than 0 and sets errno where it fails, as a system call does. Returns the name that `make` took; throws
/// SystemError for any other failure, and where all 16 names exist.
template <class Make>
std::string with_temporary_name(const std::string& target, const std::string& doing, Make&& make) {
  int failure = EEXIST;
  for (int attempt = 0; attempt < 16 && failure == EEXIST; ++attempt) {
    std::string name = temporary_name(target);
    if (make(name) >= 0) return name;
    failure = errno;
  }
  throw SystemError(doing, failure);
}

/// Throws SystemError (EPERM) where the directory is append-only (chattr +a): what is made there could be neither
/// renamed nor removed.
void refuse_append_only(int directory, const std::string& doing);

/// Owns a temporary file: the destructor calls `remove(name)` unless keep() was called.
template <class Remove>
class Temporary {
 public:
  Temporary(std::string name, Remove remove) : name_(std::move(name)), remove_(std::move(remove)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!name_.empty()) remove_(name_);
  }
  /// The name, of which the caller takes care from now on; name() is empty then.
  std::string keep() { return std::exchange(name_, {}); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  Remove remove_;
};

}  // namespace rdmastate
