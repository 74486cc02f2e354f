// SPDX-License-Identifier: Apache-2.0
// The loss by a step on a NetworkManager profile: its interface goes down, or, where NetworkManager can reapply the
// profile, loses single addresses and routes.
#include <algorithm>

#include "base/ini.hpp"
#include "platform/platform.hpp"
#include "resources/nm_profile/keyfile_family.hpp"
#include "resources/nm_profile/nm_profile.hpp"

namespace rdmastate {
namespace {

// NM_DEVICE_REAPPLY_FLAG_PRESERVE_EXTERNAL_IP: without it a profile is activated anew, which takes the interface down.
constexpr Version reapplies_since{1, 42};

// Whether the step takes the interface down: a profile goes off it, or one is activated that cannot be reapplied.
bool bounces(const Facts& facts, const NmProfileState* from, const NmProfileState* to) {
  if (to == nullptr) return from != nullptr && from->applied.value_or(false);
  if (!to->active) return false;
  return !stays_up(from, *to) || platform_of(facts).versions.networkmanager < reapplies_since;
}

ini::File read(const FileState& file) {
  return ini::File(ini::keyfile, file.content ? std::string_view(file.content->value) : std::string_view());
}

// Which addresses and routes of one family an interface loses when the profile that it runs changes.
class Change {
 public:
  Change(Family family, const ini::File& before, const ini::File& after)
      : family_(family), before_(read_keyfile_family(before, family)), after_(read_keyfile_family(after, family)) {}

  bool takes(const Address& address) const {
    if (address.value.address.family != family_ || has(after_.addresses, address.value)) return false;
    if (after_.method == "disabled" && before_.method != after_.method && family_ == Family::v6)
      return true;  // the kernel removes its own too
    if (!address.permanent) return takes_leased();
    return has(before_.addresses, address.value);
  }

  bool takes(const Route& route) const {
    constexpr std::uint8_t by_kernel = 2;  // RTPROT_KERNEL: it goes with its address
    constexpr std::uint8_t by_router = 9;  // RTPROT_RA
    constexpr std::uint8_t by_lease = 16;  // RTPROT_DHCP
    if (route.to.address.family != family_ || route.protocol == by_kernel || names(after_, route)) return false;
    if (route.protocol == by_lease || route.protocol == by_router) return takes_leased();
    return names(before_, route);
  }

 private:
  // NetworkManager asks anew for what DHCP and routers gave where anything of the family changes.
  bool takes_leased() const { return after_.method != "auto" || !(before_ == after_); }

  static bool has(const std::vector<IpInterface>& list, const IpInterface& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  }

  static bool names(const KeyfileFamily& profile, const Route& route) {
    if (route.to.is_default() && profile.gateway && route.via == profile.gateway) return true;
    return std::any_of(profile.routes.begin(), profile.routes.end(), [&](const KeyfileRoute& one) {
      return one.to == route.to && one.via == route.via && (!one.metric || *one.metric == route.metric);
    });
  }

  Family family_;
  KeyfileFamily before_;  ///< what the old profile says
  KeyfileFamily after_;   ///< what the new one says
};

// With Device.Reapply the interface stays up, and what other programs added to it stays.
Loss lost_by_reapply(const Snapshot& snapshot, const Link& link, const NmProfileState& from, const NmProfileState& to) {
  Loss loss;
  const ini::File before = read(from);
  const ini::File after = read(to);
  for (const Family family : {Family::v4, Family::v6}) {
    const Change change(family, before, after);
    for (const auto& address : snapshot.addresses(link.index))
      if (change.takes(address)) loss.addresses.push_back(address);
    for (const auto& route : snapshot.routes(link.index))
      if (change.takes(route)) loss.routes.push_back(route);
  }
  return loss;
}

}  // namespace

Loss nm_profile_loses(const Scene& scene, const std::string&, const State* from, const State* to) {
  const auto* before = from == nullptr ? nullptr : &from->as<NmProfileState>();
  const auto* after = to == nullptr ? nullptr : &to->as<NmProfileState>();
  if ((after == nullptr ? before : after) == nullptr) return {};
  const Link* link = scene.snapshot.link(read_nm_profile(after != nullptr ? *after : *before).interface);
  if (bounces(scene.facts, before, after)) return loss_of_link(scene.snapshot, link);
  if (before == nullptr || after == nullptr || !after->active || link == nullptr || !link->up) return {};
  return lost_by_reapply(scene.snapshot, *link, *before, *after);
}

}  // namespace rdmastate
