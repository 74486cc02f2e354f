// SPDX-License-Identifier: Apache-2.0
// Where firewalld does not run, the functions named ..._on_disk() read and edit the zone's file. Where it runs,
// zone_port_observe(), gap_at_firewalld() and zone_port_move() use its permanent store over D-Bus.
#include "resources/zone_port/zone_port.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "host/firewall_files.hpp"
#include "platform/firewall.hpp"
#include "resources/firewall_port.hpp"
#include "resources/unit/on_disk.hpp"
#include "resources/unit/unit.hpp"
#include "resources/zone_port/text.hpp"

namespace rdmastate {
namespace {

std::string own_file(const std::string& key) { return own_firewall_zone_file(zone_in_key(key)); }
std::string package_file(const std::string& key) { return firewall_zone_file(zone_in_key(key), vendor_firewall_zones); }

// The zone's file that firewalld reads: this host's, else the package's.
struct ZoneFile {
  std::string path;
  FileState state;
  std::string text;  ///< of a symlink that of the file it leads to
  bool is_own = false;
};

std::optional<ZoneFile> zone_file(const Snapshot& snapshot, const std::string& key) {
  for (const std::string& path : {own_file(key), package_file(key)}) {
    if (path.empty() || !snapshot.exists(path)) continue;
    const FileObservation seen = observe_file(snapshot, path);
    if (std::holds_alternative<Unseen>(seen)) throw SystemError("reading " + path, EACCES);
    const auto* state = std::get_if<FileState>(&seen);
    if (state == nullptr) continue;
    const bool is_text = state->type == FileType::regular || state->type == FileType::symlink;
    return ZoneFile{path, *state, is_text ? snapshot.read(path).value_or("") : "", path == own_file(key)};
  }
  return std::nullopt;
}

FirewallServiceText services_of(const Snapshot& snapshot) {
  return [&snapshot](const std::string& name) -> std::optional<std::string> {
    if (name.empty() || name.find('/') != std::string::npos) return std::nullopt;
    for (const auto directory : firewall_services)
      if (auto text = snapshot.read(fmt::format("{}/{}.xml", directory, name))) return text;
    return std::nullopt;
  };
}

// The names of the zones that have a file.
std::vector<std::string> zones_on_disk(const Snapshot& snapshot) {
  std::set<std::string> zones;
  for (const auto directory : {common_layout().firewall_zones, vendor_firewall_zones})
    for (const auto& name : snapshot.list(std::string(directory)))
      if (name.ends_with(".xml")) zones.insert(name.substr(0, name.size() - std::string_view(".xml").size()));
  return {zones.begin(), zones.end()};
}

// ZonePortState::file: of a copy of rdmastate's, which is removed when nothing else is left in it, its state without
// the bytes; else nullopt.
std::optional<FileState> file_that_goes_with(const ZoneFile& file) {
  if (!file.is_own || !is_copy_of_zone(file.text)) return std::nullopt;
  return FileState{file.state.type, file.state.mode, file.state.uid, file.state.gid, std::nullopt, file.state.xattrs};
}

Observation observe_on_disk(const Snapshot& snapshot, const std::string& key) {
  const auto file = zone_file(snapshot, key);
  if (!file || file->state.type == FileType::directory || file->state.type == FileType::other) return Absent{};
  try {
    read_firewall_zone(file->text, services_of(snapshot));  // throws where it is no zone
    auto entry = port_entry_in(file->text, port_in_key(key));
    if (!entry) return Absent{};
    return State(zone_port_kind, ZonePortState{to_text(port_in_key(key)), std::move(entry->element), entry->position,
                                               file_that_goes_with(*file)});
  } catch (const Error& error) {
    return Unseen{fmt::format("{} is no zone of firewalld ({}): mend or remove it", file->path, error.what())};
  }
}

Observation zone_port_observe(const Snapshot& snapshot, const std::string& key) {
  if (!snapshot.firewall_runs()) return observe_on_disk(snapshot, key);
  const FirewallZone* zone = snapshot.firewall_zone(FirewallStore::permanent, zone_in_key(key));
  if (zone == nullptr || !zone->has(port_in_key(key))) return Absent{};
  return zone_port(port_in_key(key));
}

// Why rdmastate does not write into the file. Empty: it does.
std::string why_not_in(const ZoneFile& file) {
  if (file.state.type != FileType::regular)
    return fmt::format("{} is a {} where rdmastate changes one entry of a regular file: put the file itself there",
                       file.path, noun(file.state.type));
  if (is_closed_zone(file.text))
    return fmt::format("{} is an empty <zone/>, without a place for an entry: write <zone></zone>", file.path);
  return {};
}

// Files of zones alone do not tell that it is installed: NetworkManager's package brings one too.
bool is_installed(const Snapshot& snapshot) { return !found_unit(snapshot, std::string(firewall_unit)).empty(); }

Pending why_not_installed(const Snapshot& snapshot) {
  Pending pending = why_not_started(snapshot, std::string(firewall_unit));
  if (pending.empty())
    pending = {"firewalld is not installed here: install its package (`rdmastate packages` names it)", Until::package};
  return pending;
}

// The gap where firewalld does not run; one of the two states is nullptr. A port that something else in the zone lets
// in needs no entry.
Gap gap_on_disk(const Snapshot& snapshot, const std::string& key, const State* present, const State* wanted) {
  Gap gap;
  if (wanted != nullptr && !is_installed(snapshot)) {
    gap.pending = why_not_installed(snapshot);
    return gap;
  }
  const auto file = zone_file(snapshot, key);
  if (!file) {
    if (wanted != nullptr) gap.blocked = no_such_zone(zone_in_key(key), zones_on_disk(snapshot));
    return gap;
  }
  if (wanted == nullptr && !file->is_own) return gap;  // the package's own entry: nobody's of this host
  gap.blocked = why_not_in(*file);
  const std::string directory(common_layout().firewall_zones);
  if (gap.blocked.empty() && !snapshot.exists(directory))
    gap.blocked =
        fmt::format("{} is missing. The package of firewalld brings it: install that package again", directory);
  if (!gap.blocked.empty()) return gap;
  if (wanted != nullptr && !read_firewall_zone(file->text, services_of(snapshot)).let_in_by(port_in_key(key)).empty())
    return gap;
  gap.move = Gap::Move{};
  if (present != nullptr) gap.move->from = *present;
  if (wanted != nullptr) gap.move->to = *wanted;
  return gap;
}

// The gap where firewalld runs; one of the two states is nullptr. An entry in a range of ports stays: firewalld would
// cut its port out of the range too.
Gap gap_at_firewalld(const Snapshot& snapshot, const std::string& key, const State* present, const State* wanted) {
  Gap gap;
  const FirewallZone* zone = snapshot.firewall_zone(FirewallStore::permanent, zone_in_key(key));
  if (wanted == nullptr) {
    const bool is_theirs_too = zone == nullptr || lies_in_range(*zone, port_in_key(key));
    if (!is_theirs_too) gap.move = Gap::Move{*present, std::nullopt};
  } else if (zone == nullptr) {
    gap.blocked = no_such_zone(zone_in_key(key), snapshot.firewall_zones(FirewallStore::permanent));
  } else if (zone->let_in_by(port_in_key(key)).empty()) {
    gap.move = Gap::Move{std::nullopt, *wanted};
  }
  return gap;
}

Gap zone_port_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if ((wanted == nullptr) == (present == nullptr)) return {};
  return scene.snapshot.firewall_runs() ? gap_at_firewalld(scene.snapshot, key, present, wanted)
                                        : gap_on_disk(scene.snapshot, key, present, wanted);
}

// The directory is firewalld's, which its package brings.
std::vector<Ref> zone_port_needs(const std::string&, const State*) { return {}; }

FileContent new_copy(const std::string& key, Files& files, const ZonePortState& to) {
  const auto text = files.read(package_file(key));
  if (!text) throw SystemError("reading " + package_file(key), ENOENT);
  FileContent file = to.file ? content_from(*to.file) : FileContent{{FileType::regular, 0644, 0, 0}, {}, {}};
  file.bytes = copy_of_zone(*text);
  return file;
}

void add_on_disk(const std::string& key, Files& files, const ZonePortState& to) {
  const std::string path = own_file(key);
  auto file = files.load(path);
  if (!file) file = new_copy(key, files, to);
  if (file->meta.type != FileType::regular) throw Error(fmt::format("{} is no regular file", path));
  if (port_entry_in(file->bytes, port_in_key(key))) return;
  std::optional<PortEntry> entry;
  if (to.element && to.position) entry = PortEntry{*to.element, *to.position};
  file->bytes = with_port(file->bytes, port_in_key(key), entry);
  files.replace(path, *file);
}

// A copy that is only that again is removed, so that firewalld reads the package's zone, with its updates.
void remove_on_disk(const std::string& key, Files& files) {
  const std::string path = own_file(key);
  auto file = files.load(path);
  if (!file || file->meta.type != FileType::regular) return;
  std::string rest = without_port(file->bytes, port_in_key(key));
  const auto packaged = files.read(package_file(key));
  if (packaged && is_mere_copy(rest, *packaged)) return files.remove(path);
  if (rest == file->bytes) return;
  file->bytes = std::move(rest);
  files.replace(path, *file);
}

// Whether firewalld runs is asked anew: it may have been stopped or started since the plan.
void zone_port_move(Tools& tools, const std::string& key, const State*, const State* to) {
  Firewall* firewall = tools.host.firewall;
  if (firewall == nullptr || !firewall->runs())
    return to != nullptr ? add_on_disk(key, tools.host.files, to->as<ZonePortState>())
                         : remove_on_disk(key, tools.host.files);
  to != nullptr ? firewall->open(FirewallStore::permanent, zone_in_key(key), port_in_key(key))
                : firewall->close(FirewallStore::permanent, zone_in_key(key), port_in_key(key));
}

// Asked where the entry is there again: that is enough. How firewalld writes it into its file does not matter.
bool zone_port_is_back(const State&, const State&) { return true; }

// Only an entry that goes has a text: a new one is written when the step is made.
std::string zone_port_lines(const State* from, const State* to) {
  const State& state = from != nullptr ? *from : *to;
  const auto& port = state.as<ZonePortState>();
  if (!port.element || from == nullptr) return {};
  return fmt::format("-{}\n", port.element->substr(port.element->find_first_not_of(" \t\r\n")));
}

std::string zone_port_title(const std::string& key, const State*) {
  return fmt::format("{} of zone {}", to_text(port_in_key(key)), zone_in_key(key));
}

FilePlaces zone_port_places() {
  const auto reduced = [](const FileToKeep& file) { return kept_part(reduced_firewall_service(file.text)); };
  FilePlaces all;
  for (const auto directory : {common_layout().firewall_zones, vendor_firewall_zones})
    all.push_back({fmt::format("{}/*.xml", directory)});
  for (const auto directory : firewall_services) all.push_back({fmt::format("{}/*.xml", directory), reduced});
  append(all, unit_places(firewall_unit));
  return all;
}

void zone_port_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  keep_firewall(snapshot, FirewallStore::permanent, model);
}

}  // namespace

constinit const Kind zone_port_kind = [] {
  Kind kind = kind_of<ZonePortState>("zone_port");
  kind.durable = true;
  kind.verbs = {"add", "change", "remove"};
  kind.rank = 12;  // after files (10) and entries (11); a firewall_port (63) needs it
  kind.lives_in = own_file;
  kind.observe = zone_port_observe;
  kind.gap = zone_port_gap;
  kind.needs = zone_port_needs;
  kind.move = zone_port_move;
  kind.is_back = zone_port_is_back;
  kind.lines = zone_port_lines;
  kind.title = zone_port_title;
  kind.places = zone_port_places;
  kind.keep = zone_port_keep;
  return kind;
}();

std::vector<std::string> firewall_zone_names(const Snapshot& snapshot) {
  return snapshot.firewall_runs() ? snapshot.firewall_zones(FirewallStore::permanent) : zones_on_disk(snapshot);
}

State zone_port(const FirewallPorts& port) { return State(zone_port_kind, ZonePortState{to_text(port)}); }

}  // namespace rdmastate
