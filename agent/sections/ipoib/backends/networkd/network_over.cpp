// SPDX-License-Identifier: Apache-2.0
// Edits a foreign .network file so that it says what the spec says of the interface (--adopt). Lines that the spec has
// no field for, or leaves out, stay byte for byte. Where the spec lists addresses, an address of the file stays if it
// is in the list, else it is removed and reported as a conflict; a missing one is added. Routes likewise. Name servers,
// domains and the gateway in [Network] are replaced. Of a bond's port, every address and route is a conflict.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ini_edit.hpp"
#include "base/lines.hpp"
#include "base/one_of.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/ipoib/backends/networkd/keys.hpp"
#include "sections/ipoib/backends/networkd/text.hpp"

namespace rdmastate {
namespace {

using Texts = std::vector<std::string>;

// lay() edits the text; afterwards text() is the result, and `conflicts` says what the spec contradicts.
class Over {
 public:
  Over(const NetworkdSaid& said, std::string theirs)
      : said_(said), record_(said.record), edit_(ini::systemd, std::move(theirs)) {}

  void lay() {
    for (const char* key : {"Bond", "Bridge"}) lay_master(key);
    if (!said_.bond.empty()) lay_port();
    if (edit_.file().value("Match", "Name") != record_.interface_name())
      edit_.set("Match", "Name", record_.interface_name());
    lay_values(network_keys(), record_, edit_);
    const Texts made = edit_.file().values("Network", "IPoIB");
    for (const auto& child : said_.children)
      if (!is_one_of(child, made)) edit_.add("Network", "IPoIB", child);
    if (record_.ipv4) lay_ipv4(*record_.ipv4);
    if (record_.ipv6) lay_ipv6(*record_.ipv6);
    lay_search();
  }

  const std::string& text() const { return edit_.text(); }
  Texts conflicts = {};  // for TakenOver::against

 private:
  void refuse(std::string_view section, std::string_view key, std::string_view value, std::string_view why) {
    conflicts.push_back(fmt::format("[{}] {}={} {}, which contradicts {}: take it out by hand", section, key, value,
                                    why, record_.interface_name()));
  }

  void remove_key(std::string_view key) {
    remove_all([key](const ini::File& file, const ini::Entry& entry) {
      return file.section(entry) == "Network" && entry.key == key;
    });
  }

  // Another master is a conflict, and goes: the file of a bond's former port, taken over before, names the bond still.
  void lay_master(const std::string& key) {
    const std::string wanted = key == "Bond" ? std::string(said_.bond) : std::string();
    const std::string now = edit_.file().value("Network", key);
    if (!now.empty() && now != wanted) {
      refuse("Network", key, now, "makes it a port of another interface");
      remove_key(key);
      if (key == "Bond") remove_key("PrimarySlave");
    }
    if (wanted.empty()) return;
    if (now != wanted) edit_.add("Network", key, wanted);
    if (is_yes(edit_.file().value("Network", "PrimarySlave")) == said_.is_primary) return;
    remove_key("PrimarySlave");
    if (said_.is_primary) edit_.add("Network", "PrimarySlave", "yes");
  }

  // Whether the line asks for an address or a route.
  static bool is_of_ip(const ini::File& file, const ini::Entry& entry) {
    const std::string& section = file.section(entry);
    if (!entry.counts || entry.value.empty()) return false;
    if (section != "Network") return section == "Address" || section == "Route";
    const NetworkdDhcp dhcp = networkd_dhcp(entry.value);
    if (entry.key == "DHCP") return dhcp.four || dhcp.six;
    return entry.key == "Address" || entry.key == "Gateway" ||
           (entry.key == "LinkLocalAddressing" && !is_no(entry.value));
  }

  // networkd ignores such lines of a bond's port, so what they ask for would go without a word.
  void lay_port() {
    const ini::File now = edit_.file();
    for (const auto& entry : now.entries())
      if (is_of_ip(now, entry))
        refuse(now.section(entry), entry.key, entry.value, "asks for what systemd-networkd gives no port of a bond");
    remove_all(is_of_ip);
  }

  // Removes every entry that counts and that `is_it` accepts.
  template <class IsIt>
  void remove_all(const IsIt& is_it) {
    while (edit_.remove(is_it)) {
    }
  }

  static const char* dhcp_word(bool four, bool six) {
    if (four) return six ? "yes" : "ipv4";
    return six ? "ipv6" : "no";
  }

  // DHCP= is one key for both families, so what it says of IPv6 is kept.
  void lay_ipv4(const Ipv4Block& block) {
    const auto [four, six] = networkd_dhcp(edit_.file().value("Network", "DHCP"));
    const bool wanted = block.method == Ipv4Method::automatic;
    if (four != wanted) edit_.set("Network", "DHCP", dhcp_word(wanted, six));
    lay_block(block, Family::v4);
  }

  // Where LinkLocalAddressing= is missing, networkd makes a link-local address of IPv6. Where IPv6AcceptRA= is missing,
  // other settings decide, so that key is always written.
  void lay_ipv6(const Ipv6Block& block) {
    const std::string local = edit_.file().value("Network", "LinkLocalAddressing");
    const bool has = networkd_link_local_six(local);
    const bool wanted = block.method != Ipv6Method::disabled;
    if (has != wanted) edit_.set("Network", "LinkLocalAddressing", wanted ? "ipv6" : "no");
    const std::string word = block.method == Ipv6Method::automatic ? "yes" : "no";
    const std::string now = edit_.file().value("Network", "IPv6AcceptRA");
    if (now.empty() || is_yes(now) != (word == "yes")) edit_.set("Network", "IPv6AcceptRA", word);
    lay_block(block, Family::v6);
  }

  template <class Block>
  void lay_block(const Block& block, Family family) {
    if (!block.addresses.empty()) lay_addresses(block, family);
    if (!block.routes.empty()) lay_routes(block, family);
    if (block.gateway) lay_gateway(*block.gateway);
    if (!block.dns.empty()) lay_dns(block, family);
  }

  // The address of an Address= in [Network] or [Address]; nullopt for other lines: [Neighbor] has such a key too.
  static std::optional<IpInterface> own_address(const ini::File& file, const ini::Entry& entry, Family family) {
    const std::string& section = file.section(entry);
    if (!entry.counts || entry.key != "Address" || (section != "Network" && section != "Address")) return std::nullopt;
    const auto address = value_from<IpInterface>(entry.value);
    return address && address->address.family == family ? address : std::nullopt;
  }

  // Keeps the addresses that the spec lists too, removes and refuses the others, and adds those that are missing.
  template <class Block>
  void lay_addresses(const Block& block, Family family) {
    Texts missing, others;
    for (const auto& one : block.addresses) missing.push_back(to_text(one));
    const ini::File now = edit_.file();
    for (const auto& entry : now.entries()) {
      const auto address = own_address(now, entry, family);
      if (!address) continue;
      const auto same = std::find(missing.begin(), missing.end(), to_text(*address));
      if (same == missing.end())
        others.push_back(to_text(*address));
      else
        missing.erase(same);
    }
    for (const auto& other : others) {
      refuse("Network", "Address", other, "is not in the spec's list");
      edit_.remove([&](const ini::File& file, const ini::Entry& entry) {
        const auto address = own_address(file, entry, family);
        return address && to_text(*address) == other;
      });
    }
    for (const auto& address : missing) edit_.add("Network", "Address", address);
  }

  // What one [Route] says; `instance` tells it from the file's other [Route] sections.
  struct Route {
    std::size_t instance;
    std::optional<IpNetwork> to = {};
    std::optional<IpAddress> via = {};
    std::optional<std::uint32_t> metric = {};
  };

  std::vector<Route> routes() const {
    const ini::File now = edit_.file();
    std::vector<Route> found;
    for (const auto& entry : now.entries()) {
      if (!entry.counts || now.section(entry) != "Route") continue;
      if (found.empty() || found.back().instance != entry.instance) found.push_back({entry.instance});
      if (entry.key == "Destination") found.back().to = value_from<IpNetwork>(entry.value);
      if (entry.key == "Gateway") found.back().via = value_from<IpAddress>(entry.value);
      if (entry.key == "Metric") found.back().metric = value_from<std::uint32_t>(entry.value);
    }
    return found;
  }

  static bool is_default(const Route& route) { return !route.to || route.to->is_default(); }

  static bool is_same(const Route& in_file, const RouteRecord& one) {
    const bool to = one.to.network ? in_file.to == one.to.network : is_default(in_file);
    return to && in_file.via == one.via && in_file.metric == one.metric;
  }

  static bool is_of(const Route& route, Family family) {
    if (route.to) return route.to->address.family == family;
    return route.via && route.via->family == family;
  }

  // As lay_addresses(), by [Route] sections. The default route by the block's gateway is left to lay_gateway().
  template <class Block>
  void lay_routes(const Block& block, Family family) {
    auto missing = block.routes;
    for (const auto& in_file : routes()) {
      const bool is_gateways = block.gateway && is_default(in_file) && in_file.via == block.gateway;
      if (is_gateways || !is_of(in_file, family)) continue;
      const auto same =
          std::find_if(missing.begin(), missing.end(), [&](const auto& one) { return is_same(in_file, one); });
      if (same != missing.end()) {
        missing.erase(same);
        continue;
      }
      refuse("Route", "Destination", in_file.to ? to_text(*in_file.to) : "default", "is not in the spec's list");
      remove_all([&](const ini::File&, const ini::Entry& entry) { return entry.instance == in_file.instance; });
    }
    for (const auto& one : missing) {
      IpNetwork anywhere;
      anywhere.address.family = family;
      edit_.add_section("Route");
      edit_.add("Route", "Destination", to_text(one.to.network.value_or(anywhere)));
      if (one.via) edit_.add("Route", "Gateway", to_text(*one.via));
      if (one.metric) edit_.add("Route", "Metric", std::to_string(*one.metric));
    }
  }

  void lay_gateway(const IpAddress& gateway) {
    for (const auto& route : routes())
      if (is_default(route) && route.via == gateway) return;
    remove_all([&](const ini::File& file, const ini::Entry& entry) {
      const auto value = entry.key == "Gateway" ? value_from<IpAddress>(entry.value) : std::nullopt;
      return file.section(entry) == "Network" && value && value->family == gateway.family && *value != gateway;
    });
    const Texts now = edit_.file().values("Network", "Gateway");
    const bool there =
        std::any_of(now.begin(), now.end(), [&](const auto& text) { return value_from<IpAddress>(text) == gateway; });
    if (!there) edit_.add("Network", "Gateway", to_text(gateway));
  }

  // Replaces the servers of this family; those of the other family, and words that are no address, stay.
  template <class Block>
  void lay_dns(const Block& block, Family family) {
    Texts of_family, others, wanted;
    for (const auto& line : edit_.file().values("Network", "DNS"))
      for (const auto& word : words(line)) {
        const auto address = value_from<IpAddress>(word);
        (address && address->family == family ? of_family : others).push_back(word);
      }
    for (const auto& one : block.dns) wanted.push_back(to_text(one));
    if (of_family == wanted) return;
    remove_all([](const ini::File& file, const ini::Entry& entry) {
      return file.section(entry) == "Network" && entry.key == "DNS";
    });
    for (const auto* list : {&wanted, &others})
      for (const auto& one : *list) edit_.add("Network", "DNS", one);
  }

  // networkd has one list of domains for both families.
  void lay_search() {
    Texts wanted, there;
    const auto take = [&](const auto& block) {
      if (block)
        for (const auto& one : block->search) wanted.push_back(one.value);
    };
    take(record_.ipv4);
    take(record_.ipv6);
    for (const auto& line : edit_.file().values("Network", "Domains"))
      for (auto& word : words(line)) there.push_back(std::move(word));
    if (!wanted.empty() && there != wanted) edit_.set("Network", "Domains", fmt::format("{}", fmt::join(wanted, " ")));
  }

  const NetworkdSaid& said_;
  const IpoibRecord& record_;
  ini::Editor edit_;
};

}  // namespace

std::string with_parent_said(const IpoibRecord& record, std::string_view section, std::string text) {
  if (!record.is_child()) return text;
  ini::Editor comments(networkd_comments(), std::move(text));
  comments.set(section, networkd_parent_key, record.parent->value);
  return comments.text();
}

TakenOver network_file_over(const NetworkdSaid& asked, const std::string& path, const State& theirs) {
  const auto& content = file_of(theirs).content;
  Over over(asked, content ? content->value : std::string());
  over.lay();
  State state(networkd_file_kind, wanted_networkd_file(path, with_parent_said(asked.record, "Match", over.text())));
  return {std::move(state), /*keeps_theirs=*/true, std::move(over.conflicts)};
}

}  // namespace rdmastate
