// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/initrds.hpp"

namespace rdmastate {

/// By the programs of sys/programs.hpp. dracut writes over the image that it is given, and removes it when the disk is
/// full; so it is given another name, which is renamed when it is whole, as update-initramfs does by itself.
class ProgramInitrds final : public Initrds {
 public:
  void rebuild(InitrdProgram program, const std::string& release, const std::string& image) override;
};

}  // namespace rdmastate
