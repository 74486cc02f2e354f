// SPDX-License-Identifier: Apache-2.0
// Back end ifupdown: one file of stanzas (interfaces(5)), which ifup reads at boot or when an administrator runs it.
// ifup makes a child through its parent's create_child, when it is named parent.XXXX and the parent has link type 32.
#include <fmt/format.h>

#include "base/template.hpp"
#include "host/file_owners.hpp"
#include "platform/layout.hpp"
#include "resources/file.hpp"
#include "resources/ipoib_link.hpp"
#include "sections/ipoib_check.hpp"
#include "sections/network/backend.hpp"
#include "sections/network/link_file.hpp"

namespace rdmastate {
namespace {

Values::Value text_or_no(std::string text) {
  if (text.empty()) return false;
  return text;
}

Values::Value section_if(bool there) { return text_or_no(there ? "yes" : ""); }

// A sysctl's word for yes and no, and sysfs's.
std::string bit(bool value) { return value ? "1" : "0"; }

Values route_line(Family family, const std::optional<IpNetwork>& to, const std::optional<IpAddress>& via,
                  const std::optional<std::uint32_t>& metric) {
  IpNetwork anywhere;
  anywhere.address.family = family;
  Values line;
  line.set("version", std::string(family == Family::v4 ? "-4" : "-6"));
  line.set("to", to_text(to.value_or(anywhere)));
  line.set("via", text_or_no(via ? to_text(*via) : ""));
  line.set("metric", text_or_no(metric ? std::to_string(*metric) : ""));
  return line;
}

template <class List>
std::vector<Values> words_of(std::string_view name, const List& list) {
  std::vector<Values> words;
  for (const auto& one : list) words.emplace_back().set(name, to_text(one));
  return words;
}

// What an interface is before it has addresses; of its first stanza.
Values head(const IpoibRecord& record) {
  const Ipv6Method six = record.ipv6 ? record.ipv6->method : Ipv6Method::link_local;
  Values values;
  values.set("mode", text_or_no(record.judged_mode() ? to_text(*record.judged_mode()) : ""));
  values.set("umcast", text_or_no(record.umcast ? bit(*record.umcast) : ""));
  values.set("no_ipv6", bit(six == Ipv6Method::disabled));
  values.set("no_advertisements", section_if(six == Ipv6Method::link_local || six == Ipv6Method::manual));
  values.set("mtu", text_or_no(record.mtu ? std::to_string(*record.mtu) : ""));
  return values;
}

// What stands in one stanza of a family, the last: ifup goes through them in their order, and this needs all addresses.
struct Tail {
  std::string gateway;
  std::vector<Values> routes;
  std::vector<Values> dns;
  std::vector<Values> search;
};

template <class Block>
Tail tail_of(Family family, bool is_static, const Block& block) {
  Tail tail;
  if (block.gateway && is_static) tail.gateway = to_text(*block.gateway);
  if (block.gateway && !is_static) tail.routes.push_back(route_line(family, std::nullopt, block.gateway, std::nullopt));
  for (const auto& one : block.routes) tail.routes.push_back(route_line(family, one.to.network, one.via, one.metric));
  tail.dns = words_of("server", block.dns);
  tail.search = words_of("domain", block.search);
  return tail;
}

// Templates are strict: what has no place in a stanza is written as "no".
Values stanza(Family family, std::string_view method, std::string address, Tail tail) {
  Values values;
  values.set("family", std::string(family == Family::v4 ? "inet" : "inet6"));
  values.set("method", std::string(method));
  values.set("address", text_or_no(std::move(address)));
  values.set("gateway", text_or_no(std::move(tail.gateway)));
  values.set("routes", std::move(tail.routes));
  values.set("has_dns", section_if(!tail.dns.empty()));
  values.set("dns", std::move(tail.dns));
  values.set("has_search", section_if(!tail.search.empty()));
  values.set("search", std::move(tail.search));
  return values;
}

template <class Block>
void add_stanzas(Family family, std::string_view method, const Block& block, std::vector<Values>& all) {
  const std::size_t count = block.addresses.size();
  for (std::size_t n = 0; n + 1 < count; ++n) all.push_back(stanza(family, method, to_text(block.addresses[n]), {}));
  all.push_back(stanza(family, method, count == 0 ? "" : to_text(block.addresses.back()),
                       tail_of(family, method == "static", block)));
}

std::string_view method_of(Ipv4Method method) {
  switch (method) {
    case Ipv4Method::manual:
      return "static";
    case Ipv4Method::automatic:
      return "dhcp";
    case Ipv4Method::disabled:
      return "manual";
  }
  return "manual";
}

Values interface(const IpoibRecord& record) {
  Ipv4Block none;
  none.method = Ipv4Method::disabled;
  const Ipv4Block& four = record.ipv4 ? *record.ipv4 : none;
  std::vector<Values> all;
  add_stanzas(Family::v4, method_of(four.method), four, all);
  if (record.ipv6 && record.ipv6->method == Ipv6Method::manual) add_stanzas(Family::v6, "static", *record.ipv6, all);
  if (record.ipv6 && record.ipv6->method == Ipv6Method::automatic) add_stanzas(Family::v6, "auto", *record.ipv6, all);
  std::vector<Values> first;
  first.push_back(head(record));
  for (std::size_t n = 1; n < all.size(); ++n) all[n].set("head", section_if(false));
  all.front().set("head", std::move(first));
  Values values;
  values.set("name", record.interface_name());
  values.set("stanzas", std::move(all));
  return values;
}

// Parents before their children, whose making needs them.
std::string interfaces_file(const Spec& spec) {
  std::vector<Values> interfaces;
  for (const bool children : {false, true})
    for (const auto& record : spec.ipoib)
      if (record.is_child() == children && !record.is_absent()) interfaces.push_back(interface(record));
  Values values;
  values.set("interfaces", std::move(interfaces));
  return Template("ipoib.interfaces", escape_interfaces).render(values);
}

void check_included(const Facts& facts, const std::string& path, Report& report) {
  if (includes_file(facts.includes, path)) return;
  complain(
      report, "network.backend",
      fmt::format(
          "/etc/network/interfaces includes no file in /etc/network/interfaces.d, so ifupdown would not read {}", path),
      "add this line to it: source /etc/network/interfaces.d/*");
}

std::string until(const IpoibRecord& record, const std::string& path) {
  const std::string name = record.interface_name();
  if (record.is_absent())
    return fmt::format(
        "ifupdown is no longer told to make it, and leaves it alone until the next boot: ip link delete {} removes it now",
        name);
  return fmt::format("ifupdown makes it so with {} at the next boot, or by ifdown --force {} and ifup {}", path, name,
                     name);
}

void add_live(const Spec& spec, std::size_t i, const LinkId& id, const std::string& path, Desired& desired) {
  const auto& record = spec.ipoib[i];
  for (auto& one : live_resources(spec, i, id, "ifupdown")) {
    one.waits = until(record, path);
    if (one.state && one.kind->name == ipoib_link_kind.name && is_renamed(record))
      one.twins.push_back(name_twin(record));
    if (one.state) one.twins.push_back({{file_kind.name, path}, TwinForm::whole_file, {}});
    desired.add(std::move(one));
  }
}

}  // namespace

void expand_ifupdown(const Spec& spec, const Facts& facts, Desired& desired, Report& report) {
  if (spec.ipoib.empty()) return;
  const std::string path(common_layout().ifupdown_file);
  check_included(facts, path, report);
  const auto ids = link_ids(spec);
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) add_live(spec, i, ids[i], path, desired);
  desired.add({&file_kind, path, State(file_kind, regular_file(interfaces_file(spec))), "ipoib", "", {}});
  add_udev_rules(spec, facts, false, desired, report);
}

}  // namespace rdmastate
