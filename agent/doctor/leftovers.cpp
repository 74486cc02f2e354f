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
#include "resources/entry/entry.hpp"
#include "resources/registry.hpp"
#include "sections/adopt.hpp"
#include "yaml/writer.hpp"

namespace rdmastate::doctor {
namespace {

// The fields of a spec that replace what a file says.
struct Left {
  std::vector<std::string> fields = {};
  // Paths of values in the spec that adopt() makes: those that it has read from the file, and those that it has from
  // elsewhere on the host, of a device that the file names.
  std::vector<std::string> read = {};
  std::vector<std::string> live = {};
};
using Found = std::map<std::string, Left>;  // by path of the file

void add(Found& found, const std::string& path, const std::string& field) {
  auto& fields = found[path].fields;
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

// What rdmastate's ledger has: whole files, and of others' files the entries and their lines.
struct Own {
  std::set<std::string> files;
  std::set<std::string> entries;                                    // "PATH NAME", as entry_key() has it
  std::map<std::string, std::set<std::string, std::less<>>> lines;  // by path

  bool has_line(const std::string& path, std::string_view line) const {
    const auto found = lines.find(path);
    return found != lines.end() && found->second.contains(trimmed(line));
  }
};

Own own_parts(const Examination& look) {
  Own own;
  for (const auto& one : read_ledger(look.snapshot, look.facts.machine_id).entries) {
    const Kind* kind = kind_named(one.kind);
    if (kind == nullptr || !kind->durable) continue;
    const std::string path = kind->file_of_key(one.key);
    const Observation seen = kind->observe(look.snapshot, one.key);
    const State* state = state_of(seen);
    if (state == nullptr) continue;
    if (!state->is<EntryState>()) {
      own.files.insert(path);
      continue;
    }
    own.entries.insert(one.key);
    if (const auto& line = state->as<EntryState>().line) own.lines[path].emplace(trimmed(*line));
  }
  return own;
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

// The lines of the text that people write so and that are not rdmastate's; empty: there is none.
std::string lines_of(const std::string& path, std::string_view text, const HandMade& what, const Own& own) {
  std::string lines;
  for_lines(text, [&](std::string_view line) {
    if (what.is(line) && !own.has_line(path, line)) lines += std::string(line) + "\n";
  });
  return lines;
}

// The values of that field that come from a device whose name stands in the lines: "rxe0" in "rdma link add rxe0 type
// rxe netdev eno1", whose source is /sys/class/infiniband/rxe0.
std::vector<std::string> live_values(const Adopted& host, std::string_view field, std::string_view lines) {
  const auto named = words(lines);
  std::vector<std::string> paths;
  for (const auto& one : host.sources) {
    const std::string name = one.source.substr(one.source.find_last_of("/ ") + 1);
    if (without_indexes(one.path) == field && std::find(named.begin(), named.end(), name) != named.end())
      paths.push_back(one.path);
  }
  return paths;
}

// Adds the files that have a line that people write by hand.
void add_lines(Examination& look, const Own& own, const Adopted& host, Found& found) {
  const bool is_debian = platform_of(look.facts).family == DistroFamily::debian;
  std::map<std::string_view, std::vector<std::string>> paths;  // by pattern
  for (const auto& one : all_hand_made()) {
    if (one.debian_alone && !is_debian) continue;
    const auto [known, is_new] = paths.try_emplace(one.pattern);
    if (is_new) known->second = paths_of(look, std::string(one.pattern));
    for (const auto& path : known->second) {
      const auto text = look.is_file(path) && !is_second(look, path) ? look.text(path) : std::nullopt;
      const std::string lines = text && !carries_mark(*text) ? lines_of(path, *text, one, own) : std::string();
      if (lines.empty()) continue;
      add(found, path, std::string(one.field));
      for (auto& value : live_values(host, one.field, lines)) found[path].live.push_back(std::move(value));
    }
  }
}

// The path in a source of adopt() that is a file: "PATH", "PATH:LINE" or "PATH, KEY".
std::string path_in(const std::string& source) {
  const std::size_t comma = source.find(", ");
  return source.substr(0, comma != std::string::npos ? comma : source.rfind(':'));
}

// Whether the source is an entry of rdmastate.
bool is_own_entry(const Own& own, const std::string& source) {
  const std::size_t comma = source.find(", ");
  return comma != std::string::npos &&
         own.entries.contains(entry_key(source.substr(0, comma), source.substr(comma + 2)));
}

// Adds the files from which `show --as-spec` takes fields.
void add_adopted(Examination& look, const Own& own, const Adopted& host, Found& found) {
  // The directory of rdmastate's own files.
  const std::string_view home = common_layout().ledger.substr(0, common_layout().ledger.rfind('/') + 1);
  for (const auto& one : host.sources) {
    const std::string path = path_in(one.source);
    const bool file = path.starts_with("/etc/") && !path.starts_with(home);
    const auto text = file ? look.text(path) : std::nullopt;
    if (!text || carries_mark(*text) || is_own_entry(own, one.source)) continue;
    add(found, path, without_indexes(one.path));
    found[path].read.push_back(one.path);
  }
}

// Lines with these fields, of other hosts; the name alone where no example has the field.
std::vector<std::string_view> examples_of(const std::vector<std::string>& fields) {
  std::vector<std::string_view> lines;
  for (const auto& field : fields) {
    const std::string_view example = example_of(field);
    lines.push_back(example.empty() ? std::string_view(field) : example);
  }
  return lines;
}

// The paths, and that of the record of each child's parent: a spec takes no child without it.
std::vector<std::string> with_parents(std::vector<std::string> paths, const Spec& host) {
  const auto path_of = [](std::size_t i) { return fmt::format("ipoib[{}]", i); };
  for (std::size_t i = 0; i < host.ipoib.size(); ++i) {
    const auto& child = host.ipoib[i];
    const auto is_of_child = [&](const std::string& path) { return path.starts_with(path_of(i)); };
    if (!child.parent || std::none_of(paths.begin(), paths.end(), is_of_child)) continue;
    for (std::size_t j = 0; j < host.ipoib.size(); ++j)
      if (host.ipoib[j].interface_name() == child.parent->value) paths.push_back(path_of(j));
  }
  return paths;
}

std::string lines_with(const Spec& host, const std::vector<std::string>& paths) {
  return fmt::format("{}", fmt::join(yaml::to_lines(record_of<Spec>(), &host, with_parents(paths, host)), " and "));
}

// The fields of which nothing is known.
std::vector<std::string> without_values(const Left& left) {
  std::vector<std::string> fields;
  for (const auto& field : left.fields)
    if (std::none_of(left.live.begin(), left.live.end(),
                     [&](const auto& path) { return without_indexes(path) == field; }))
      fields.push_back(field);
  return fields;
}

// The lines that say what adopt() has read from the file; where it has read nothing there, those of what the file made,
// and examples for the rest.
std::string fix_for(const Left& left, const Spec& host) {
  if (!left.read.empty())
    return fmt::format("A spec says it as {}. `apply --adopt` takes the file over.", lines_with(host, left.read));
  std::string fix;
  if (!left.live.empty())
    fix = fmt::format("A spec says what this host has now as {}; then take the file's line out. ",
                      lines_with(host, left.live));
  if (const auto rest = without_values(left); !rest.empty())
    fix += fmt::format("An example, with another host's values: {}. ", fmt::join(examples_of(rest), " and "));
  return fix + "`rdmastate show --as-spec` prints what this host has, and `apply --adopt` takes files over.";
}

void look_for_leftovers(Examination& look) {
  const Own own = own_parts(look);
  Found found;
  const Adopted host = adopt(look.snapshot, look.facts);
  add_adopted(look, own, host, found);
  add_lines(look, own, host, found);
  for (const auto& path : own.files) found.erase(path);
  for (const auto& [path, left] : found)
    look.found({About::file, path}, "it sets up RDMA by hand", "Somebody followed a guide, or another tool wrote it.",
               fix_for(left, host.spec), {{path, fmt::format("as {}", fmt::join(left.fields, ", "))}});
}

constexpr Check leftover_table[] = {
    {"set-up-by-hand", Severity::info, "A file that is not rdmastate's sets up RDMA",
     "Guides have people edit limits.conf, udev rules, .link files, module options, nfs.conf, fstab, OpenSM's settings, "
     "connection profiles, and units and scripts (/usr/local/bin/*.sh, /usr/local/sbin/*.sh) that run `rdma link add` or "
     "`mlnx_qos`. They work, and nobody compares them with anything. Where `show --as-spec` reads the file, or "
     "the device that it made, the finding has the line of a spec with these values; else it has an example with another "
     "host's values. `rdmastate explain FIELD` tells about each field.",
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

FilePlaces leftover_places() {
  FilePlaces places;
  for (const auto& one : all_hand_made()) places.push_back({std::string(one.pattern), keep_hand_made});
  return places;
}

}  // namespace

const CheckFamily leftover_checks{leftover_table, leftover_places};

}  // namespace rdmastate::doctor
