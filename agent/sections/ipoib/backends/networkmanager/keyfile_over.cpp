// SPDX-License-Identifier: Apache-2.0
// What a spec says, laid over a profile that somebody else wrote: lines that it has no word for stay byte for byte.
#include <fmt/format.h>

#include <algorithm>

#include "base/ini_edit.hpp"
#include "base/lines.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "resources/nm_profile/keyfile_family.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile_lines.hpp"

namespace rdmastate {
namespace {

// A line's address, and the gateway that may stand behind it.
std::pair<std::optional<IpInterface>, std::optional<IpAddress>> address_in(const std::string& text) {
  std::vector<IpInterface> addresses;
  std::optional<IpAddress> gateway;
  read_keyfile_address(text, addresses, gateway);
  return {addresses.empty() ? std::nullopt : std::optional(addresses.front()), gateway};
}

class Over {
 public:
  Over(const IpoibRecord& record, std::string theirs) : record_(record), edit_(ini::keyfile, std::move(theirs)) {}

  void lay() {
    refuse_what_it_is();
    identify();
    if (record_.mode) edit_.set("infiniband", "transport-mode", to_text(*record_.mode));
    if (record_.mtu) edit_.set("infiniband", "mtu", std::to_string(*record_.mtu));
    lay_block("ipv4", record_.ipv4, Family::v4);
    lay_block("ipv6", record_.ipv6, Family::v6);
    sign();
  }

  const std::string& text() const { return edit_.text(); }
  std::vector<std::string> against = {};

 private:
  std::string value(std::string_view section, std::string_view key) const { return edit_.file().value(section, key); }

  void refuse(std::string_view section, std::string_view key, std::string_view why) {
    against.push_back(fmt::format("[{}] {}={} {}, which contradicts {}: take it out by hand", section, key,
                                  value(section, key), why, record_.interface_name()));
  }

  // What no interface of a spec is.
  void refuse_what_it_is() {
    if (value("connection", "type") != "infiniband") refuse("connection", "type", "makes it something else");
    for (const char* key : {"controller", "master", "slave-type", "port-type"})
      if (!value("connection", key).empty()) refuse("connection", key, "makes it a port of another interface");
    if (!record_.is_child() && !value("infiniband", "p-key").empty() && value("infiniband", "p-key") != "-1")
      refuse("infiniband", "p-key", "makes it an interface of a partition");
  }

  // It may have gone by an address until now: what is moved is found by its name.
  void identify() {
    const std::string name = record_.interface_name();
    edit_.set("connection", "interface-name", name);
    if (value("connection", "uuid").empty()) edit_.set("connection", "uuid", uuid_of(name));
    if (!record_.is_child()) return;
    const auto pkey = value_from<std::uint32_t>(value("infiniband", "p-key"));
    const bool same = pkey && (*pkey | PKey::full_member) == record_.pkey->value;
    if (!same) edit_.set("infiniband", "p-key", std::to_string(record_.pkey->value));
    edit_.set("infiniband", "parent", record_.parent->value);
  }

  template <class Block>
  void lay_block(std::string_view section, const std::optional<Block>& block, Family family) {
    if (!block) return;  // what the spec does not name is left alone
    edit_.set(section, "method", to_text(block->method));
    if (!block->addresses.empty()) lay_addresses(section, *block);
    if (!block->routes.empty()) lay_routes(section, *block, family);
    if (block->gateway && !is_gateway(section, *block->gateway))
      edit_.set(section, "gateway", to_text(*block->gateway));
    lay_list(section, "dns", block->dns);
    lay_list(section, "dns-search", block->search);
  }

  // Those that the spec has keep their lines, options and all; `parse` tells what a line says.
  template <class T, class Parse>
  void lay_lines(std::string_view section, std::string_view head, const std::vector<T>& wanted, const Parse& parse,
                 const std::function<std::string(const T&)>& print) {
    std::vector<std::string> missing;
    for (const auto& one : wanted) missing.push_back(print(one));
    std::size_t last = 0;
    std::vector<std::string> others;
    const ini::File now = edit_.file();
    for (const auto& entry : now.entries()) {
      if (!entry.counts || now.section(entry) != section || !is_numbered(entry.key, head)) continue;
      last = std::max<std::size_t>(last, std::strtoul(entry.key.c_str() + head.size(), nullptr, 10));
      const auto same = std::find(missing.begin(), missing.end(), parse(entry.value));
      same == missing.end() ? others.push_back(entry.key) : void(missing.erase(same));
    }
    for (const auto& key : others) {
      refuse(section, key, "is one more than the spec lists");
      edit_.remove([&](const ini::File& file, const ini::Entry& entry) {
        return file.section(entry) == section && (entry.key == key || entry.key == key + "_options");
      });
    }
    for (const auto& line : missing) edit_.add(section, fmt::format("{}{}", head, ++last), line);
  }

  template <class Block>
  void lay_addresses(std::string_view section, const Block& block) {
    const auto parse = [](const std::string& text) {
      const auto line = address_in(text);
      return line.first ? to_text(*line.first) : text;
    };
    lay_lines<IpInterface>(section, "address", block.addresses, parse,
                           [](const IpInterface& one) { return to_text(one); });
  }

  template <class Block>
  void lay_routes(std::string_view section, const Block& block, Family family) {
    const auto parse = [&](const std::string& text) {
      const auto route = read_keyfile_route(text, family);
      return route ? keyfile_route_line({route->to, route->via, route->metric, ""}) : text;
    };
    lay_lines<ProfileRoute>(section, "route", routes_of(block, family), parse, keyfile_route_line);
  }

  // In a key of its own, or behind an address.
  bool is_gateway(std::string_view section, const IpAddress& gateway) const {
    const ini::File now = edit_.file();
    return std::any_of(now.entries().begin(), now.entries().end(), [&](const ini::Entry& entry) {
      if (!entry.counts || now.section(entry) != section) return false;
      if (entry.key == "gateway") return value_from<IpAddress>(entry.value) == gateway;
      return is_numbered(entry.key, "address") && address_in(entry.value).second == gateway;
    });
  }

  template <class T>
  void lay_list(std::string_view section, std::string_view key, const std::vector<T>& wanted) {
    if (wanted.empty()) return;
    std::vector<std::string> there;
    for (const auto& part : split(value(section, key), ";,"))
      if (const auto one = value_from<T>(part)) there.push_back(to_text(*one));
    std::string list;
    bool same = there.size() == wanted.size();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      list += to_text(wanted[i]) + ";";
      same = same && there[i] == to_text(wanted[i]);
    }
    if (!same) edit_.set(section, key, list);
  }

  // By it NetworkManager tells what it has loaded and what it has applied.
  void sign() {
    edit_.set("user", nm_digest_key, "");
    edit_.set("user", nm_digest_key, nm_digest_of(edit_.text()));
  }

  const IpoibRecord& record_;
  ini::Editor edit_;
};

}  // namespace

TakenOver keyfile_over(const IpoibRecord& record, const State& theirs) {
  const auto& content = file_of(theirs).content;
  Over over(record, content ? content->value : std::string());
  over.lay();
  return {State(nm_profile_kind, wanted_nm_profile(over.text())), true, std::move(over.against)};
}

}  // namespace rdmastate
