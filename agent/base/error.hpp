// SPDX-License-Identifier: Apache-2.0
// The exceptions that rdmastate throws, the exit code that each leads to, and the words for an errno.
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace rdmastate {

/// What the process exits with: one meaning each, for every command. `--help` and rdmastate(8) list them.
enum class ExitCode {
  done = 0,             ///< the work is done, or there was none
  could_not = 1,        ///< could not be done at all: usage, I/O, something left blocked
  differs = 2,          ///< the host is not what the spec says
  bad_spec = 3,         ///< the spec is wrong; nothing was looked at or changed
  failed_restored = 4,  ///< apply failed and the host is as before
  failed_dirty = 5,     ///< apply failed and the host is not as before, or awaits recovery
  refused = 6,          ///< refused by policy: disruption, in use, foreign owner, a chroot
  busy = 7,             ///< another run is at work, or an earlier one is unfinished or awaits confirmation
};

/// Thrown when work cannot go on. `what()` is one sentence per line with the innermost cause at its end; callers put
/// what they were doing in front of it (in_context()).
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ExitCode code = ExitCode::could_not)
      : std::runtime_error(message), code_(code) {}
  ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

/// A system call that failed, or an error that the kernel answered. Keeps the errno so that a caller can branch on it;
/// the message already explains it in words.
class SystemError : public Error {
 public:
  /// "doing: words (ENAME)"; `kernel_says` is the extended acknowledgement's text, where there is one.
  SystemError(const std::string& doing, int error_number, std::string_view kernel_says = {});
  /// An error whose whole message is `text`, which already names the errno.
  static SystemError with_text(const std::string& text, int error_number) { return {error_number, text}; }
  int number() const noexcept { return number_; }
  /// Whether the kernel denied it to this user.
  bool is_denied() const noexcept { return number_ == EACCES || number_ == EPERM; }

 private:
  SystemError(int error_number, const std::string& text) : Error(text), number_(error_number) {}
  int number_;
};

/// "No such device (ENODEV)": the words in the C locale and the errno's name; "error N" for an unknown number.
std::string describe_errno(int error_number);

/// Runs `work`; an Error that leaves it gains `doing` in front: "creating mlx4_ib0.8002: No such device (ENODEV)".
/// The exit code, and for a SystemError the errno, stay as they were.
template <class Work>
decltype(auto) in_context(std::string_view doing, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const SystemError& error) {
    throw SystemError::with_text(std::string(doing) + ": " + error.what(), error.number());
  } catch (const Error& error) {
    throw Error(std::string(doing) + ": " + error.what(), error.code());
  }
}

}  // namespace rdmastate
