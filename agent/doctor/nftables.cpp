// SPDX-License-Identifier: Apache-2.0
#include "doctor/nftables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"
#include "doctor/nft_rules.hpp"
#include "platform/firewall.hpp"

namespace rdmastate::doctor {
namespace {

// What the unit loads: in RHEL and its kin the first, in others the second.
constexpr std::string_view files[] = {"/etc/sysconfig/nftables.conf", "/etc/nftables.conf"};

/// A file with all that it includes in place.
class Rules {
 public:
  explicit Rules(Examination& look) : look_(look) {}

  /// nullopt: one of the files was not shown.
  std::optional<std::string> read(const std::string& path) {
    add(path, 0);
    return complete_ ? std::optional(whole_) : std::nullopt;
  }

 private:
  static constexpr int deepest = 16;  // MAX_INCLUDE_DEPTH of nft
  static constexpr int most = 200;    // files, so that those that include each other come to an end

  // The text behind the word `include`, where the line is such a statement.
  static std::optional<std::string> included(std::string_view line) {
    constexpr std::string_view word = "include";
    line = trimmed(line);
    if (!line.starts_with(word) || line.find_first_of(" \t\"'") != word.size()) return std::nullopt;
    const std::string path(trimmed(line.substr(word.size()), " \t\r;\"'"));
    if (path.starts_with('.')) return path;                // from the directory that nft runs in: no such file is found
    return path.starts_with('/') ? path : "/etc/" + path;  // where nft(8) looks by default
  }

  void add(const std::string& path, int depth) {
    if (!complete_) return;
    const auto text = depth < deepest && ++count_ <= most ? look_.text(path) : std::nullopt;
    complete_ = text.has_value();
    for_lines(text.value_or(""), [&](std::string_view line) {
      if (const auto more = included(line))
        add_all(*more, depth + 1);
      else
        whole_.append(line).append("\n");
    });
  }

  // "/etc/nftables/*.nft": of patterns only one star at the beginning of the name is understood.
  void add_all(const std::string& path, int depth) {
    if (path.find_first_of("*?[") == std::string::npos) return add(path, depth);
    const std::size_t name = path.rfind('/') + 1;
    const std::string end = path.substr(name + 1);
    if (path.find_first_of("*?[") != name || path[name] != '*' || end.find_first_of("*?[") != std::string::npos) {
      complete_ = false;
      return;
    }
    for (const auto& found : look_.names(path.substr(0, name - 1)))
      if (found.ends_with(end) && !found.starts_with('.')) add(path.substr(0, name) + found, depth);
  }

  Examination& look_;
  std::string whole_;
  int count_ = 0;
  bool complete_ = true;
};

}  // namespace

void look_for_dropping_rules(Examination& look, const std::vector<SoftDevice>& devices) {
  const UnitLook* unit = look.snapshot.unit(std::string(nftables_unit));
  if (unit == nullptr || !unit->active) return;
  const auto* const file = std::find_if(std::begin(files), std::end(files),
                                        [&](std::string_view path) { return look.exists(std::string(path)); });
  if (file == std::end(files)) return;
  const auto rules = Rules(look).read(std::string(*file));
  const auto chain = rules ? chain_that_drops(*rules, roce_v2_port) : std::nullopt;
  if (!chain) return;
  for (const auto& device : devices)
    look.found({About::device, device.name},
               fmt::format("the chain {} of nftables' table {} does not open UDP 4791", chain->name, chain->table),
               std::string(why_roce_needs_the_port),
               fmt::format("`nft insert rule {} {} udp dport 4791 accept`; for good, `udp dport 4791 accept` in that "
                           "chain of {}, or of a file that it includes.",
                           chain->table, chain->name, *file),
               {{std::string(*file), fmt::format("no rule of {} {} accepts it", chain->table, chain->name)},
                {"systemd: nftables.service", "active"}});
}

FilePlaces nftables_places() {
  return whole_files({files[0], files[1], "/etc/nftables/*.nft", "/etc/nftables.d/*.nft", "/etc/nftables.d/*.conf"});
}

}  // namespace rdmastate::doctor
