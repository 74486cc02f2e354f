// SPDX-License-Identifier: Apache-2.0
// The first half prints: interface_values() gives the template a stanza for each address; the first one has the
// interface's own settings (head), a family's last one what needs all addresses (Tail). The second half reads: class
// Stanzas takes the file line by line. `four` and `six` are IPv4 and IPv6.
#include "sections/ipoib/backends/ifupdown/interfaces_file.hpp"

#include <algorithm>

#include "base/lines.hpp"
#include "base/template.hpp"
#include "host/ifupdown.hpp"
#include "host/interfaces_text.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/print.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// For a section of the template, which is printed where `there` is true.
Values::Value section_if(bool there) { return text_or_false(there ? "yes" : ""); }

// Yes and no as sysctls and sysfs write them.
std::string bit(bool value) { return value ? "1" : "0"; }

Values route_line(const ProfileRoute& route) {
  Values line;
  line.set("version", std::string(route.to.address.family == Family::v4 ? "-4" : "-6"));
  line.set("to", to_text(route.to));
  line.set("via", text_or_false(text_or_empty(route.via)));
  line.set("metric", text_or_false(text_or_empty(route.metric)));
  return line;
}

template <class List>
std::vector<Values> words_of(std::string_view name, const List& list) {
  std::vector<Values> words;
  for (const auto& one : list) words.emplace_back().set(name, to_text(one));
  return words;
}

// A field that ifupdown has no key for: its file in the interface's folder of sysfs, which is written before the
// interface comes up.
struct SysfsFile {
  std::string_view file;
  std::string_view field;
  std::string (*print)(const IpoibRecord&);
  void (*take)(const std::string&, IpoibRecord&);
};

constexpr SysfsFile sysfs_files[] = {
    {"mode", "mode", [](const IpoibRecord& record) { return text_or_empty(record.mode); },
     [](const std::string& text, IpoibRecord& record) { record.mode = value_from<IpoibMode>(text); }},
    {"umcast", "umcast", [](const IpoibRecord& record) { return record.umcast ? bit(*record.umcast) : std::string(); },
     [](const std::string& text, IpoibRecord& record) { record.umcast = text == "1"; }},
};

std::vector<Values> sysfs_lines(const IpoibRecord& record) {
  std::vector<Values> lines;
  for (const auto& row : sysfs_files) {
    std::string value = row.print(record);
    if (value.empty()) continue;
    Values& line = lines.emplace_back();
    line.set("value", std::move(value));
    line.set("file", std::string(row.file));
  }
  return lines;
}

// What ifup sets before the interface has addresses: a part of its first stanza.
Values head(const IpoibRecord& record) {
  const Ipv6Method six = record.ipv6->method;
  Values values;
  values.set("sysfs", sysfs_lines(record));
  values.set("no_ipv6", bit(six == Ipv6Method::disabled));
  values.set("no_advertisements", section_if(six == Ipv6Method::link_local || six == Ipv6Method::manual));
  values.set("mtu", text_or_false(text_or_empty(record.mtu)));
  return values;
}

// What stands in a family's last stanza alone: ifup takes stanzas in their order, and routes and DNS need all
// addresses.
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
  for (const auto& route : is_static ? routes_of(block, family) : all_routes_of(block, family))
    tail.routes.push_back(route_line(route));
  tail.dns = words_of("server", block.dns);
  tail.search = words_of("domain", block.search);
  return tail;
}

// A template needs every value: what this stanza does not have is false, which leaves its line out.
Values stanza(Family family, std::string_view method, std::string address, Tail tail) {
  Values values;
  values.set("family", std::string(family == Family::v4 ? "inet" : "inet6"));
  values.set("method", std::string(method));
  values.set("address", text_or_false(std::move(address)));
  values.set("gateway", text_or_false(std::move(tail.gateway)));
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

// IPv4 has a stanza whatever its method (`manual` where it is disabled), so there is always a first one for head().
Values interface_values(const Profile& profile) {
  const Ipv4Block& four = *profile.made.ipv4;
  const Ipv6Block& six = *profile.made.ipv6;
  std::vector<Values> all;
  add_stanzas(Family::v4, method_of(four.method), four, all);
  if (six.method == Ipv6Method::manual) add_stanzas(Family::v6, "static", six, all);
  if (six.method == Ipv6Method::automatic) add_stanzas(Family::v6, "auto", six, all);
  std::vector<Values> first;
  first.push_back(head(profile.made));
  for (std::size_t n = 1; n < all.size(); ++n) all[n].set("head", section_if(false));
  all.front().set("head", std::move(first));
  Values values;
  values.set("name", profile.name);
  values.set("stanzas", std::move(all));
  return values;
}

using Words = std::vector<std::string>;

// The word behind another one; empty when it is not there.
std::string after(const Words& line, std::string_view word) {
  const auto found = std::find(line.begin(), line.end(), word);
  return found == line.end() || found + 1 == line.end() ? std::string() : found[1];
}

// Makes records of the file's lines. An interface has several stanzas, one behind the other; each has one family.
class Stanzas {
 public:
  Stanzas(const Adoption& from, Adopted& to) : from_(from), to_(to) {}

  void add(const Words& line, const std::string& place) {
    if (line.front() == "iface" && line.size() > 3) begin_stanza(line[1], line[2] == "inet6", line[3], place);
    if (to_.spec.ipoib.empty() || line.size() < 2) return;
    if (line.front() == "pre-up") take_head(line, place);
    if (line.front() == "mtu") {
      record().mtu = value_from<std::uint32_t>(line[1]);
      note_source("mtu", place);
    }
    if (six_ && record().ipv6) take(line, place, "ipv6.", *record().ipv6);
    if (!six_ && record().ipv4) take(line, place, "ipv4.", *record().ipv4);
  }

 private:
  IpoibRecord& record() { return to_.spec.ipoib.back(); }
  void note_source(const std::string& field, const std::string& place) {
    to_.came_from(ipoib_path(to_.spec.ipoib.size() - 1, field), place);
  }

  void begin_stanza(const std::string& name, bool six, const std::string& method, const std::string& place) {
    if (to_.spec.ipoib.empty() || record().interface_name() != name) begin_record(name, place);
    six_ = six;
    static_ = method == "static";
    if (six && !record().ipv6) record().ipv6.emplace().method = static_ ? Ipv6Method::manual : Ipv6Method::automatic;
    if (!six && !record().ipv4 && method != "manual")
      record().ipv4.emplace().method = static_ ? Ipv4Method::manual : Ipv4Method::automatic;
  }

  // Ports' files are read first, so the record of a child's port is there already.
  void begin_record(const std::string& name, const std::string& place) {
    IpoibRecord made;
    for (const auto& port : to_.spec.ipoib) {
      if (port.is_child() || !name.starts_with(port.interface_name() + ".")) continue;
      const auto pkey = value_from<PKey>("0x" + name.substr(port.interface_name().size() + 1));
      if (!pkey || child_name(port.interface_name(), *pkey) != name) continue;
      made.parent = port.name;
      made.pkey = pkey;
    }
    if (!made.parent) {
      made.name = IfName{name};
      made.match = match_for(from_, name);
    }
    to_.spec.ipoib.push_back(std::move(made));
    note_source(record().parent ? "pkey" : "name", place);
  }

  // The settings that head() prints: "pre-up echo connected > /sys/class/net/$IFACE/mode"
  void take_head(const Words& line, const std::string& place) {
    const std::string value = after(line, "echo");
    const std::string& file = line.back();
    for (const auto& row : sysfs_files) {
      if (!file.ends_with("/" + std::string(row.file))) continue;
      row.take(value, record());
      note_source(std::string(row.field), place);
    }
    if (file.ends_with("/disable_ipv6") && value == "1") {
      record().ipv6.emplace().method = Ipv6Method::disabled;
      note_source("ipv6.method", place);
    }
  }

  template <class Block>
  void take(const Words& line, const std::string& place, const std::string& family, Block& block) {
    const std::string& key = line.front();
    if (key == "address") add_word(line[1], block.addresses, family + "addresses", place);
    if (key == "gateway") {
      block.gateway = value_from<IpAddress>(line[1]);
      note_source(family + "gateway", place);
    }
    if (key == "dns-nameservers")
      for (std::size_t n = 1; n < line.size(); ++n) add_word(line[n], block.dns, family + "dns", place);
    if (key == "dns-search")
      for (std::size_t n = 1; n < line.size(); ++n) add_word(line[n], block.search, family + "search", place);
    if (key == "up") take_route(line, place, family, block);
  }

  template <class T>
  void add_word(const std::string& text, std::vector<T>& list, const std::string& field, const std::string& place) {
    if (const auto value = value_from<T>(text)) list.push_back(*value);
    note_source(field, place);
  }

  // A static stanza has a key for the gateway, so a default route in it comes from `routes` and not from `gateway`.
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
    note_source(family + field, place);
  }

  const Adoption& from_;
  Adopted& to_;
  bool six_ = false;     // the present stanza is of IPv6
  bool static_ = false;  // its method
};

bool is_of_child(const std::string& text) {
  const auto interfaces = read_interfaces_text(text);
  return !interfaces.empty() && !ifupdown_parent(interfaces.front().name).empty();
}

}  // namespace

std::string interfaces_text(const Profile& profile) {
  return Template("ipoib.interfaces", escape_interfaces).render(interface_values(profile));
}

void adopt_interfaces_files(const Adoption& from, const std::set<std::string>& paths, Adopted& to) {
  Stanzas stanzas(from, to);
  for (const bool children : {false, true})
    for (const auto& path : paths) {
      const std::string bytes = from.snapshot.read(path).value_or("");
      if (is_of_child(bytes) != children) continue;
      for (const auto& [number, text] : numbered_lines(bytes))
        if (const Words line = words(text); !line.empty() && !line.front().starts_with('#'))
          stanzas.add(line, place_of(path, number));
    }
}

}  // namespace rdmastate
