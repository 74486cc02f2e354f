// SPDX-License-Identifier: Apache-2.0
// Who configures this host's interfaces, and why.
#include "sections/network/backend.hpp"

#include <fmt/format.h>

#include <array>

#include "base/error.hpp"
#include "sections/ipoib_check.hpp"

namespace rdmastate {
namespace {

// netplan writes the files of the next two; the last two are where no daemon runs.
constexpr std::array rows{&netplan_backend, &networkmanager_backend, &networkd_backend, &ifupdown_backend,
                          &none_backend};

bool is_here(const Manager* manager) { return manager != nullptr && (manager->running || manager->enabled); }

// What would move the same interfaces behind our back, and has no back end in this version.
void refuse_owner(const Manager& owner, Report& report) {
  complain(report, "network.backend",
           fmt::format("{} {} on this host ({}), and this version has no back end for it", owner.name,
                       owner.running ? "runs" : "is enabled", owner.evidence),
           "network: {backend: none} lets rdmastate move the interfaces itself, where that program leaves them alone");
}

}  // namespace

std::span<const BackendRow* const> all_backends() { return rows; }

const BackendRow& row_of(Backend backend) {
  for (const BackendRow* row : rows)
    if (row->backend == backend) return *row;
  throw Error(fmt::format("there is no back end '{}'", to_text(backend)));
}

std::optional<BackendChoice> choose_backend(const Spec& spec, const Facts& facts, Report& report) {
  if (spec.backend() != Backend::automatic) return BackendChoice{spec.backend(), ""};
  const Manager* wicked = facts.manager("wicked");
  for (const BackendRow* row : rows) {
    std::string why = row->why(facts);
    if (why.empty()) continue;
    if (!row->is_last_resort || !is_here(wicked) || spec.ipoib.empty())
      return BackendChoice{row->backend, std::move(why)};
    refuse_owner(*wicked, report);
    return std::nullopt;
  }
  return std::nullopt;
}

void check_backend(const Spec& spec, Backend backend, Report& report) {
  if (backend == Backend::automatic) return;
  const BackendRow& row = row_of(backend);
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) row.check(spec.ipoib[i], i, report);
}

const Manager* here(const Facts& facts, Backend backend) {
  const Manager* manager = facts.manager(to_text(backend));
  return is_here(manager) ? manager : nullptr;
}

std::string daemon_runs(const Facts& facts, Backend backend) {
  const Manager* manager = here(facts, backend);
  if (manager == nullptr) return {};
  return fmt::format("it {} ({})", manager->running ? "runs" : "is enabled", manager->evidence);
}

void check_usual_name(const IpoibRecord& record, std::size_t index, std::string_view owner, Report& report) {
  if (!record.is_child() || !record.pkey || !record.name) return;
  const std::string must_be = child_name(record.parent->value, *record.pkey);
  if (record.name->value != must_be)
    complain(report, ipoib_path(index, "name"),
             fmt::format("{} names this child {} and takes no other name", owner, must_be),
             fmt::format("leave name out, or write name: {}", must_be));
}

bool is_never(const Facts&, const Desired&) { return false; }
bool generates_nothing(const Claim&) { return false; }

bool prefers_nothing(const Claim&) { return false; }

}  // namespace rdmastate
