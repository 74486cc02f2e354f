// SPDX-License-Identifier: Apache-2.0
// nm_profile_of() prints a keyfile, by the tables of keyfile_keys.hpp; class Reader makes a record of one.
#include "sections/ipoib/backends/networkmanager/keyfile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "host/mark.hpp"
#include "sections/bonds/check.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile_keys.hpp"
#include "sections/ipoib/backends/print.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

template <class Block>
Values family_section(std::string section, Family family, const Block& block, KeyLines lines,
                      const std::string& gen_mode) {
  lines.add("addr-gen-mode", gen_mode);
  for (const auto& row : keyfile_keys<Block>()) {
    std::size_t number = 0;
    for (auto& text : row.print(block, family))
      lines.add(row.is_numbered ? fmt::format("{}{}", row.key, ++number) : std::string(row.key), std::move(text));
  }
  return lines.take_as(std::move(section));
}

Values link_section(const IpoibRecord& record) {
  KeyLines lines;
  for (const auto& row : keyfile_link_keys()) lines.add(std::string(row.key), row.print(record));
  return lines.take_as("infiniband");
}

const ProfileProperty gen_mode_property{"ipv6", "addr-gen-mode"};

// addr-gen-mode: how NetworkManager makes the interface part of IPv6 addresses. It takes a profile without the key for
// one of before 1.40, and gives it another value than nmcli gives a new profile: rdmastate writes that of nmcli
// (nm-setting-ip6-config.c).
std::string usual_gen_mode(const Platform& platform) {
  return platform.versions.networkmanager < Version{1, 40} ? "stable-privacy" : "default";
}

std::string gen_mode(const IpoibRecord& record, const Platform& platform) {
  if (record.profile_settings && record.profile_settings->contains(gen_mode_property)) return {};
  return usual_gen_mode(platform);
}

// The settings of one section that `profile_settings` gives.
KeyLines further_lines(const IpoibRecord& record, std::string_view section) {
  KeyLines lines;
  if (!record.profile_settings) return lines;
  for (const auto& [key, value] : *record.profile_settings)
    if (key.setting == section) lines.add(key.property, value.value);
  return lines;
}

// Of a bond's port NetworkManager takes no IP settings.
void add_families(const Profile& profile, const Platform& platform, std::vector<Values>& sections) {
  if (!profile.bond.empty()) return;
  const IpoibRecord& made = profile.made;
  sections.push_back(family_section("ipv4", Family::v4, *made.ipv4, further_lines(made, "ipv4"), ""));
  sections.push_back(
      family_section("ipv6", Family::v6, *made.ipv6, further_lines(made, "ipv6"), gen_mode(made, platform)));
}

// NetworkManager before 1.46 knows these two by no other names (keyfile_port_keys).
KeyLines connection_lines(const Profile& profile) {
  KeyLines lines = further_lines(profile.made, "connection");
  lines.add("master", profile.bond);
  if (!profile.bond.empty()) lines.add("slave-type", "bond");
  return lines;
}

// ARP monitoring takes the place of MII monitoring. NetworkManager wants the mode first (nm-setting-bond.c).
Values bond_section(const BondRecord& bond) {
  KeyLines lines;
  lines.add("mode", to_text(BondMode::active_backup));
  lines.add("fail_over_mac", "active");
  lines.add("miimon", bond.arp_interval ? "" : std::to_string(bond.miimon.value_or(usual_miimon)));
  lines.add("arp_interval", text_or_empty(bond.arp_interval));
  if (bond.arp_targets) lines.add("arp_ip_target", fmt::format("{}", fmt::join(texts_of(*bond.arp_targets), ",")));
  lines.add("primary", text_or_empty(bond.primary));
  return lines.take_as("bond");
}

// NetworkManager takes the MTU of every bond from there.
Values bond_mtu_section(std::uint32_t mtu) {
  KeyLines lines;
  lines.add("mtu", std::to_string(mtu));
  return lines.take_as("ethernet");
}

// Adds the sections that `profile_settings` alone has, in the order of their names.
void add_further_sections(const IpoibRecord& record, std::vector<Values>& sections) {
  if (!record.profile_settings) return;
  std::string last;
  for (const auto& [key, value] : *record.profile_settings) {
    const bool is_ours = key.setting == "connection" || key.setting == "ipv4" || key.setting == "ipv6";
    if (is_ours || key.setting == last) continue;
    last = key.setting;
    sections.push_back(further_lines(record, last).take_as(last));
  }
}

constexpr std::size_t digest_length = 16;  // hexadecimal digits: they only tell versions of one profile apart

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
    if (row_of(from_.backend).has_profiles) {
      take_name(made, name);
      take_settings(made);
    }
    made.ipv4 = read_block<Ipv4Block>("ipv4", Family::v4, created_ipoib().ipv4->method);
    made.ipv6 = read_block<Ipv6Block>("ipv6", Family::v6, created_ipoib().ipv6->method);
  }

 private:
  void note(std::string_view field, std::string_view section, std::string_view key) {
    if (const ini::Entry* line = file_.find(section, key)) to_.came_from(ipoib_path(index_, field), file_.place(*line));
  }

  // What stands behind the '=' of a line, with its escapes.
  static std::string as_written(std::string_view line) {
    line = line.substr(line.find('=') + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return std::string(line);
  }

  // Of a profile of rdmastate: all that no field says. What foreign ones say beyond a spec --adopt keeps.
  void take_settings(IpoibRecord& made) {
    const std::string text = from_.snapshot.read(file_.path()).value_or("");
    if (!is_rendered(text)) return;
    ProfileSettings settings;
    for (const auto& line : file_.entries()) {
      const auto one = value_from<ProfileProperty>(file_.section(line) + "." + line.key);
      if (!one || is_ours(*one, line.value)) continue;
      settings[*one] = Verbatim{as_written(std::string_view(text).substr(line.begin, line.end - line.begin))};
      note("profile_settings", one->setting, one->property);
    }
    if (!settings.empty()) made.profile_settings = std::move(settings);
  }

  // Whether rdmastate writes the line whatever `profile_settings` says.
  bool is_ours(const ProfileProperty& one, const std::string& value) const {
    if (one == gen_mode_property) return value == usual_gen_mode(platform_of(from_.facts));
    if (one.setting == "connection" && is_port_key(one.property)) return true;  // the bond's record says so
    const bool is_identity =
        one.setting == "connection" &&
        (one.property == "id" || one.property == "uuid" || one.property == "type" || one.property == "interface-name");
    return is_identity || one.setting == "infiniband" || !field_of_keyfile(one).empty();
  }

  // A name that no spec can have stays out: --adopt keeps it.
  void take_name(IpoibRecord& made, const std::string& interface) {
    const std::string id = file_.value("connection", "id");
    if (id.empty() || id == interface) return;
    ProfileName name;
    if (Text<ProfileName>::read({id, /*plain=*/false}, name)) return;
    made.profile = std::move(name);
    note("profile", "connection", "id");
  }

  // A port's profile may have a p-key too, such as -1: it says nothing of a child, and a port has no field for it.
  void take_link(IpoibRecord& made) {
    const bool is_child = !file_.value("infiniband", "parent").empty();
    for (const auto& row : keyfile_link_keys()) {
      const std::string text = file_.value("infiniband", row.key);
      if (text.empty() || (row.field == "pkey" && !is_child)) continue;
      note(row.field, "infiniband", row.key);
      row.take(text, made);
    }
  }

  // The record's block from [ipv4] or [ipv6]; nullopt for a method that a spec does not have, and for the method that a
  // record without the block has: in a spec nothing else stands beside that one (check_method()).
  template <class Block, class Method>
  std::optional<Block> read_block(const std::string& section, Family family, Method by_default) {
    Block made;
    const std::string method = file_.value(section, "method");
    if (method.empty() || method == "ignore") return std::nullopt;
    if (Text<Method>::read({method}, made.method)) {
      to_.left_out.push_back(
          fmt::format("{}: [{}] method={} has no counterpart in a spec", file_.path(), section, method));
      return std::nullopt;
    }
    const bool is_default = made.method == by_default;
    for (const auto& line : file_.entries())
      if (line.counts && file_.section(line) == section) is_default ? leave_out<Block>(line) : take(line, family, made);
    if (is_default) return std::nullopt;
    return made;
  }

  template <class Block>
  void leave_out(const ini::Entry& line) {
    const auto& rows = keyfile_keys<Block>();
    if (line.key != "method" &&
        std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return is_row_of(row, line.key); }))
      to_.left_out.push_back(fmt::format("{}: [{}] {}: a spec takes it only with method manual or auto",
                                         file_.place(line), file_.section(line), line.key));
  }

  template <class Block>
  void take(const ini::Entry& line, Family family, Block& made) {
    for (const auto& row : keyfile_keys<Block>()) {
      if (!is_row_of(row, line.key)) continue;
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

namespace {

// What tells a profile apart.
struct Identity {
  std::string id;
  std::string name;
  std::string type;
};

// The file carries a digest of its own text, which NetworkManager reports of the profile that it holds. The digest is
// inserted into the template's last line, before its line end.
NmProfileState profile_as(const Template& text, Identity identity, KeyLines connection, std::vector<Values> sections) {
  std::string uuid = uuid_of(identity.name);
  Values values;
  values.set("id", std::move(identity.id));
  values.set("name", std::move(identity.name));
  values.set("type", std::move(identity.type));
  values.set("uuid", uuid);
  values.set("connection", connection.take());
  values.set("sections", std::move(sections));
  values.set("digest_key", std::string(nm_digest_key));
  std::string content = text.render(values);
  content.insert(content.size() - 1, nm_digest_of(content));
  return wanted_nm_profile(std::move(content), std::move(uuid));
}

}  // namespace

NmProfileState nm_profile_of(const Template& text, const Profile& profile, const Platform& platform) {
  std::vector<Values> sections;
  sections.push_back(link_section(profile.made));
  add_families(profile, platform, sections);
  add_further_sections(profile.made, sections);
  const auto& id = profile.made.profile;
  return profile_as(text, {id ? keyfile_text(id->value) : profile.name, profile.name, "infiniband"},
                    connection_lines(profile), std::move(sections));
}

NmProfileState nm_bond_profile_of(const Template& text, const BondRecord& bond, std::uint32_t mtu,
                                  const Platform& platform) {
  const IpoibRecord made = made_of(bond);
  std::vector<Values> sections;
  sections.push_back(bond_section(bond));
  sections.push_back(bond_mtu_section(mtu));
  sections.push_back(family_section("ipv4", Family::v4, *made.ipv4, {}, ""));
  sections.push_back(family_section("ipv6", Family::v6, *made.ipv6, {}, usual_gen_mode(platform)));
  return profile_as(text, {bond.name.value, bond.name.value, "bond"}, {}, std::move(sections));
}

void adopt_keyfile(const Adoption& from, const Ini& file, Adopted& to) { Reader(from, file, to).add(); }

}  // namespace rdmastate
