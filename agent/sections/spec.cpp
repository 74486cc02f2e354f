// SPDX-License-Identifier: Apache-2.0
#include "sections/spec.hpp"

namespace rdmastate {

template <>
const Record& record_of<Spec>() {
  return detail::record<Spec>;
}

}  // namespace rdmastate
