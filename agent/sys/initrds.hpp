// SPDX-License-Identifier: Apache-2.0
// Rebuilding an initrd with the distribution's program.
#pragma once

#include <functional>

#include "host/initrds.hpp"
#include "sys/programs.hpp"

namespace rdmastate {

/// Runs dracut or update-initramfs (sys/programs.hpp). dracut overwrites its output file and removes it when the disk
/// is full, so it writes a file beside the image, which rdmastate renames when it is whole. update-initramfs does so
/// itself.
/// Contract: host/initrds.hpp.
class ProgramInitrds final : public Initrds {
 public:
  /// Runs the program words[0] with the arguments after it, and tells how it ended.
  using Run = std::function<Ended(const std::vector<std::string>& words)>;
  /// Tests pass another function than run_script() as `run`.
  explicit ProgramInitrds(Run run = run_script) : run_(std::move(run)) {}
  void rebuild(InitrdProgram program, const std::string& release, const std::string& image) override;

 private:
  /// Runs the program, which writes `target`: `image` itself, or the file beside it. Throws Error where the program
  /// fails.
  void make(InitrdProgram program, const std::string& release, const std::string& image, const std::string& target);

  Run run_;
};

}  // namespace rdmastate
