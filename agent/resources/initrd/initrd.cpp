// SPDX-License-Identifier: Apache-2.0
// An image is stale where it does not hold a file that is wanted, holds it with another text, or holds one that goes. A
// step rebuilds every image that the next boot may use. initrd/held.hpp says what an image holds.
#include "resources/initrd/initrd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "platform/layout.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "resources/initrd/held.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t row_of_rhel = 1;  // in initrd_makers(): dracut of RHEL and Fedora, which build ostree images

const InitrdHolds& holds_of(const State& state) { return state.as<InitrdState>().holds; }

State state_with(InitrdHolds holds) { return State(initrd_kind, InitrdState{std::move(holds)}); }

// The path of a file, or of the file that an entry is in ("PATH NAME").
std::string path_in(const std::string& key) { return key.substr(0, key.find(' ')); }

// What the images hold, as one list: `initrd_differs` for what they do not all hold alike.
InitrdHolds held_alike(const std::vector<InitrdHolds>& images) {
  InitrdHolds all;
  for (const auto& holds : images) all.insert(holds.begin(), holds.end());
  for (auto& [key, value] : all)
    for (const auto& holds : images)
      if (const auto one = holds.find(key); one == holds.end() || one->second != value) value = initrd_differs;
  return all;
}

InitrdHolds held_by_all(const Snapshot& snapshot, const InitrdImages& boot) {
  const InitrdNotes notes = read_initrd_notes(snapshot);
  std::vector<InitrdHolds> each;
  for (const auto& image : boot.images) each.push_back(held_by(snapshot, *boot.maker, image.path, notes));
  return held_alike(each);
}

// Absent: the host boots without an initrd, so nothing can be stale.
Observation initrd_observe(const Snapshot& snapshot, const std::string& key) {
  try {
    const InitrdImages boot = initrd_images(snapshot);
    if (boot.maker == nullptr) return Absent{};
    return state_with(held_by_all(snapshot, boot));
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    return Unseen{fmt::format("the images in {} may not be looked at by this user: run as root to see them", key)};
  }
}

// What the images have to hold: what they hold now, without what the plan removes, and what is wanted and copied.
InitrdHolds target(const Scene& scene, const Copied& copied, const State* wanted, const InitrdHolds& held) {
  InitrdHolds to = held;
  std::erase_if(to, [&](const auto& one) { return is_going(scene, one.first); });
  if (wanted == nullptr) return to;
  for (const auto& [key, digest] : holds_of(*wanted)) {
    const Copying copying = copied.of(path_in(key));
    if (copying == Copying::always || (copying == Copying::where_held && held.contains(key)))
      to.insert_or_assign(key, digest);
  }
  return to;
}

std::string names_of(const InitrdImages& boot) {
  std::string names;
  for (const auto& image : boot.images) names += (names.empty() ? "" : ", ") + image.path;
  return names;
}

// The paths of the files that differ, each with `prefix` before it and `between` them. A file with several entries that
// differ is named once: its keys follow each other in the map.
std::string differing_files(const InitrdHolds& from, const InitrdHolds& to, std::string_view prefix,
                            std::string_view between) {
  std::string names;
  std::string last;
  InitrdHolds all = to;
  all.insert(from.begin(), from.end());
  for (const auto& [key, digest] : all) {
    const auto before = from.find(key);
    const auto after = to.find(key);
    const bool same = before != from.end() && after != to.end() && before->second == after->second;
    if (same || path_in(key) == last) continue;
    last = path_in(key);
    names += fmt::format("{}{}{}", names.empty() ? "" : between, prefix, last);
  }
  return names;
}

// Whether what is mounted on the directory is read-only, by /proc/self/mounts (proc(5)): the last one mounted there
// counts.
bool is_read_only(const Snapshot& snapshot, std::string_view directory) {
  std::istringstream lines(snapshot.read("/proc/self/mounts").value_or(""));
  bool read_only = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string device, target, type, options;
    words >> device >> target >> type >> options;
    if (target == directory) read_only = ("," + options + ",").find(",ro,") != std::string::npos;
  }
  return read_only;
}

// Why the images cannot be made on this host, as a sentence; empty: they can. Where the whole system is an image with a
// read-only root, its own tool makes the initrd. `files`: those that the images do not hold as they have to.
std::string why_read_only(const Snapshot& snapshot, const InitrdImages& boot, const std::string& files) {
  const bool root = is_read_only(snapshot, "/");
  if (!root && !is_read_only(snapshot, initrd_key)) return {};
  if (root && snapshot.exists("/usr/sbin/transactional-update"))
    return fmt::format(
        "/ is read-only here, so {} cannot be made anew with {}: run transactional-update initrd, and boot into it",
        names_of(boot), files);
  return fmt::format(
      "{} is read-only, so {} cannot be made anew with {}: mount it writable, or do that where the image of this host is "
      "built and say initrd: leave",
      root ? "/" : initrd_key, names_of(boot), files);
}

// Why nothing is made in a tree, as a sentence.
std::string why_later(const InitrdImages& boot, const std::string& files) {
  return fmt::format(
      "{} is older than {}: it is made anew where this tree becomes a system, by {} inside; rdmastate runs no program of a "
      "tree",
      names_of(boot), files, boot.maker->all);
}

// Which of these files dracut's settings keep out of the images, and what helps, as a sentence; empty: none.
std::string why_kept_out(const InitrdImages& boot, const Copied& copied, const State* wanted) {
  if (wanted == nullptr) return {};
  InitrdHolds out = holds_of(*wanted);
  std::erase_if(out, [&](const auto& one) { return !copied.is_kept_out(path_in(one.first)); });
  if (out.empty()) return {};
  return fmt::format(
      "dracut makes {} for any host (hostonly=no), and does not copy {}: put the line "
      "install_optional_items+=\" /etc/modprobe.d/rdmastate-*.conf /etc/systemd/network/*-rdmastate-*.link \" into "
      "/etc/dracut.conf.d/rdmastate.conf, or say initrd: leave where no initrd loads the modules that need these files",
      names_of(boot), differing_files({}, out, /*prefix=*/"", ", "));
}

// Both sentences; either may be empty.
std::string both(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : "; ") + second;
}

bool is_ostree(const Snapshot& snapshot) { return !snapshot.is_tree() && snapshot.exists("/run/ostree-booted"); }

// On ostree the images lie elsewhere, and what they hold is not known: where a file is wanted in them, this is blocked.
Gap gap_of_ostree(const Scene& scene, const State* wanted) {
  Gap gap;
  if (wanted == nullptr) return gap;
  const Copied dracut(initrd_makers()[row_of_rhel]);
  const InitrdHolds none;
  const InitrdHolds to = target(scene, dracut, wanted, none);
  if (to.empty()) return gap;
  gap.blocked = fmt::format(
      "this host boots an image (ostree), and its initrd comes with that: copy {} into it with rpm-ostree initramfs-etc "
      "{}, or where the image is built, and say initrd: leave",
      differing_files(none, to, /*prefix=*/"", ", "), differing_files(none, to, "--track=", " "));
  return gap;
}

Gap initrd_gap(const Scene& scene, const std::string&, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (is_ostree(scene.snapshot)) return gap_of_ostree(scene, wanted);
  Gap gap;
  if (present == nullptr) return gap;
  const InitrdImages boot = initrd_images(scene.snapshot);
  const Copied copied(scene.snapshot, *boot.maker);
  const std::string kept_out = why_kept_out(boot, copied, wanted);
  const InitrdHolds& held = holds_of(*present);
  InitrdHolds to = target(scene, copied, wanted, held);
  const bool is_stale = to != held;
  const std::string files = differing_files(held, to, /*prefix=*/"", ", ");
  if (scene.snapshot.is_tree()) {
    gap.pending = {both(is_stale ? why_later(boot, files) : "", kept_out), Until::owner};
    return gap;
  }
  const std::string read_only = is_stale ? why_read_only(scene.snapshot, boot, files) : "";
  gap.blocked = both(kept_out, read_only);
  if (is_stale && read_only.empty()) gap.move = Gap::Move{*present, state_with(std::move(to))};
  return gap;
}

std::vector<Ref> initrd_needs(const std::string&, const State*) { return {}; }

void write_notes(Tools& tools, const InitrdNotes& notes) {
  const FileState file = regular_file(initrd_notes_text(notes));
  write_file(tools, std::string(common_layout().initrd_notes), file);
}

InitrdNote note_of(const Snapshot& snapshot, const std::string& image, InitrdHolds holds) {
  return {snapshot.stamp(image).value_or(FileStamp{}), std::move(holds)};
}

// Notes what each image holds while the files are still unchanged: once they are newer than an image, they no longer
// tell what it holds.
void initrd_stage(Tools& tools, const std::string&, const State*) {
  const Snapshot now(tools.host);
  const InitrdImages boot = initrd_images(now);
  if (boot.maker == nullptr) return;
  const InitrdNotes before = read_initrd_notes(now);
  InitrdNotes notes;
  for (const auto& image : boot.images)
    notes.emplace(image.path, note_of(now, image.path, held_by(now, *boot.maker, image.path, before)));
  write_notes(tools, notes);
}

// Makes one image anew, and notes what it holds then. Leaves an image that holds already what is on the disk.
void rebuild(Tools& tools, const InitrdMaker& maker, const InitrdImage& image, InitrdNotes& notes) {
  InitrdHolds disk = on_disk(Snapshot(tools.host), maker);
  const auto noted = notes.find(image.path);
  const Snapshot before(tools.host);
  if (noted != notes.end() && noted->second.holds == disk && before.stamp(image.path) == noted->second.stamp) return;
  tools.host.initrds->rebuild(maker.program, image.release, image.path);
  notes.insert_or_assign(image.path, note_of(Snapshot(tools.host), image.path, std::move(disk)));
  write_notes(tools, notes);
}

// The maker copies what is on the disk. That is final by now, in apply and in undo, since the other steps come first.
void initrd_move(Tools& tools, const std::string&, const State*, const State*) {
  const Snapshot now(tools.host);
  const InitrdImages boot = initrd_images(now);
  if (boot.maker == nullptr || tools.host.initrds == nullptr) return;
  InitrdNotes notes = read_initrd_notes(now);
  std::erase_if(notes, [&](const auto& one) {
    return std::none_of(boot.images.begin(), boot.images.end(), [&](const auto& i) { return i.path == one.first; });
  });
  for (const auto& image : boot.images) rebuild(tools, *boot.maker, image, notes);
}

// An image may hold more than it did: it was made of all that is on the disk.
bool initrd_is_back(const State& now, const State& from) {
  const InitrdHolds& held = holds_of(now);
  return std::all_of(holds_of(from).begin(), holds_of(from).end(), [&](const auto& one) {
    const auto there = held.find(one.first);
    return one.second == initrd_differs || (there != held.end() && there->second == one.second);
  });
}

// The family is not known here: `other` asks the makers of all families.
std::string initrd_copy_of(const std::string& path) {
  return is_initrd_input(DistroFamily::other, path) ? std::string(initrd_key) : std::string();
}

// Only the names of files and entries: their digests say nothing to a person. A step of this kind has both states.
std::string initrd_lines(const State* from, const State* to) {
  std::string text;
  const InitrdHolds& was = holds_of(*from);
  const InitrdHolds& becomes = holds_of(*to);
  for (const auto& [what, digest] : was)
    if (!becomes.contains(what)) text += "-" + what + "\n";
  for (const auto& [what, digest] : becomes)
    if (const auto old = was.find(what); old == was.end() || old->second != digest) text += "+" + what + "\n";
  return text;
}

std::string initrd_title(const std::string& key, const State*) { return fmt::format("in {}", key); }

}  // namespace

constinit const Kind initrd_kind = [] {
  Kind kind = kind_of<InitrdState>("initrd");
  kind.durable = true;
  kind.verbs = {"rebuild", "rebuild", "rebuild"};
  kind.rank = 80;  // after all others: a rebuild copies what they wrote
  kind.copies_others = true;
  kind.takes_minutes = true;
  kind.observe = initrd_observe;
  kind.gap = initrd_gap;
  kind.needs = initrd_needs;
  kind.stage = initrd_stage;
  kind.move = initrd_move;
  kind.is_back = initrd_is_back;
  kind.copy_of = initrd_copy_of;
  kind.lines = initrd_lines;
  kind.title = initrd_title;
  kind.places = places_of_initrds;
  kind.keep = keep_initrds;
  return kind;
}();

std::string initrd_digest(const State& state) {
  if (&state.kind() == &entry_kind) return sha256_hex(state.as<EntryState>().value);
  const FileState& file = file_of(state);
  return sha256_hex(file.content ? std::string_view(file.content->value) : std::string_view());
}

}  // namespace rdmastate
