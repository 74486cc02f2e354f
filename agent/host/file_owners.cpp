// SPDX-License-Identifier: Apache-2.0
#include "host/file_owners.hpp"

#include <fnmatch.h>

#include <map>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "host/look_at.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

constexpr const char* interfaces_file = "/etc/network/interfaces";

// source-directory reads only files with names of ^[a-zA-Z0-9_-]+$.
bool is_name_char(char c) { return ascii::is_one_of(c, "_-"); }

// Whether a word of an including line, a path with wildcards, names this path.
bool matches(const std::string& word, const std::string& path) {
  const std::string pattern = word.starts_with('/') ? word : "/etc/network/" + word;
  return ::fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
}

// Whether one line (as ifupdown_includes() finds them) includes the file `name` in `directory`.
bool includes(const std::string& line, const std::string& directory, const std::string& name) {
  const auto parts = words(line);
  const bool names_directories = parts.front() == "source-directory";
  if (names_directories && !std::all_of(name.begin(), name.end(), is_name_char)) return false;
  return std::any_of(parts.begin() + 1, parts.end(), [&](std::string word) {
    while (names_directories && word.size() > 1 && word.ends_with('/')) word.pop_back();
    return matches(word, names_directories ? directory : directory + "/" + name);
  });
}

// The files that netplan reads, sorted by name: of files of one name, that of the last directory counts
// (netplan-generate(8)).
std::vector<std::string> netplan_files(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  std::map<std::string, std::string> by_name;
  for (const std::string place : {"/lib/netplan", "/etc/netplan", "/run/netplan"})
    look_at(place, unseen, [&] {
      for (const auto& name : snapshot.list(place))
        if (name.ends_with(".yaml")) by_name[name] = place + "/" + name;
    });
  std::vector<std::string> paths;
  for (const auto& [name, path] : by_name) paths.push_back(path);
  return paths;
}

// Files in /lib and /run alone do not make netplan a manager. The last file that names a renderer counts; without one
// the renderer is networkd (netplan(5)).
void note_netplan(const Snapshot& snapshot, Facts& facts) {
  const auto paths = netplan_files(snapshot, facts.unseen);
  const auto in_etc =
      std::find_if(paths.begin(), paths.end(), [](const std::string& path) { return path.starts_with("/etc/"); });
  if (in_etc == paths.end()) return;
  facts.managers.push_back({"netplan", /*running=*/false, /*enabled=*/true, *in_etc});
  facts.netplan_renderer = "networkd";
  for (const auto& path : paths)
    look_at(path, facts.unseen, [&] {
      const std::string renderer = netplan_renderer(snapshot.read(path).value_or(""));
      if (!renderer.empty()) facts.netplan_renderer = renderer;
    });
}

// Only claims of interfaces other than lo make ifupdown a manager: every Debian has a stanza for lo.
void note_ifupdown(const Snapshot& snapshot, Facts& facts) {
  const auto claim = std::find_if(facts.claims.begin(), facts.claims.end(),
                                  [](const Claim& one) { return one.manager == "ifupdown" && one.interface != "lo"; });
  if (claim != facts.claims.end())
    facts.managers.push_back({"ifupdown", /*running=*/false, /*enabled=*/true, claim->path});
  look_at(interfaces_file, facts.unseen,
          [&] { facts.includes = ifupdown_includes(snapshot.read(interfaces_file).value_or("")); });
}

}  // namespace

std::vector<std::string> ifupdown_includes(std::string_view text) {
  std::vector<std::string> found;
  for_lines(text, [&](std::string_view line) {
    const auto parts = words(trimmed(line));
    if (parts.size() >= 2 && (parts[0] == "source" || parts[0] == "source-directory"))
      found.emplace_back(trimmed(line));
  });
  return found;
}

bool includes_file(const std::vector<std::string>& lines, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return includes(line, path.substr(0, slash), path.substr(slash + 1));
  });
}

void note_file_owners(const Snapshot& snapshot, Facts& facts) {
  note_netplan(snapshot, facts);
  note_ifupdown(snapshot, facts);
}

}  // namespace rdmastate
