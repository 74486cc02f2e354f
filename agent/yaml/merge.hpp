// SPDX-License-Identifier: Apache-2.0
// Lays the nodes of one document over those of another, by a field table: what `include` in a spec means.
#pragma once

#include "base/fields.hpp"
#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// Returns `high` laid over `low`, two maps that `record` reads; returns `high` where one of them is no map.
/// - Records and maps are merged key by key, lists of records record by record (FieldRules::merge_key says which
/// records
///   are the same). What only one of them has stays. A record of `high` that may mean several of `low` is reported.
/// - Any other value, and a list that is [] in `high`, is taken from `high`; a mistake in the replaced value is
/// reported. A merged node has the place of `high`. `scratch` points to a struct of `record`, which is overwritten;
/// `store` keeps the new arrays.
Node laid_over(const Node& low, const Node& high, const Record& record, void* scratch, NodeStore& store,
               Report& report);

}  // namespace rdmastate::yaml
