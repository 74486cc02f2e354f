// SPDX-License-Identifier: Apache-2.0
#include "base/fields_overlay.hpp"

namespace rdmastate {

void fill_on_create(const Record& record, void* value) {
  for (const auto& field : record.fields)
    if (!field.rules.on_create.empty() && field.look(value) == nullptr)
      static_cast<void>(field.type->read(Scalar{field.rules.on_create, true}, field.make(value)));
}

}  // namespace rdmastate
