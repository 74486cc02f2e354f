// SPDX-License-Identifier: Apache-2.0
#include "host/ipoib_settings.hpp"

#include "base/fields_overlay.hpp"

namespace rdmastate {

const IpoibSettings& new_ipoib_settings() {
  static const IpoibSettings made = as_created(IpoibSettings{});
  return made;
}

}  // namespace rdmastate
