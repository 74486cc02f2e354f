// SPDX-License-Identifier: Apache-2.0
// The Section `ipoib`. check_ipoib() refuses what no host could have. expand_ipoib() lets the chosen back end want the
// resources, and then looks for foreign files that configure the same interfaces.
#include "platform/layout.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/claimants.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

void check_ipoib(const Spec& spec, Report& report) {
  check_ipoib_identity(spec, report);
  check_ipoib_mtu(spec, report);
  check_ipoib_addresses(spec, report);
  // No host decides about them: `auto` gives them to NetworkManager, or refuses them.
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) check_profile_settings(spec.ipoib[i], i, report);
  check_backend(spec, spec.backend(), report);
}

void expand_ipoib(const Spec& spec, const Facts& facts, Backend backend, Desired& desired, Report& report) {
  const BackendRow& row = row_of(backend);
  const std::vector<Profile> profiles = profiles_of(spec);
  for (const auto& profile : profiles) desired.interfaces.push_back(profile.name);
  // Which back end `auto` is, only the host says, so check_ipoib() could not ask it.
  if (spec.backend() == Backend::automatic) check_backend(spec, backend, report);
  const Expansion to{spec, profiles, facts, desired, report};
  if (!profiles.empty()) row.expand(to);
  find_claimants(to, row);
  if (spec.purges(PurgeDomain::ipoib)) desired.purged.push_back(&ipoib_link_kind);
}

FilePlaces ipoib_places() {
  FilePlaces all = whole_files({common_layout().udev_rules});
  all.push_back({networkd_path("*", ".link")});
  for (const BackendRow* row : all_backends()) append(all, row->places());
  return all;
}

}  // namespace

constinit const Section ipoib_section{"ipoib", check_ipoib, expand_ipoib, adopt_ipoib, ipoib_places};

}  // namespace rdmastate
