// SPDX-License-Identifier: Apache-2.0
// Classes that own a handle of a C library or a file descriptor, and free it when they end.
#pragma once

#include <unistd.h>

#include <memory>
#include <utility>

namespace rdmastate {

/// A deleter for std::unique_ptr that calls the C function `Free`.
template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* p) const noexcept {
    static_cast<void>(Free(p));
  }
};

/// Owns a handle of a C library, which `Free` frees: `using NlSocket = Handle<nl_sock, &nl_socket_free>;`
template <class T, auto Free>
using Handle = std::unique_ptr<T, FreeWith<Free>>;

/// Owns a file descriptor; -1 is none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) noexcept : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace rdmastate
