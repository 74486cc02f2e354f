// SPDX-License-Identifier: Apache-2.0
// The images of a recorded host. An image is a file whose first line is `initrd_head` and that then has one line for
// each file that it holds: its path, a blank and the SHA-256 of its bytes.
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

/// Makes images as the distributions' programs do, of the files that those copy; ENOENT where the program is not
/// installed, EROFS where /boot or / is mounted read-only.
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
/// When files were written, as far as images tell: one that holds all as it is on the disk is the newest, a file that
/// one of them does not hold so is newer than that one. What is not here is older than both.
std::map<std::string, std::int64_t> times_of(const HostModel& model);
}  // namespace initrds

}  // namespace rdmastate
