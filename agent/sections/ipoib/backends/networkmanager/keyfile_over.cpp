// SPDX-License-Identifier: Apache-2.0
// Edits a foreign profile so that it says what the spec says (--adopt): Over::lay() goes through the file's sections.
// Lines that the spec has no field for stay byte for byte.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/ini_edit.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile_keys.hpp"

namespace rdmastate {
namespace {

using Texts = std::vector<std::string>;

class Over {
 public:
  Over(const IpoibRecord& record, std::string bond, std::string theirs)
      : record_(record), bond_(std::move(bond)), edit_(ini::keyfile, std::move(theirs)) {}

  void lay() {
    check_type();
    identify();
    lay_port();
    lay_settings();
    lay_link();
    lay_block("ipv4", record_.ipv4, Family::v4);
    lay_block("ipv6", record_.ipv6, Family::v6);
    set_digest();
  }

  const std::string& text() const { return edit_.text(); }
  std::vector<std::string> conflicts = {};  // a sentence for each line that contradicts the spec

 private:
  std::string value(std::string_view section, std::string_view key) const { return edit_.file().value(section, key); }

  void refuse(std::string_view section, std::string_view key, std::string_view why) {
    conflicts.push_back(fmt::format("[{}] {}={} {}, which contradicts {}: take it out by hand", section, key,
                                    value(section, key), why, record_.interface_name()));
  }

  // Refuses a profile of another type, of a port of a bond or bridge, or of a partition where the spec has the port
  // itself.
  void check_type() {
    if (value("connection", "type") != "infiniband") refuse("connection", "type", "makes it something else");
    for (const auto key : keyfile_port_keys)
      if (const std::string said = value("connection", key); !said.empty() && said != port_value(key))
        refuse("connection", key, "makes it a port of another interface");
    if (!record_.is_child() && !value("infiniband", "p-key").empty() && value("infiniband", "p-key") != "-1")
      refuse("infiniband", "p-key", "makes it an interface of a partition");
  }

  // What one of keyfile_port_keys says in this spec; empty: nothing.
  std::string port_value(std::string_view key) const {
    if (bond_.empty()) return {};
    return key == "controller" || key == "master" ? bond_ : "bond";
  }

  // Sets the keys under the names that the file has. Where the spec has no bond, removes them: an earlier spec had one.
  void lay_port() {
    for (const auto& names : {std::pair("controller", "master"), std::pair("port-type", "slave-type")}) {
      const bool has_new = !value("connection", names.first).empty();
      const char* key = has_new ? names.first : names.second;
      if (!bond_.empty() && value("connection", key) != port_value(key)) edit_.set("connection", key, port_value(key));
    }
    if (bond_.empty())
      while (edit_.remove([](const ini::File& file, const ini::Entry& one) {
        return file.section(one) == "connection" && is_port_key(one.key);
      })) {
      }
  }

  // The profile may name the interface by its address alone; kind nm_profile looks for the interface by this key.
  void identify() {
    const std::string name = record_.interface_name();
    edit_.set("connection", "interface-name", name);
    if (value("connection", "uuid").empty()) edit_.set("connection", "uuid", uuid_of(name));
    if (record_.profile && value("connection", "id") != record_.profile->value)
      edit_.set("connection", "id", keyfile_text(record_.profile->value));
  }

  void lay_settings() {
    if (!record_.profile_settings) return;
    for (const auto& [key, text] : *record_.profile_settings) edit_.set(key.setting, key.property, text.value);
  }

  // A line that says the same in other words stays.
  void lay_link() {
    for (const auto& row : keyfile_link_keys()) {
      const std::string wanted = row.print(record_);
      IpoibRecord theirs;
      row.take(value("infiniband", row.key), theirs);
      if (!wanted.empty() && row.print(theirs) != wanted) edit_.set("infiniband", row.key, wanted);
    }
  }

  template <class Block>
  void lay_block(std::string_view section, const std::optional<Block>& block, Family family) {
    if (!block) return;  // what the spec does not name is left alone
    edit_.set(section, "method", to_text(block->method));
    for (const auto& row : keyfile_keys<Block>()) {
      const Texts wanted = row.print(*block, family);
      if (wanted.empty() || wanted.front().empty()) continue;
      if (row.is_numbered)
        lay_lines(section, row, wanted, family);
      else if (row.print(read<Block>(section, family), family) != wanted)
        edit_.set(section, row.key, wanted.front());
    }
  }

  // Reads the whole section, since a gateway may stand behind an address in address1.
  template <class Block>
  Block read(std::string_view section, Family family) const {
    Block block;
    const ini::File now = edit_.file();
    for (const auto& entry : now.entries())
      for (const auto& row : keyfile_keys<Block>())
        if (entry.counts && now.section(entry) == section && is_row_of(row, entry.key))
          row.take(entry.value, family, block);
    return block;
  }

  // The line's value as rdmastate writes it, to be compared; the value itself where rdmastate cannot read it.
  template <class Block>
  static std::string in_our_words(const KeyfileKey<Block>& row, const std::string& text, Family family) {
    Block one;
    row.take(text, family, one);
    const Texts said = row.print(one, family);
    return said.empty() ? text : said.front();
  }

  // Of numbered keys (address1, route1): keeps the lines that the spec lists, with their options; adds what is missing.
  // Another line is a conflict: nothing is written then, and the plan shows the profile without it.
  template <class Block>
  void lay_lines(std::string_view section, const KeyfileKey<Block>& row, Texts missing, Family family) {
    std::size_t last = 0;  // the highest number in the file
    Texts others;
    const ini::File now = edit_.file();
    for (const auto& entry : now.entries()) {
      if (!entry.counts || now.section(entry) != section || !is_row_of(row, entry.key)) continue;
      last = std::max<std::size_t>(last, std::strtoul(entry.key.c_str() + row.key.size(), nullptr, 10));
      const auto same = std::find(missing.begin(), missing.end(), in_our_words(row, entry.value, family));
      if (same == missing.end())
        others.push_back(entry.key);
      else
        missing.erase(same);
    }
    for (const auto& key : others) {
      refuse(section, key, "is not in the spec's list");
      edit_.remove([&](const ini::File& file, const ini::Entry& entry) {
        return file.section(entry) == section && (entry.key == key || entry.key == key + "_options");
      });
    }
    for (const auto& line : missing) edit_.add(section, fmt::format("{}{}", row.key, ++last), line);
  }

  // The digest is that of the text with an empty digest in it. By it rdmastate sees whether NetworkManager has loaded
  // and applied this text (nm_digest_key).
  void set_digest() {
    edit_.set("user", nm_digest_key, "");
    edit_.set("user", nm_digest_key, nm_digest_of(edit_.text()));
  }

  const IpoibRecord& record_;
  std::string bond_;  // that the interface is a port of; empty: none
  ini::Editor edit_;
};

}  // namespace

TakenOver keyfile_over(const IpoibRecord& record, const std::string& bond, const State& theirs) {
  const auto& content = file_of(theirs).content;
  Over over(record, bond, content ? content->value : std::string());
  over.lay();
  return {State(nm_profile_kind, wanted_nm_profile(over.text())), /*keeps_theirs=*/true, std::move(over.conflicts)};
}

}  // namespace rdmastate
