// SPDX-License-Identifier: Apache-2.0
// Back end netplan: the ports in one file of netplan's (netplan(5)); their children, for which netplan has no key, in
// files of the renderer's own, which the port's file is told of by a drop-in where the renderer is networkd.
#include <fmt/format.h>

#include "platform/layout.hpp"
#include "platform/platform.hpp"
#include "resources/file.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/nm_profile.hpp"
#include "sections/ipoib_check.hpp"
#include "sections/network/backend.hpp"
#include "sections/network/link_file.hpp"
#include "sections/network/netplan_file.hpp"
#include "sections/network/renderers.hpp"

namespace rdmastate {
namespace {

// Not the names of back end networkd, whose files are another kind of resource: these are not reloaded.
std::string child_path(const std::string& name, std::string_view suffix) {
  return fmt::format("{}/61-rdmastate-{}{}", common_layout().networkd_files, name, suffix);
}

// netplan calls a port's file so; systemd looks for drop-ins in all its directories, whichever the file is in.
std::string drop_in_path(const std::string& port) {
  return fmt::format("{}/10-netplan-{}.network.d/rdmastate.conf", common_layout().networkd_files, port);
}

std::string until(const IpoibRecord& record, const std::string& path) {
  if (record.is_absent())
    return fmt::format(
        "networkd is no longer told to make it, and leaves it alone until the next boot: ip link delete {} "
        "removes it now",
        record.interface_name());
  return fmt::format("netplan makes it so with {} at the next boot, or by netplan apply", path);
}

// One spec's resources, for one renderer.
struct Expansion {
  const Spec& spec;
  Desired& desired;
  bool by_networkd;
  Platform platform;
  Template network{"ipoib.network", escape_line};
  Template netdev{"ipoib.netdev", escape_line};
  Template children{"ipoib.network-children", escape_line};
  Template profile{"ipoib.nmconnection", escape_line};

  void add_file(const std::string& path, std::string text, std::size_t i, std::uint32_t mode = 0644) {
    desired.add({&file_kind, path, State(file_kind, regular_file(std::move(text), mode)), ipoib_path(i), "", {}});
  }

  void add_live(std::size_t i, const LinkId& id, std::string_view owner, const std::string& path,
                const std::vector<Twin>& of_link, const Twin& of_all) {
    const auto& record = spec.ipoib[i];
    for (auto& one : live_resources(spec, i, id, std::string(owner))) {
      if (owner == "netplan") one.waits = until(record, path);
      if (one.state && one.kind->name == ipoib_link_kind.name) one.twins = of_link;
      if (one.state) one.twins.push_back(of_all);
      desired.add(std::move(one));
    }
  }

  void add_port(std::size_t i, const LinkId& id) {
    const auto& record = spec.ipoib[i];
    const std::string path(common_layout().netplan_file);
    std::vector<Twin> named;
    if (is_renamed(record)) named.push_back(name_twin(record));
    add_live(i, id, "netplan", path, named, {{file_kind.name, path}, TwinForm::whole_file, {}});
    Values names;
    names.set("children", children_of(spec, record));
    const bool has_children = !std::get<std::vector<Values>>(names.of.front().second).empty();
    if (by_networkd && has_children) add_file(drop_in_path(record.interface_name()), children.render(names), i);
  }

  void add_networkd_child(std::size_t i, const LinkId& id) {
    const auto& record = spec.ipoib[i];
    const std::string made_by = child_path(record.interface_name(), ".netdev");
    const std::string path = child_path(record.interface_name(), ".network");
    const Twin made{{file_kind.name, made_by}, TwinForm::whole_file, {"name", "mode", "umcast"}};
    add_live(i, id, "netplan", path, {made}, {{file_kind.name, path}, TwinForm::whole_file, {}});
    if (record.is_absent()) return;
    add_file(made_by, netdev_file(netdev, record), i);
    add_file(path, network_file(network, spec, record), i);
  }

  void add_nm_child(std::size_t i, const LinkId& id) {
    const auto& record = spec.ipoib[i];
    const std::string path = nm_profile_path(record);
    add_live(i, id, "NetworkManager", path, {}, {{nm_profile_kind.name, path}, TwinForm::whole_file, {}});
    if (record.is_absent()) return;
    State state(nm_profile_kind, wanted_nm_profile(nm_profile_text(profile, record, platform)));
    desired.add({&nm_profile_kind, path, std::move(state), ipoib_path(i), "", {}});
  }
};

// infiniband-mode came with netplan 0.105; without it netplan makes a profile of an Ethernet card.
void check_version(const Facts& facts, Report& report) {
  const unsigned release = platform_of(facts).release;
  const bool is_old = (facts.distribution == "debian" && release != 0 && release < 12) ||
                      (facts.distribution == "ubuntu" && release != 0 && release < 22);
  if (is_old)
    complain(
        report, "network.backend",
        fmt::format("netplan on {} cannot tell NetworkManager of InfiniBand: infiniband-mode came with netplan 0.105",
                    facts.pretty_name),
        "network: {backend: networkmanager} writes NetworkManager's own profiles");
}

}  // namespace

void expand_netplan(const Spec& spec, const Facts& facts, Desired& desired, Report& report) {
  if (spec.ipoib.empty()) return;
  const bool by_networkd = facts.netplan_renderer != "NetworkManager";
  check_backend(spec, by_networkd ? Backend::networkd : Backend::networkmanager, report);
  if (!by_networkd) check_version(facts, report);
  Expansion expansion{spec, desired, by_networkd, platform_of(facts)};
  const auto ids = link_ids(spec);
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    if (!by_networkd) check_nm_mode(spec, i, report);
    if (!spec.ipoib[i].is_child()) {
      expansion.add_port(i, ids[i]);
    } else {
      by_networkd ? expansion.add_networkd_child(i, ids[i]) : expansion.add_nm_child(i, ids[i]);
    }
  }
  constexpr std::uint32_t private_file = 0600;  // netplan warns of files that others may read
  State state(file_kind, regular_file(netplan_file(spec, by_networkd), private_file));
  desired.add({&file_kind, std::string(common_layout().netplan_file), std::move(state), "ipoib", "", {}});
  add_udev_rules(spec, facts, false, desired, report);
}

}  // namespace rdmastate
