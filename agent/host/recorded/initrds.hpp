// SPDX-License-Identifier: Apache-2.0
// The initrd images of a recorded host, and the programs that make them. An image is a file whose first line is
// `initrd_head` and that then has one line for each file that it holds: its path, a blank and the SHA-256 of its bytes.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "host/initrds.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/files.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// The first line of a record's file that stands for an initrd.
inline constexpr std::string_view initrd_head = "initrd that holds:\n";

/// Makes images anew as the distributions' programs do, of the files that those copy; ENOENT where there is no such
/// image yet, no such kernel, or the program is not installed, EROFS where /boot or / is mounted read-only.
class RecordedInitrds final : public Initrds {
 public:
  RecordedInitrds(HostModel& model, RecordedFiles& files, CallLog& log) : model_(model), files_(files), log_(log) {}
  void rebuild(InitrdProgram program, const std::string& release, const std::string& image) override;

 private:
  HostModel& model_;
  RecordedFiles& files_;
  CallLog& log_;
};

namespace initrds {
/// What a program copies of the model's files, as the bytes of an image.
std::string image_of(const HostModel& model, InitrdProgram program);
/// A record holds no times, so these stand for them, by path; a path that is not here counts as 0. An image is older
/// (0) than each file (1) that it does not hold as that file is on the disk; an image that holds all its files is
/// newest (2).
std::map<std::string, std::int64_t> times_of(const HostModel& model);
}  // namespace initrds

}  // namespace rdmastate
