// SPDX-License-Identifier: Apache-2.0
#include "base/fields_overlay.hpp"

namespace rdmastate {
namespace {

void read_default(const FieldInfo& field, std::string_view text, void* value);

// Reads a default of a record, which names exactly one field: "{method: disabled}". A default is a text of the program,
// so it is not checked here that it can be read.
void read_block(const Record& record, std::string_view text, void* value) {
  const std::size_t colon = text.find(": ");
  const FieldInfo* field = record.find(text.substr(1, colon - 1));
  read_default(*field, text.substr(colon + 2, text.size() - colon - 3), value);
}

void read_default(const FieldInfo& field, std::string_view text, void* value) {
  if (field.type->shape == Shape::record) return read_block(field.type->record(), text, field.make(value));
  static_cast<void>(field.type->read(Scalar{text}, field.make(value)));
}

}  // namespace

void fill_on_create(const Record& record, void* value) {
  for (const auto& field : record.fields)
    if (!field.rules.on_create.empty() && field.look(value) == nullptr)
      read_default(field, field.rules.on_create, value);
}

}  // namespace rdmastate
