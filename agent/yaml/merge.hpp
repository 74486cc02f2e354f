// SPDX-License-Identifier: Apache-2.0
// Lays the nodes of one document over those of another, by a field table: what `include` in a spec means.
#pragma once

#include "base/fields.hpp"
#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// Returns `high` laid over `low`, two maps that `record` reads; returns `high` where one of them is no map.
///
/// Records and maps are merged key by key, lists of records record by record (FieldRules::merge_key says which two
/// records are the same); a key or record that only one side has stays. Of any other value, and of a list that is [] in
/// `high`, the value of `high` counts. A merged node has the place of `high`.
///
/// Reports mistakes in the values of `low` that are replaced, and a record of `high` that may mean several of `low`.
/// `scratch` points to a struct of `record`, which is overwritten; `store` keeps the new arrays.
Node laid_over(const Node& low, const Node& high, const Record& record, void* scratch, NodeStore& store,
               Report& report);

}  // namespace rdmastate::yaml
