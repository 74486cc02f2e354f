// SPDX-License-Identifier: Apache-2.0
// rdmastate's own stanzas of ifupdown as records: the inverse of templates/ipoib.interfaces.
#include <algorithm>

#include "base/lines.hpp"
#include "platform/layout.hpp"
#include "sections/ipoib_adopt.hpp"
#include "sections/ipoib_check.hpp"
#include "sections/network/ini.hpp"

namespace rdmastate {
namespace {

using Words = std::vector<std::string>;

// The word behind another one; empty when it is not there.
std::string after(const Words& line, std::string_view word) {
  const auto found = std::find(line.begin(), line.end(), word);
  return found == line.end() || found + 1 == line.end() ? std::string() : found[1];
}

class Stanzas {
 public:
  Stanzas(const Adoption& from, Adopted& to) : from_(from), to_(to) {}

  void add(const Words& line, const std::string& place) {
    if (line.front() == "iface" && line.size() > 3) begin(line[1], line[2] == "inet6", line[3], place);
    if (to_.spec.ipoib.empty() || line.size() < 2) return;
    if (line.front() == "pre-up") take_head(line, place);
    if (line.front() == "mtu") record().mtu = value_from<std::uint32_t>(line[1]), came("mtu", place);
    if (six_ && record().ipv6) take(line, place, "ipv6.", *record().ipv6);
    if (!six_ && record().ipv4) take(line, place, "ipv4.", *record().ipv4);
  }

 private:
  IpoibRecord& record() { return to_.spec.ipoib.back(); }
  void came(const std::string& field, const std::string& place) {
    to_.came_from(ipoib_path(to_.spec.ipoib.size() - 1, field), place);
  }

  void begin(const std::string& name, bool six, const std::string& method, const std::string& place) {
    if (to_.spec.ipoib.empty() || record().interface_name() != name) begin_record(name, place);
    six_ = six;
    static_ = method == "static";
    if (six && !record().ipv6) record().ipv6.emplace().method = static_ ? Ipv6Method::manual : Ipv6Method::automatic;
    if (!six && !record().ipv4 && method != "manual")
      record().ipv4.emplace().method = static_ ? Ipv4Method::manual : Ipv4Method::automatic;
  }

  // Ports stand first, so a child's is there.
  void begin_record(const std::string& name, const std::string& place) {
    IpoibRecord made;
    for (const auto& port : to_.spec.ipoib) {
      if (port.is_child() || !name.starts_with(port.interface_name() + ".")) continue;
      const auto pkey = value_from<PKey>("0x" + name.substr(port.interface_name().size() + 1));
      if (pkey && child_name(port.interface_name(), *pkey) == name) made.parent = port.name, made.pkey = pkey;
    }
    if (!made.parent) made.name = IfName{name}, made.match = match_for(from_, name);
    to_.spec.ipoib.push_back(std::move(made));
    came(record().parent ? "pkey" : "name", place);
  }

  // "pre-up echo connected > /sys/class/net/$IFACE/mode"
  void take_head(const Words& line, const std::string& place) {
    const std::string value = after(line, "echo");
    const std::string& file = line.back();
    if (file.ends_with("/mode")) record().mode = value_from<IpoibMode>(value), came("mode", place);
    if (file.ends_with("/umcast")) record().umcast = value == "1", came("umcast", place);
    if (file.ends_with("/disable_ipv6") && value == "1")
      record().ipv6.emplace().method = Ipv6Method::disabled, came("ipv6.method", place);
  }

  template <class Block>
  void take(const Words& line, const std::string& place, const std::string& family, Block& block) {
    const std::string& key = line.front();
    if (key == "address") add_one(line[1], block.addresses), came(family + "addresses", place);
    if (key == "gateway") block.gateway = value_from<IpAddress>(line[1]), came(family + "gateway", place);
    if (key == "dns-nameservers")
      for (std::size_t n = 1; n < line.size(); ++n) add_one(line[n], block.dns), came(family + "dns", place);
    if (key == "dns-search")
      for (std::size_t n = 1; n < line.size(); ++n) add_one(line[n], block.search), came(family + "search", place);
    if (key == "up") take_route(line, place, family, block);
  }

  template <class T>
  static void add_one(const std::string& text, std::vector<T>& list) {
    if (const auto one = value_from<T>(text)) list.push_back(*one);
  }

  // A static stanza has a key for its gateway, so a route to anywhere is a route there.
  template <class Block>
  void take_route(const Words& line, const std::string& place, const std::string& family, Block& block) {
    const auto to = value_from<IpNetwork>(after(line, "replace"));
    if (!to) return;
    const auto via = value_from<IpAddress>(after(line, "via"));
    const auto metric = value_from<std::uint32_t>(after(line, "metric"));
    std::string field = "routes";
    if (!static_) {
      field = add_route(block, *to, via, metric);
    } else {
      RouteRecord route{{}, via, metric};
      if (!to->is_default()) route.to.network = *to;
      block.routes.push_back(route);
    }
    came(family + field, place);
  }

  const Adoption& from_;
  Adopted& to_;
  bool six_ = false;
  bool static_ = false;
};

}  // namespace

void adopt_interfaces_file(const Adoption& from, Adopted& to) {
  const std::string path(common_layout().ifupdown_file);
  Stanzas stanzas(from, to);
  for (const auto& [number, text] : numbered_lines(from.snapshot.read(path).value_or("")))
    if (const Words line = words(text); !line.empty() && !line.front().starts_with('#'))
      stanzas.add(line, place_of(path, number));
}

}  // namespace rdmastate
