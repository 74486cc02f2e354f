// SPDX-License-Identifier: Apache-2.0
// adopt_ifcfg_files() of ifcfg_files.hpp. Class IfcfgFile makes one record of an interface's three files; Reader goes
// through the files, those of ports first, and says what no record can hold.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/lines.hpp"
#include "base/one_of.hpp"
#include "host/claims.hpp"
#include "resources/file/file.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/wicked/ifcfg_files.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view address_key = "IPADDR";

// The keys that say whose file it is, or that the reader takes apart itself.
constexpr std::array own_keys{"STARTMODE", "BOOTPROTO", "IPOIB", "IPOIB_DEVICE", "IPOIB_PKEY", "NAME"};

bool begins_with_any(std::string_view key, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](auto one) { return key.starts_with(one); });
}

bool is_known(std::string_view key) {
  const auto keys = ifcfg_keys();
  return is_one_of(key, own_keys) || begins_with_any(key, {address_key, "PREFIXLEN", "NETMASK", "BROADCAST"}) ||
         std::any_of(keys.begin(), keys.end(), [&](const IfcfgKey& row) { return row.key == key; });
}

// 24 of 255.255.255.0; nullopt: it is no netmask.
std::optional<int> bits_of(const std::string& netmask) {
  for (int bits = 0; bits <= 32; ++bits) {
    const auto mask = static_cast<std::uint32_t>(0xffffffff00000000U >> bits);
    if (netmask == fmt::format("{}.{}.{}.{}", mask >> 24U, mask >> 16U & 0xffU, mask >> 8U & 0xffU, mask & 0xffU))
      return bits;
  }
  return std::nullopt;
}

// The address of IPADDR with this suffix: its length stands behind it, or in PREFIXLEN or NETMASK with the same one.
std::optional<IpInterface> address_of(const Ini& file, const ini::Entry& line) {
  const std::string suffix = line.key.substr(address_key.size());
  if (line.value.find('/') != std::string::npos) return value_from<IpInterface>(line.value);
  const auto bare = value_from<IpAddress>(line.value);
  if (!bare) return std::nullopt;
  std::string length = file.value("", "PREFIXLEN" + suffix);
  if (const auto bits = bits_of(file.value("", "NETMASK" + suffix)); length.empty() && bits)
    length = std::to_string(*bits);
  if (length.empty()) length = bare->family == Family::v4 ? "32" : "128";
  return value_from<IpInterface>(line.value + "/" + length);
}

// A child's port and P_Key.
struct Child {
  std::string parent;
  PKey pkey;
};

// By the keys, which count before the name, or by the name: ib0.8002.
std::optional<Child> child_of(const Ini& file, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  std::string parent = file.value("", "IPOIB_DEVICE"), digits = file.value("", "IPOIB_PKEY");
  if (parent.empty() && dot != std::string::npos) parent = name.substr(0, dot);
  if (digits.empty() && dot != std::string::npos) digits = name.substr(dot + 1);
  if (digits.starts_with("0x")) digits.erase(0, 2);
  const auto pkey = value_from<PKey>("0x" + digits);
  if (parent.empty() || !pkey) return std::nullopt;
  return Child{parent, *pkey};
}

bool is_kernels_name(const std::string& name) {
  const std::string port = name.substr(0, name.find('.'));
  return port.starts_with("ib") && port.size() > 2 && port.find_first_not_of("0123456789", 2) == std::string::npos;
}

bool is_ipoib(const Adoption& from, const Ini& file, const std::string& name) {
  const Link* link = from.snapshot.is_tree() ? nullptr : from.snapshot.link(name);
  if (link != nullptr) return link->is_ipoib();
  for (const char* key : {"IPOIB_MODE", "IPOIB_UMCAST", "IPOIB_PKEY"})
    if (!file.value("", key).empty()) return true;
  return file.value("", "IPOIB") == "yes" || is_kernels_name(name);
}

// ifsysctl(5): the parts of a name stand between dots, or between slashes where a part has a dot.
bool is_sysctl(std::string_view key, std::string_view interface, std::string_view setting) {
  return key == fmt::format("net/ipv6/conf/{}/{}", interface, setting) ||
         key == fmt::format("net.ipv6.conf.{}.{}", interface, setting);
}

// Makes one record.
class IfcfgFile {
 public:
  IfcfgFile(const Adoption& from, const Ini& file, Adopted& to)
      : from_(from), file_(file), to_(to), index_(to.spec.ipoib.size()) {}

  void add(const std::string& name, const std::optional<Child>& child, bool is_port) {
    IpoibRecord& made = to_.spec.ipoib.emplace_back();
    if (child) {
      made.parent = IfName{child->parent};
      made.pkey = child->pkey;
    } else {
      made.name = IfName{name};
      made.match = match_for(from_, name);
    }
    to_.came_from(ipoib_path(index_, child ? "pkey" : "name"), place_of(file_.path(), 1));
    take_keys(made);
    if (is_port) return;  // wicked reads nothing of IP from the file of a bond's port
    begin_blocks(name, made);
    take_addresses(made);
    take_routes(name, made);
  }

 private:
  void leave_out(const std::string& what) {
    to_.left_out.push_back(fmt::format("{}: no field of a spec says {} (--adopt takes it out)", file_.path(), what));
  }

  void note(const std::string& field, const ini::Entry& line) {
    to_.came_from(ipoib_path(index_, field), file_.place(line));
  }

  void take_keys(IpoibRecord& made) {
    for (const auto& row : ifcfg_keys()) {
      const ini::Entry* line = file_.find("", row.key);
      if (line == nullptr || line->value.empty()) continue;
      row.take(line->value, made);
      note(std::string(row.field), *line);
    }
  }

  // The methods follow from BOOTPROTO, the addresses, and the sysctls.
  void begin_blocks(const std::string& name, IpoibRecord& made) {
    const std::string protocol = file_.value("", "BOOTPROTO");
    if (has_address(Family::v4)) made.ipv4.emplace().method = Ipv4Method::manual;
    if (protocol == "dhcp4" || protocol == "dhcp") made.ipv4.emplace().method = Ipv4Method::automatic;
    if (protocol == "dhcp") leave_out("DHCPv6, which BOOTPROTO=dhcp asks for");
    made.ipv6.emplace().method = six_of(name);
    if (const ini::Entry* line = file_.find("", "BOOTPROTO"); line != nullptr && made.ipv4) note("ipv4.method", *line);
  }

  // Without the sysctl the kernel takes router advertisements (ifcfg(5), BOOTPROTO=static).
  Ipv6Method six_of(const std::string& name) {
    std::string none, advertisements;
    const std::string path = ifsysctl_path(name);
    for (const auto& [number, text] : numbered_lines(from_.snapshot.read(path).value_or(""))) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || text.starts_with('#')) continue;
      const std::string key(trimmed(std::string_view(text).substr(0, equals)));
      const std::string value(trimmed(std::string_view(text).substr(equals + 1)));
      if (is_sysctl(key, name, "disable_ipv6")) none = value;
      if (is_sysctl(key, name, "accept_ra")) advertisements = value;
      to_.came_from(ipoib_path(index_, "ipv6.method"), place_of(path, number));
    }
    if (has_address(Family::v6) && advertisements != "0")
      leave_out("that it takes router advertisements beside its IPv6 addresses");
    if (has_address(Family::v6)) return Ipv6Method::manual;
    if (none == "1") return Ipv6Method::disabled;
    return advertisements == "0" ? Ipv6Method::link_local : Ipv6Method::automatic;
  }

  bool has_address(Family family) const {
    return std::any_of(file_.entries().begin(), file_.entries().end(), [&](const ini::Entry& line) {
      if (!line.counts || !line.key.starts_with(address_key)) return false;
      const auto address = address_of(file_, line);
      return address && address->address.family == family;
    });
  }

  // wicked adds static addresses to those of DHCP, which no field says: such a record has method auto alone.
  void take_addresses(IpoibRecord& made) {
    for (const auto& line : file_.entries()) {
      if (!line.counts || !line.key.starts_with(address_key)) continue;
      const auto address = address_of(file_, line);
      if (!address) continue;
      if (address->address.family == Family::v6) {
        made.ipv6->addresses.push_back(*address);
        note("ipv6.addresses", line);
      } else if (made.ipv4->method == Ipv4Method::manual) {
        made.ipv4->addresses.push_back(*address);
        note("ipv4.addresses", line);
      } else {
        leave_out(fmt::format("{} beside DHCP", line.key));
      }
    }
  }

  void take_routes(const std::string& name, IpoibRecord& made) {
    const std::string path = ifroute_path(name);
    for (const auto& [number, text] : numbered_lines(from_.snapshot.read(path).value_or(""))) {
      const auto line = words(text.substr(0, text.find('#')));
      if (!line.empty() && !take_route(line, place_of(path, number), made))
        to_.left_out.push_back(fmt::format("{}: no field of a spec says this route", place_of(path, number)));
    }
  }

  // DESTINATION GATEWAY NETMASK INTERFACE [metric N]. False: it says more than a record can.
  bool take_route(const std::vector<std::string>& line, const std::string& place, IpoibRecord& made) {
    const auto at = [&](std::size_t n) {
      const bool is_given = n < line.size() && !is_one_of(line[n], {"-", "0.0.0.0", "::"});
      return is_given ? line[n] : std::string();
    };
    const auto via = value_from<IpAddress>(at(1));
    std::optional<std::uint32_t> metric;
    if (line.size() > 4) {
      if (line.size() != 6 || line[4] != "metric") return false;
      metric = value_from<std::uint32_t>(line[5]);
    }
    auto to = value_from<IpNetwork>(line[0]);
    if (line[0] == "default" && via) to.emplace().address.family = via->family;
    if (!to || !at(2).empty() || (!at(1).empty() && !via)) return false;
    std::string field;
    if (to->address.family == Family::v6) {
      field = "ipv6." + add_route(*made.ipv6, *to, via, metric);
    } else {
      if (!made.ipv4) made.ipv4.emplace().method = Ipv4Method::disabled;
      field = "ipv4." + add_route(*made.ipv4, *to, via, metric);
    }
    to_.came_from(ipoib_path(index_, field), place);
    return true;
  }

  const Adoption& from_;
  const Ini& file_;
  Adopted& to_;
  std::size_t index_;
};

// A sentence: why no record can stand for the file; empty: one can. wicked brings a bond's port up with its bond.
std::string why_left_out(const Ini& file, const std::string& name, const std::optional<Child>& child, bool is_port,
                         const Adopted& to) {
  if (!is_one_of(file.value("", "STARTMODE"), {"auto", "boot", "onboot", "on", "hotplug", "ifplugd", "nfsroot"}))
    return "wicked leaves the interface alone until somebody runs ifup";
  if (!is_port && !is_one_of(file.value("", "BOOTPROTO"), {"", "static", "dhcp", "dhcp4"}))
    return "no field of a spec says its BOOTPROTO";
  if (!child) return {};
  if (child_name(child->parent, child->pkey) != name)
    return fmt::format("a child that is not called {} is none of this back end's",
                       child_name(child->parent, child->pkey));
  const auto& records = to.spec.ipoib;
  const bool has_port = std::any_of(records.begin(), records.end(), [&](const IpoibRecord& one) {
    return !one.is_child() && one.interface_name() == child->parent;
  });
  return has_port ? std::string() : fmt::format("no file configures its port {}", child->parent);
}

std::string other_keys(const Ini& file) {
  std::string list;
  for (const auto& line : file.entries())
    if (line.counts && !is_known(line.key)) list += (list.empty() ? "" : ", ") + line.key;
  return list;
}

void adopt_file(const Adoption& from, const Ini& file, const std::string& name, const std::optional<Child>& child,
                bool is_port, Adopted& to) {
  if (const std::string why = why_left_out(file, name, child, is_port, to); !why.empty()) {
    to.left_out.push_back(fmt::format("{}: {}", file.path(), why));
    return;
  }
  IfcfgFile(from, file, to).add(name, child, is_port);
  if (const std::string list = other_keys(file); !list.empty())
    to.left_out.push_back(fmt::format("{}: no field of a spec says {} (--adopt takes them out)", file.path(), list));
}

// The names of all interfaces that these files make ports of bonds. A tree has nothing live by which section `bonds`
// could adopt the bonds, so each is left out.
std::set<std::string> ports_of_bonds(const Adoption& from, const std::set<std::string>& paths, Adopted& to) {
  std::set<std::string> names;
  for (const auto& path : paths) {
    const auto ports = wicked_bond_ports(from.snapshot.read(path).value_or(""));
    names.insert(ports.begin(), ports.end());
    if (!ports.empty() && from.snapshot.is_tree())
      to.left_out.push_back(fmt::format("{}: a bond is read from what is live, and this is a tree", path));
  }
  return names;
}

}  // namespace

void adopt_ifcfg_files(const Adoption& from, const std::set<std::string>& paths, Adopted& to) {
  const auto ports = ports_of_bonds(from, paths, to);
  for (const bool children : {false, true})
    for (const auto& path : paths) {
      const Ini file(path, ini::shell, from.snapshot.read(path).value_or(""));
      const std::string name(interface_of_file(file_name(path)));
      const auto child = child_of(file, name);
      if (is_ipoib(from, file, name) && child.has_value() == children)
        adopt_file(from, file, name, child, ports.contains(name), to);
    }
}

}  // namespace rdmastate
