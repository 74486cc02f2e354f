// SPDX-License-Identifier: Apache-2.0
// The check set-up-by-hand: finds files that set up RDMA and are not rdmastate's, and names the fields of a spec that
// say the same. Two sources: lines that guides have people write (hand_made.hpp, add_lines()), and the files from which
// `show --as-spec` takes fields (add_adopted()). What rdmastate's ledger has is its own.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/lines.hpp"
#include "doctor/examination.hpp"
#include "doctor/hand_made.hpp"
#include "host/mark.hpp"
#include "plan/ledger.hpp"
#include "platform/layout.hpp"
#include "platform/platform.hpp"
#include "resources/registry.hpp"
#include "sections/adopt.hpp"

namespace rdmastate::doctor {
namespace {

// By path of a file: the fields of a spec that replace what it says.
using Found = std::map<std::string, std::vector<std::string>>;

void add(Found& found, const std::string& path, const std::string& field) {
  auto& fields = found[path];
  if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
}

// The paths on the host that a pattern names; each star is looked up in its directory.
std::vector<std::string> paths_of(Examination& look, const std::string& pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string::npos) return {pattern};
  const std::size_t begin = pattern.rfind('/', star);
  const std::size_t end = std::min(pattern.find('/', star), pattern.size());
  std::vector<std::string> paths;
  for (const auto& name : look.names(pattern.substr(0, begin))) {
    const std::string path = pattern.substr(0, begin + 1) + name;
    if (!is_named_by(pattern.substr(0, end), path)) continue;
    for (auto& more : paths_of(look, path + pattern.substr(end))) paths.push_back(std::move(more));
  }
  return paths;
}

// Whether the path is a second one of a file below /usr, where distributions have merged the two.
bool is_second(Examination& look, const std::string& path) {
  return path.starts_with("/lib/") && look.is_file("/usr" + path);
}

bool says(std::string_view text, const HandMade& what) {
  bool said = false;
  for_lines(text, [&](std::string_view line) { said = said || what.is(line); });
  return said;
}

// The files that rdmastate made, or keeps entries in.
std::set<std::string> own_files(const Examination& look) {
  std::set<std::string> files;
  for (const auto& entry : read_ledger(look.snapshot, look.facts.machine_id).entries)
    if (const Kind* kind = kind_named(entry.kind); kind != nullptr && kind->durable)
      files.insert(kind->file_of_key(entry.key));
  return files;
}

// Adds the files that have a line that people write by hand.
void add_lines(Examination& look, Found& found) {
  const bool is_debian = platform_of(look.facts).family == DistroFamily::debian;
  std::map<std::string_view, std::vector<std::string>> paths;  // by pattern
  for (const auto& one : all_hand_made()) {
    if (one.debian_alone && !is_debian) continue;
    const auto [known, is_new] = paths.try_emplace(one.pattern);
    if (is_new) known->second = paths_of(look, std::string(one.pattern));
    for (const auto& path : known->second) {
      const auto text = look.is_file(path) && !is_second(look, path) ? look.text(path) : std::nullopt;
      if (text && !carries_mark(*text) && says(*text, one)) add(found, path, std::string(one.field));
    }
  }
}

// The field of a value's path in a spec: "ipoib.ipv4.addresses" of "ipoib[0].ipv4.addresses".
std::string without_indexes(std::string_view path) {
  std::string field;
  bool inside = false;
  for (const char c : path) {
    if (c == '[') inside = true;
    if (!inside) field += c;
    if (c == ']') inside = false;
  }
  return field;
}

// The path of a source of adopt(): "PATH", "PATH:LINE" or "PATH, KEY".
std::string path_in(const std::string& source) {
  const std::size_t comma = source.find(", ");
  return source.substr(0, comma != std::string::npos ? comma : source.rfind(':'));
}

// Adds the files from which `show --as-spec` takes fields.
void add_adopted(Examination& look, Found& found) {
  // The directory of rdmastate's own files.
  const std::string_view home = common_layout().ledger.substr(0, common_layout().ledger.rfind('/') + 1);
  for (const auto& one : adopt(look.snapshot, look.facts).sources) {
    const std::string path = path_in(one.source);
    const bool file = path.starts_with("/etc/") && !path.starts_with(home);
    const auto text = file ? look.text(path) : std::nullopt;
    if (text && !carries_mark(*text)) add(found, path, without_indexes(one.path));
  }
}

// "A spec says it as memlock: {...}." By name where no example has the field.
std::string fix_for(const std::vector<std::string>& fields) {
  std::vector<std::string_view> lines;
  for (const auto& field : fields) {
    const std::string_view example = example_of(field);
    lines.push_back(example.empty() ? std::string_view(field) : example);
  }
  return fmt::format(
      "A spec says it as {}, for example: `rdmastate show --as-spec` prints what this host has, and `apply --adopt` "
      "takes files over.",
      fmt::join(lines, " and "));
}

void look_for_leftovers(Examination& look) {
  Found found;
  add_adopted(look, found);
  add_lines(look, found);
  for (const auto& path : own_files(look)) found.erase(path);
  for (const auto& [path, fields] : found)
    look.found({About::file, path}, "it sets up RDMA by hand", "Somebody followed a guide, or another tool wrote it.",
               fix_for(fields), {{path, fmt::format("as {}", fmt::join(fields, ", "))}});
}

constexpr Check table[] = {
    {"set-up-by-hand", Severity::info, "A file that is not rdmastate's sets up RDMA",
     "Guides have people edit limits.conf, udev rules, .link files, module options, nfs.conf, fstab, OpenSM's settings, "
     "connection profiles, and units and scripts (/usr/local/bin/*.sh, /usr/local/sbin/*.sh) that run `rdma link add` or "
     "`mlnx_qos`. They work, and nobody compares them with anything. The finding has a line of a spec that says the same; "
     "`rdmastate explain FIELD` tells about each field.",
     look_for_leftovers},
};

bool is_hand_made(std::string_view path, std::string_view line) {
  const auto all = all_hand_made();
  return std::any_of(all.begin(), all.end(),
                     [&](const HandMade& one) { return is_named_by(one.pattern, path) && one.is(line); });
}

// A record keeps only the lines that add_lines() looks for.
Kept keep_hand_made(const FileToKeep& file) {
  std::string kept;
  for_lines(file.text, [&](std::string_view line) {
    if (is_hand_made(file.path, line)) kept += std::string(line) + "\n";
  });
  return kept_part(kept);
}

FilePlaces read_places() {
  FilePlaces places;
  for (const auto& one : all_hand_made()) places.push_back({std::string(one.pattern), keep_hand_made});
  return places;
}

}  // namespace

const CheckFamily leftover_checks{table, read_places};

}  // namespace rdmastate::doctor
