// SPDX-License-Identifier: Apache-2.0
#include "sections/named.hpp"

namespace rdmastate {
namespace {

bool has_field(const Record& record, const void* value, std::string_view path, std::string_view wanted);

// Whether `path` leads from this value to a value that is set and, unless `wanted` is empty, prints as `wanted`. A list
// or map without elements holds nothing.
bool holds(const ValueType& type, const void* value, std::string_view path, std::string_view wanted) {
  switch (type.shape) {
    case Shape::scalar:
      return path.empty() && (wanted.empty() || type.print(value) == wanted);
    case Shape::record:
      return path.empty() || has_field(type.record(), value, path, wanted);
    case Shape::list:
      for (std::size_t i = 0; i < type.size(value); ++i)
        if (holds(*type.element, type.at(value, i), path, wanted)) return true;
      return false;
    case Shape::map:
      break;
  }
  bool found = false;
  type.each(value, [&](const void* /*key*/, const void* element) {
    found = found || holds(*type.element, element, path, wanted);
  });
  return found;
}

// The same for a struct: `path` begins with the name of one of its fields.
bool has_field(const Record& record, const void* value, std::string_view path, std::string_view wanted) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const FieldInfo* field = record.find(path.substr(0, dot));
  const void* member = field == nullptr ? nullptr : field->look(value);
  if (member == nullptr) return false;
  return holds(*field->type, member, path.substr(std::min(dot + 1, path.size())), wanted);
}

}  // namespace

bool names_part(const Spec& spec, std::string_view part) {
  const std::size_t equals = std::min(part.find('='), part.size());
  return has_field(record_of<Spec>(), &spec, part.substr(0, equals), part.substr(std::min(equals + 1, part.size())));
}

}  // namespace rdmastate
