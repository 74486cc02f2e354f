// SPDX-License-Identifier: Apache-2.0
// Two documents of one format as one: what `include` in a spec means.
#pragma once

#include "base/fields.hpp"
#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// `high` laid over `low`, both maps that `record` reads. What one of them alone has stays. Records and maps are merged
/// key by key; lists of records record by record, those of `low` first, where a record's merge_key says that it is the
/// same; of everything else, and of a list that `high` gives as [], the one of `high` stands. Nodes keep their places,
/// a merged one has that of `high`. `scratch` is a struct of `record`, to read keys into. What loses and could not be
/// read is reported, as is a record of `high` that several of `low` may be. New arrays live in `store`.
Node laid_over(const Node& low, const Node& high, const Record& record, void* scratch, NodeStore& store,
               Report& report);

}  // namespace rdmastate::yaml
