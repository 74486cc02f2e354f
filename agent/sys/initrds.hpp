// SPDX-License-Identifier: Apache-2.0
// Rebuilding an initrd with the distribution's program.
#pragma once

#include <functional>

#include "host/initrds.hpp"
#include "sys/programs.hpp"

namespace rdmastate {

/// By the programs of sys/programs.hpp. dracut writes over the image that it is given, and removes it when the disk is
/// full; so it is given another name, which is renamed when it is whole, as update-initramfs does by itself.
class ProgramInitrds final : public Initrds {
 public:
  using Run = std::function<Ended(const std::vector<std::string>& words)>;
  explicit ProgramInitrds(Run run = run_script) : run_(std::move(run)) {}
  void rebuild(InitrdProgram program, const std::string& release, const std::string& image) override;

 private:
  void make(InitrdProgram program, const std::string& release, const std::string& image, const std::string& target);

  Run run_;
};

}  // namespace rdmastate
