// SPDX-License-Identifier: Apache-2.0
// What others have on the children of a port that goes down for a moment.
#pragma once

#include <string>
#include <vector>

#include "resources/kind.hpp"

namespace rdmastate {

/// Made before the port goes down: the children go with it, and the kernel drops their IPv6 addresses and their routes.
class KeptChildren {
 public:
  KeptChildren(Tools& tools, const Link& port);
  /// When the port is up again: gives back what is missing, unless whoever has it was quicker.
  void put_back();

 private:
  struct Thing {
    const Kind* kind;
    std::string key;
    State state;
  };
  Tools& tools_;
  std::vector<Thing> things_ = {};
};

}  // namespace rdmastate
