// SPDX-License-Identifier: Apache-2.0
#include "sections/spec.hpp"

namespace rdmastate {

Spec::Spec() = default;
Spec::Spec(const Spec& other) = default;
Spec::Spec(Spec&& other) noexcept = default;
Spec& Spec::operator=(const Spec& other) = default;
Spec& Spec::operator=(Spec&& other) noexcept = default;
Spec::~Spec() = default;

template <>
const Record& record_of<Spec>() {
  return detail::record<Spec>;
}

}  // namespace rdmastate
