// SPDX-License-Identifier: Apache-2.0
// Reads a spec file, after it has made sure that only trusted users can write it; also a saved plan.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace rdmastate {

/// The largest spec file, in bytes.
inline constexpr std::size_t spec_size_limit = 1U << 20U;

/// Who may be able to write the spec that is read.
enum class SpecTrust {
  owner_only,  ///< root or the user who runs rdmastate: what this spec says is done with his rights (apply)
  group_too,   ///< also the groups of file and directories, with a warning: it is only shown (plan, verify)
  anyone,      ///< nothing is done with it (check)
};

/// Called with a warning, one sentence, about who may write a file that is read all the same. Null: no warning is
/// wanted.
using SpecWarning = std::function<void(const std::string&)>;

/// The bytes of a spec file; "-" is standard input. Refuses what is no regular file (without waiting on a FIFO) and
/// what is larger than spec_size_limit (before reading it). Unless anyone is trusted, it also refuses a file, or a link
/// or directory anywhere on the path to it, through which an untrusted user could change what is read. Throws Error
/// with ExitCode::bad_spec for those, could_not for the rest.
std::string read_spec(const std::string& path, SpecTrust trust, const SpecWarning& warn = {});

/// The bytes of a saved plan, of at most 64 MiB. It must be as trusted as a spec with owner_only, since the spec in it
/// is applied. "-" is a file of this name. Throws as read_spec() does.
std::string read_plan_file(const std::string& path);

/// As read_spec, for a file that a spec in `directory` includes. `directory` ends with a slash; "" is the working
/// directory. `name` is relative to it. Where anyone is trusted, a file outside of `directory` (links followed) is
/// checked as with group_too all the same, and refused unless every user may read it: a message about a mistake shows a
/// line of the file, which may be private.
std::string read_included(const std::string& directory, const std::string& name, SpecTrust trust,
                          const SpecWarning& warn = {});

}  // namespace rdmastate
