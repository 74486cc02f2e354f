// SPDX-License-Identifier: Apache-2.0
// Lays the nodes of one document over those of another, by a field table: what `include` in a spec means.
#pragma once

#include "base/fields.hpp"
#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// `high` laid over `low`, both maps that `record` reads; where one is no map, the result is `high`. What one of them
/// alone has stays. Records and maps are merged key by key. Lists of records are merged record by record, those of
/// `low` first; FieldRules::merge_key says which records are the same. Everything else, and a list that `high` gives as
/// [], is taken from `high`. Nodes keep their places; a merged one has that of `high`. `scratch` is a struct of
/// `record`, to read keys into. Reports mistakes in values of `low` that are replaced, and a record of `high` that may
/// mean several of `low`. New arrays live in `store`.
Node laid_over(const Node& low, const Node& high, const Record& record, void* scratch, NodeStore& store,
               Report& report);

}  // namespace rdmastate::yaml
