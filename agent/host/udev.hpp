// SPDX-License-Identifier: Apache-2.0
// The interface to a running host's device manager.
#pragma once

namespace rdmastate {

/// The device manager of a running host.
class Udev {
 public:
  virtual ~Udev() = default;
  /// systemd-udevd takes the rules as they are on the disk now for every event from here on. By itself it looks for new
  /// ones only when it last did three seconds ago (systemd, udevd.c), and an interface whose module is loaded right
  /// after its rule was written would keep the kernel's name. Does nothing where no udevd runs; never throws: what
  /// udevd does with its rules is seen, and said, where it matters.
  virtual void reload_rules() = 0;
};

}  // namespace rdmastate
