// SPDX-License-Identifier: Apache-2.0
// The interface to a running host's device manager.
#pragma once

namespace rdmastate {

/// The device manager of a running host.
class Udev {
 public:
  virtual ~Udev() = default;
  /// Makes systemd-udevd use the rules that are on the disk now for every later event. By itself it looks for new ones
  /// at most every three seconds (systemd, udevd.c), and an interface whose module is loaded right after its rule was
  /// written would keep the kernel's name. Does nothing where no udevd runs; never throws.
  virtual void reload_rules() = 0;
};

}  // namespace rdmastate
