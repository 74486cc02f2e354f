// SPDX-License-Identifier: Apache-2.0
// Back end networkd: one .network file per interface and one .netdev file per child (systemd.network(5),
// systemd.netdev(5)); what is live is awaited from it.
#include <fmt/format.h>

#include "base/template.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/networkd_file.hpp"
#include "sections/ipoib_check.hpp"
#include "sections/network/backend.hpp"
#include "sections/network/link_file.hpp"
#include "sections/network/renderers.hpp"

namespace rdmastate {
namespace {

Values::Value text_or_no(std::string text) {
  if (text.empty()) return false;
  return text;
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

Values route(const std::optional<IpNetwork>& to, Family family, const std::optional<IpAddress>& via,
             const std::optional<std::uint32_t>& metric) {
  IpNetwork anywhere;
  anywhere.address.family = family;
  Values values;
  values.set("to", text_or_no(to_text(to.value_or(anywhere))));
  values.set("via", text_or_no(via ? to_text(*via) : ""));
  values.set("metric", text_or_no(metric ? std::to_string(*metric) : ""));
  return values;
}

// What both families put into one .network file.
struct Lists {
  std::vector<Values> addresses;
  std::vector<Values> routes;
  std::vector<Values> dns;
  std::string search;

  template <class Block>
  void add(const Block& block, Family family) {
    for (const auto& address : block.addresses) addresses.push_back(Values{{{"address", to_text(address)}}});
    for (const auto& server : block.dns) dns.push_back(Values{{{"address", to_text(server)}}});
    for (const auto& domain : block.search) search += (search.empty() ? "" : " ") + domain.value;
    if (block.gateway) routes.push_back(route(std::nullopt, family, block.gateway, std::nullopt));
    for (const auto& one : block.routes) routes.push_back(route(one.to.network, family, one.via, one.metric));
  }
};

void give_twins(Wanted& one, const IpoibRecord& record) {
  const std::string name = record.interface_name();
  if (!one.state) return;
  const bool is_link = one.kind->name == ipoib_link_kind.name;
  if (is_link && is_renamed(record)) one.twins.push_back(name_twin(record));
  if (is_link && record.is_child())
    one.twins.push_back(
        {{networkd_file_kind.name, networkd_path(name, ".netdev")}, TwinForm::whole_file, {"name", "mode", "umcast"}});
  one.twins.push_back({{networkd_file_kind.name, networkd_path(name, ".network")}, TwinForm::whole_file, {}});
}

void add_file(Desired& desired, const std::string& path, std::string text, std::size_t index) {
  State state(networkd_file_kind, wanted_networkd_file(path, std::move(text)));
  desired.add({&networkd_file_kind, path, std::move(state), ipoib_path(index), "", {}});
}

}  // namespace

std::vector<Values> children_of(const Spec& spec, const IpoibRecord& parent) {
  std::vector<Values> children;
  for (const auto& record : spec.ipoib)
    if (record.is_child() && !record.is_absent() && record.parent == parent.name)
      children.push_back(Values{{{"child", record.interface_name()}}});
  return children;
}

// In a file that is wholly ours an absent field takes what a created interface gets.
std::string network_file(const Template& text, const Spec& spec, const IpoibRecord& record) {
  const Ipv6Method six = record.ipv6 ? record.ipv6->method : Ipv6Method::link_local;
  Lists lists;
  if (record.ipv4) lists.add(*record.ipv4, Family::v4);
  if (record.ipv6) lists.add(*record.ipv6, Family::v6);
  Values values;
  values.set("name", record.interface_name());
  values.set("parent", text_or_no(record.parent ? record.parent->value : ""));
  values.set("mtu", text_or_no(record.mtu ? std::to_string(*record.mtu) : ""));
  values.set("dhcp", std::string(record.ipv4 && record.ipv4->method == Ipv4Method::automatic ? "ipv4" : "no"));
  values.set("link_local", std::string(six == Ipv6Method::disabled ? "no" : "ipv6"));
  values.set("advertisements", yes_or_no(six == Ipv6Method::automatic));
  values.set("children", record.is_child() ? std::vector<Values>() : children_of(spec, record));
  values.set("dns", std::move(lists.dns));
  values.set("search", text_or_no(lists.search));
  values.set("addresses", std::move(lists.addresses));
  values.set("routes", std::move(lists.routes));
  return text.render(values);
}

std::string netdev_file(const Template& text, const IpoibRecord& record) {
  Values values;
  values.set("name", record.interface_name());
  values.set("pkey", to_text(*record.pkey));
  values.set("mode", to_text(record.judged_mode().value_or(IpoibMode::datagram)));
  values.set("umcast", text_or_no(record.umcast ? yes_or_no(*record.umcast) : ""));
  return text.render(values);
}

void expand_networkd(const Spec& spec, const Facts& facts, Desired& desired, Report& report) {
  const Template network("ipoib.network", escape_line);
  const Template netdev("ipoib.netdev", escape_line);
  const auto ids = link_ids(spec);
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    for (auto& one : live_resources(spec, i, ids[i], "systemd-networkd")) {
      give_twins(one, record);
      desired.add(std::move(one));
    }
    if (record.is_absent()) continue;
    const std::string name = record.interface_name();
    if (record.is_child()) add_file(desired, networkd_path(name, ".netdev"), netdev_file(netdev, record), i);
    add_file(desired, networkd_path(name, ".network"), network_file(network, spec, record), i);
  }
  if (!spec.ipoib.empty()) add_udev_rules(spec, facts, false, desired, report);
}

}  // namespace rdmastate
