// SPDX-License-Identifier: Apache-2.0
// Back end none: rdmastate moves links, addresses and routes itself; their twin is boot.json.
#include "platform/layout.hpp"
#include "resources/file.hpp"
#include "sections/network/backend.hpp"
#include "sections/network/link_file.hpp"

namespace rdmastate {
namespace {

void give_twins(Wanted& one, const IpoibRecord& record) {
  const std::string boot_file(common_layout().boot_file);
  if (!one.state) return;
  if (one.kind->name == "ipoib_link" && is_renamed(record)) one.twins.push_back(name_twin(record));
  one.twins.push_back({{file_kind.name, boot_file}, TwinForm::boot_entry, {}});
}

}  // namespace

void expand_none(const Spec& spec, const Facts& facts, Desired& desired, Report& report) {
  desired.wanted.reserve(desired.wanted.size() + 3 * spec.ipoib.size());  // a link and one or two addresses each
  const auto ids = link_ids(spec);
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i)
    for (auto& one : live_resources(spec, i, ids[i], "")) {
      give_twins(one, spec.ipoib[i]);
      desired.add(std::move(one));
    }
  if (spec.ipoib.empty()) return;
  add_udev_rules(spec, facts, true, desired, report);
}

}  // namespace rdmastate
