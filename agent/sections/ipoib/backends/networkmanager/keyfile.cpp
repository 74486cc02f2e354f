// SPDX-License-Identifier: Apache-2.0
// One table says which keys of a keyfile stand for which fields, in both directions.
#include "sections/ipoib/backends/networkmanager/keyfile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "resources/nm_profile/keyfile_family.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile_lines.hpp"
#include "sections/ipoib/backends/print.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// NetworkManager writes it in decimal; people write 0x8002.
std::optional<PKey> pkey_from(const std::string& text) {
  const auto number = value_from<std::uint32_t>(text);
  if (number && *number > 0 && *number <= PKey::default_partition)
    return PKey{static_cast<std::uint16_t>(*number | 0x8000U)};
  return value_from<PKey>(text);
}

/// A key of [infiniband] and its field. An empty text is no line.
struct LinkKey {
  std::string_view key;
  std::string_view field;
  std::string (*print)(const IpoibRecord&);
  void (*take)(const std::string&, IpoibRecord&);
};

constexpr LinkKey link_keys[] = {
    {"transport-mode", "mode", [](const IpoibRecord& record) { return text_or_none(record.mode); },
     [](const std::string& text, IpoibRecord& record) { record.mode = value_from<IpoibMode>(text); }},
    {"mtu", "mtu", [](const IpoibRecord& record) { return text_or_none(record.mtu); },
     [](const std::string& text, IpoibRecord& record) {
       if (text != "0") record.mtu = value_from<std::uint32_t>(text);  // automatic
     }},
    {"p-key", "pkey", [](const IpoibRecord& record) { return record.pkey ? std::to_string(record.pkey->value) : ""; },
     [](const std::string& text, IpoibRecord& record) { record.pkey = pkey_from(text); }},
    {"parent", "parent", [](const IpoibRecord& record) { return text_or_none(record.parent); },
     [](const std::string& text, IpoibRecord& record) { record.parent = IfName{text}; }},
};

template <class Block>
std::vector<std::string> route_lines(const Block& block, Family family) {
  std::vector<std::string> lines;
  for (const auto& route : routes_of(block, family)) lines.push_back(keyfile_route_line(route));
  return lines;
}

template <class Block>
void take_method(const std::string& text, Family, Block& block) {
  static_cast<void>(Text<decltype(block.method)>::read({text, true}, block.method));
}

template <class Block>
void take_address(const std::string& text, Family, Block& block) {
  read_keyfile_address(text, block.addresses, block.gateway);
}

template <class Block>
void take_route(const std::string& text, Family family, Block& block) {
  const auto read = read_keyfile_route(text, family);
  if (!read) return;
  RouteRecord route;
  if (!read->to.is_default()) route.to.network = read->to;
  route.via = read->via;
  route.metric = read->metric;
  block.routes.push_back(route);
}

template <class T>
void take_list(const std::string& text, std::vector<T>& list) {
  for (const auto& part : split(text, ";,"))
    if (const auto one = value_from<T>(part)) list.push_back(*one);
}

using Texts = std::vector<std::string>;

/// A key of [ipv4] and [ipv6] and its field: of a list the key without its number, and one text for each.
template <class Block>
struct FamilyKey {
  std::string_view key;
  std::string_view field;
  bool is_numbered;
  Texts (*print)(const Block&, Family);
  void (*take)(const std::string&, Family, Block&);
};

template <class Block>
constexpr FamilyKey<Block> family_keys[] = {
    {"method", "method", false, [](const Block& block, Family) { return Texts{to_text(block.method)}; },
     take_method<Block>},
    {"address", "addresses", true, [](const Block& block, Family) { return texts_of(block.addresses); },
     take_address<Block>},
    {"gateway", "gateway", false, [](const Block& block, Family) { return Texts{text_or_none(block.gateway)}; },
     [](const std::string& text, Family, Block& block) { block.gateway = value_from<IpAddress>(text); }},
    {"dns", "dns", false, [](const Block& block, Family) { return Texts{ended_by(texts_of(block.dns), ";")}; },
     [](const std::string& text, Family, Block& block) { take_list(text, block.dns); }},
    {"dns-search", "search", false,
     [](const Block& block, Family) { return Texts{ended_by(texts_of(block.search), ";")}; },
     [](const std::string& text, Family, Block& block) { take_list(text, block.search); }},
    {"route", "routes", true, route_lines<Block>, take_route<Block>},
};

template <class Block>
bool fits(const FamilyKey<Block>& row, std::string_view key) {
  return row.is_numbered ? is_numbered(key, row.key) : key == row.key;
}

template <class Block>
Values family_section(std::string section, Family family, const Block& block, const std::string& gen_mode) {
  KeyLines lines;
  lines.add("addr-gen-mode", gen_mode);
  for (const auto& row : family_keys<Block>) {
    std::size_t number = 0;
    for (auto& text : row.print(block, family))
      lines.add(row.is_numbered ? fmt::format("{}{}", row.key, ++number) : std::string(row.key), std::move(text));
  }
  return lines.take_as(std::move(section));
}

Values link_section(const IpoibRecord& record) {
  KeyLines lines;
  for (const auto& row : link_keys) lines.add(std::string(row.key), row.print(record));
  return lines.take_as("infiniband");
}

// How NetworkManager makes the interface's own half of IPv6 addresses. A profile without the key is one of before 1.40
// to it, and gets another value than nmcli gives a new one: the same is written here (nm-setting-ip6-config.c).
std::string gen_mode(const Platform& platform) {
  return platform.versions.networkmanager < Version{1, 40} ? "stable-privacy" : "default";
}

constexpr std::size_t digest_length = 16;  // of what two profiles of one interface may differ in

// One keyfile becomes one record.
class Reader {
 public:
  Reader(const Adoption& from, const Ini& file, Adopted& to)
      : from_(from), file_(file), to_(to), index_(to.spec.ipoib.size()) {}

  void add() {
    IpoibRecord& made = to_.spec.ipoib.emplace_back();
    const std::string name = file_.value("connection", "interface-name");
    made.name = IfName{name};
    note("name", "connection", "interface-name");
    take_link(made);
    if (made.parent && made.pkey && child_name(made.parent->value, *made.pkey) == name) made.name.reset();
    if (!made.parent) made.match = match_for(from_, name);
    made.ipv4 = block<Ipv4Block>("ipv4", Family::v4, created_ipoib().ipv4->method);
    made.ipv6 = block<Ipv6Block>("ipv6", Family::v6, created_ipoib().ipv6->method);
  }

 private:
  void note(std::string_view field, std::string_view section, std::string_view key) {
    if (const ini::Entry* line = file_.find(section, key)) to_.came_from(ipoib_path(index_, field), file_.place(*line));
  }

  void take_link(IpoibRecord& made) {
    const bool is_child = !file_.value("infiniband", "parent").empty();
    for (const auto& row : link_keys) {
      const std::string text = file_.value("infiniband", row.key);
      if (text.empty() || (row.field == "pkey" && !is_child)) continue;
      note(row.field, "infiniband", row.key);
      row.take(text, made);
    }
  }

  // What a file says without a block is not said.
  template <class Block, class Method>
  std::optional<Block> block(const std::string& section, Family family, Method by_default) {
    Block made;
    const std::string method = file_.value(section, "method");
    if (method.empty() || method == "ignore") return std::nullopt;
    if (Text<Method>::read({method, true}, made.method)) {
      to_.left_out.push_back(
          fmt::format("{}: [{}] method={} has no counterpart in a spec", file_.path(), section, method));
      return std::nullopt;
    }
    for (const auto& line : file_.entries())
      if (line.counts && file_.section(line) == section) take(line, family, made);
    if (made.method == by_default) return std::nullopt;
    return made;
  }

  template <class Block>
  void take(const ini::Entry& line, Family family, Block& made) {
    for (const auto& row : family_keys<Block>) {
      if (!fits(row, line.key)) continue;
      row.take(line.value, family, made);
      to_.came_from(ipoib_path(index_, fmt::format("{}.{}", file_.section(line), row.field)), file_.place(line));
    }
  }

  const Adoption& from_;
  const Ini& file_;
  Adopted& to_;
  std::size_t index_;
};

}  // namespace

std::string nm_digest_of(std::string_view text) { return sha256_hex(text).substr(0, digest_length); }

// Each file carries a digest of its own text, which NetworkManager repeats: the template's last line, rendered once.
NmProfileState nm_profile_of(const Template& text, const Profile& profile, const Platform& platform) {
  std::vector<Values> sections;
  sections.push_back(link_section(profile.made));
  sections.push_back(family_section("ipv4", Family::v4, *profile.made.ipv4, ""));
  sections.push_back(family_section("ipv6", Family::v6, *profile.made.ipv6, gen_mode(platform)));
  std::string uuid = uuid_of(profile.name);
  Values values;
  values.set("name", profile.name);
  values.set("uuid", uuid);
  values.set("sections", std::move(sections));
  values.set("digest_key", std::string(nm_digest_key));
  std::string content = text.render(values);
  content.insert(content.size() - 1, nm_digest_of(content));
  return wanted_nm_profile(std::move(content), std::move(uuid));
}

void adopt_keyfile(const Adoption& from, const Ini& file, Adopted& to) { Reader(from, file, to).add(); }

}  // namespace rdmastate
