// SPDX-License-Identifier: Apache-2.0
// Compares a struct as it is with the wanted one, field by field: kinds find their steps so, plans print them, and undo
// checks that nothing differs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"

namespace rdmastate {

/// One field that differs between two values of a struct.
struct FieldChange {
  std::string path;                 ///< "mode", "ipv4.addresses", "options.recv_queue_size"
  std::optional<std::string> from;  ///< as printed; nullopt: the field was absent
  std::optional<std::string> to;    ///< nullopt: the key of a `whole` map has to go
  bool operator==(const FieldChange&) const = default;
};

/// What has to change for `from` to become what `to` asks for. A field that is absent in `to` is left alone,
/// and so is a key of a map unless the table calls the map whole; a list is one value. `from` may be null:
/// nothing is there yet.
std::vector<FieldChange> diff(const Record& record, const void* from, const void* to);

/// The same for a struct with a field table.
template <detail::HasFields S>
std::vector<FieldChange> diff(const S& from, const S& to) {
  return diff(record_of<S>(), &from, &to);
}

}  // namespace rdmastate
