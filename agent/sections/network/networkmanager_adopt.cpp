// SPDX-License-Identifier: Apache-2.0
// NetworkManager's InfiniBand profiles as records: nm-settings-keyfile(5), whoever wrote them.
#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"
#include "sections/ipoib_adopt.hpp"
#include "sections/ipoib_check.hpp"
#include "sections/network/ini.hpp"

namespace rdmastate {
namespace {

// One profile becomes one record.
class Profile {
 public:
  Profile(const Adoption& from, const Ini& file, Adopted& to)
      : from_(from), file_(file), to_(to), index_(to.spec.ipoib.size()) {}

  void add() {
    IpoibRecord& made = to_.spec.ipoib.emplace_back();
    const std::string name = file_.value("connection", "interface-name");
    made.name = IfName{name};
    note("name", "connection", "interface-name");
    made.mode = value_from<IpoibMode>(taken("mode", "infiniband", "transport-mode"));
    made.mtu = value_from<std::uint32_t>(taken("mtu", "infiniband", "mtu"));
    if (made.mtu == 0U) made.mtu.reset();  // automatic
    if (const std::string parent = taken("parent", "infiniband", "parent"); !parent.empty()) {
      made.parent = IfName{parent};
      made.pkey = pkey_from(taken("pkey", "infiniband", "p-key"));
      if (made.pkey && child_name(parent, *made.pkey) == name) made.name.reset();
    } else {
      made.match = match_for(from_, name);
    }
    made.ipv4 = block<Ipv4Block>("ipv4", Family::v4);
    if (made.ipv4 && made.ipv4->method == Ipv4Method::disabled) made.ipv4.reset();  // what none means
    made.ipv6 = block<Ipv6Block>("ipv6", Family::v6);
    if (made.ipv6 && made.ipv6->method == Ipv6Method::link_local) made.ipv6.reset();
  }

 private:
  void note(const std::string& field, std::string_view section, std::string_view key) {
    if (const ini::Entry* line = file_.find(section, key)) to_.came_from(ipoib_path(index_, field), file_.place(*line));
  }
  std::string taken(const std::string& field, std::string_view section, std::string_view key) {
    note(field, section, key);
    return file_.value(section, key);
  }

  // NetworkManager writes it in decimal; people write 0x8002.
  static std::optional<PKey> pkey_from(const std::string& text) {
    const auto number = value_from<std::uint32_t>(text);
    if (number && *number > 0 && *number <= PKey::default_partition)
      return PKey{static_cast<std::uint16_t>(*number | 0x8000U)};
    return value_from<PKey>(text);
  }

  template <class Block>
  std::optional<Block> block(const std::string& section, Family family) {
    Block made;
    const std::string method = taken(section + ".method", section, "method");
    if (method.empty() || method == "ignore") return std::nullopt;
    if (Text<decltype(made.method)>::read({method, true}, made.method)) {
      to_.left_out.push_back(
          fmt::format("{}: [{}] method={} has no counterpart in a spec", file_.path(), section, method));
      return std::nullopt;
    }
    for (const auto& line : file_.entries())
      if (line.counts && file_.section(line) == section) take(line, family, made);
    return made;
  }

  template <class Block>
  void take(const ini::Entry& line, Family family, Block& made) {
    const auto is_numbered = [&](std::string_view head) {
      return line.key.starts_with(head) && line.key.size() > head.size() &&
             line.key.find_first_not_of("0123456789", head.size()) == std::string::npos;
    };
    std::string field;
    if (is_numbered("address")) {
      field = "addresses", take_address(line.value, made);
    } else if (is_numbered("route")) {
      field = "routes", take_route(line.value, family, made);
    } else if (line.key == "gateway") {
      field = "gateway", made.gateway = value_from<IpAddress>(line.value);
    } else if (line.key == "dns") {
      field = "dns", take_list(line.value, made.dns);
    } else if (line.key == "dns-search") {
      field = "search", take_list(line.value, made.search);
    } else {
      return;
    }
    to_.came_from(ipoib_path(index_, file_.section(line) + "." + field), file_.place(line));
  }

  // "192.0.2.1/24,192.0.2.254": the gateway may stand behind.
  template <class Block>
  static void take_address(const std::string& text, Block& made) {
    const auto parts = split(text, ",");
    if (parts.empty()) return;
    if (const auto address = value_from<IpInterface>(parts[0])) made.addresses.push_back(*address);
    if (parts.size() > 1 && !made.gateway) made.gateway = value_from<IpAddress>(parts[1]);
  }

  // "203.0.113.0/24,198.51.100.254,50": an unspecified gateway is none.
  template <class Block>
  static void take_route(const std::string& text, Family family, Block& made) {
    const auto parts = split(text, ",");
    const auto to = parts.empty() ? std::nullopt : value_from<IpNetwork>(parts[0]);
    if (!to) return;
    RouteRecord route;
    if (!to->is_default()) route.to.network = *to;
    if (parts.size() > 1) route.via = value_from<IpAddress>(parts[1]);
    if (route.via == IpAddress{family, {}}) route.via.reset();
    if (parts.size() > 2) route.metric = value_from<std::uint32_t>(parts[2]);
    made.routes.push_back(route);
  }

  template <class T>
  static void take_list(const std::string& text, std::vector<T>& list) {
    for (const auto& part : split(text, ";,"))
      if (const auto one = value_from<T>(part)) list.push_back(*one);
  }

  const Adoption& from_;
  const Ini& file_;
  Adopted& to_;
  std::size_t index_;
};

// Ports in the order of our rules, children behind them.
std::size_t place_among(const std::vector<NamedPort>& ports, const Ini& file) {
  if (!file.value("infiniband", "parent").empty()) return ports.size() + 1;
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const NamedPort& port) {
    return port.name == file.value("connection", "interface-name");
  });
  return static_cast<std::size_t>(found - ports.begin());
}

bool is_ipoib(const Ini& file) { return file.value("connection", "type") == "infiniband"; }

bool is_said(const Spec& spec, const std::string& interface) {
  return std::any_of(spec.ipoib.begin(), spec.ipoib.end(),
                     [&](const IpoibRecord& one) { return one.interface_name() == interface; });
}

void note_without_profile(const Adoption& from, Adopted& to) {
  if (from.snapshot.is_tree()) return;
  for (const Link* link : from.snapshot.links())
    if (link->is_ipoib() && link->up && !is_said(to.spec, link->name))
      to.left_out.push_back(fmt::format("{} is up, and no profile of NetworkManager's says why", link->name));
}

}  // namespace

void adopt_keyfiles(const Adoption& from, Adopted& to) {
  std::vector<Ini> files;
  for (const auto& claim : from.facts.claims)
    if (claim.manager == "networkmanager" && claim.path.find("/system-connections/") != std::string::npos)
      files.emplace_back(claim.path, ini::keyfile, from.snapshot.read(claim.path).value_or(""));
  const bool children_only = from.backend == Backend::netplan;  // netplan makes the ports' own
  std::erase_if(files, [&](const Ini& file) {
    return !is_ipoib(file) || (children_only && file.value("infiniband", "parent").empty());
  });
  const auto ports = ports_named_by_rules(from.snapshot);
  std::stable_sort(files.begin(), files.end(),
                   [&](const Ini& a, const Ini& b) { return place_among(ports, a) < place_among(ports, b); });
  for (const auto& file : files) {
    if (is_said(to.spec, file.value("connection", "interface-name"))) {
      to.left_out.push_back(
          fmt::format("{} is a second profile of {}", file.path(), file.value("connection", "interface-name")));
    } else {
      Profile(from, file, to).add();
    }
  }
  note_without_profile(from, to);
}

}  // namespace rdmastate
