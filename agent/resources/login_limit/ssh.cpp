// SPDX-License-Identifier: Apache-2.0
// Whether a user who logs in by SSH gets the limits of PAM, without which no line of limits.conf counts:
// sshd_config(5). use_pam() reads the server's files; why_ssh_sets_none() is near the end.
#include <fmt/format.h>
#include <fnmatch.h>
#include <strings.h>

#include "base/lines.hpp"
#include "host/look_at.hpp"
#include "platform/limits_conf.hpp"
#include "platform/read_order.hpp"
#include "resources/file/file.hpp"
#include "resources/login_limit/login_limit.hpp"
#include "resources/login_limit/pam_service.hpp"

namespace rdmastate {
namespace {

const std::string folder = "/etc/ssh";
const std::string config = folder + "/sshd_config";

bool is(const std::string& word, const char* keyword) { return ::strcasecmp(word.c_str(), keyword) == 0; }

// Takes a word, whose blanks may stand in quotes, from the beginning of `line`; empty at its end.
std::string take_word(std::string_view& line) {
  line = trimmed(line);
  if (line.starts_with('#')) line = {};
  const bool quoted = line.starts_with('"');
  if (quoted) line.remove_prefix(1);
  const std::size_t end = std::min(line.find_first_of(quoted ? "\"" : " \t"), line.size());
  std::string word(line.substr(0, end));
  line.remove_prefix(std::min(end + (quoted ? 1 : 0), line.size()));
  return word;
}

// The keyword of a line of sshd_config and the words behind it, with a "=" between them or none. Empty: the line has no
// words.
std::vector<std::string> words_of(std::string_view line) {
  line = trimmed(line);
  const std::size_t end = std::min(line.find_first_of(" \t="), line.size());
  std::vector<std::string> found{std::string(line.substr(0, end))};
  line = trimmed(line.substr(end));
  if (line.starts_with('=')) line.remove_prefix(1);
  for (std::string word = take_word(line); !word.empty(); word = take_word(line)) found.push_back(std::move(word));
  return found.size() < 2 || found[0].starts_with('#') ? std::vector<std::string>() : found;
}

// The paths that a pattern names (glob(3)), sorted. `done` is the directory that `rest` is looked up in.
void add_matches(const Snapshot& snapshot, const std::string& done, std::string_view rest,
                 std::vector<std::string>& paths) {
  rest = rest.substr(std::min(rest.find_first_not_of('/'), rest.size()));
  const std::size_t end = std::min(rest.find('/'), rest.size());
  const std::string name(rest.substr(0, end));
  const auto go_on = [&](const std::string& entry) {
    const std::string path = done + "/" + entry;
    if (end != rest.size()) return add_matches(snapshot, path, rest.substr(end), paths);
    if (snapshot.exists(path)) paths.push_back(path);
  };
  if (name.find_first_of("*?[") == std::string::npos) return go_on(name);
  for (const auto& entry : snapshot.list(done.empty() ? "/" : done))
    if (::fnmatch(name.c_str(), entry.c_str(), FNM_PERIOD) == 0) go_on(entry);
}

std::vector<std::string> included_by_line(const Snapshot& snapshot, const std::vector<std::string>& line) {
  std::vector<std::string> paths;
  for (std::size_t i = 1; i < line.size(); ++i)
    add_matches(snapshot, line[i].starts_with('/') ? "" : folder, line[i], paths);
  return paths;
}

// What a file says of UsePAM.
struct UsePam {
  std::string value;
  std::string file;  ///< its path
};

// The UsePAM that counts; nullopt: no file says it. The first one found counts, and an included file is read where its
// Include line stands (servconf.c). UsePAM may not stand in a Match block, which goes to the end of its file, and an
// Include there holds for some connections only.
std::optional<UsePam> use_pam(const Snapshot& snapshot, const std::string& path, int depth) {
  constexpr int deepest = 16;  // SERVCONF_MAX_DEPTH
  std::optional<UsePam> found;
  if (depth > deepest) return found;
  bool in_match = false;
  for_lines(snapshot.read(path).value_or(""), [&](std::string_view text) {
    const auto line = words_of(text);
    if (found || line.empty() || in_match) return;
    in_match = is(line[0], "Match");
    if (is(line[0], "UsePAM")) found = UsePam{line[1], path};
    if (!is(line[0], "Include")) return;
    for (const auto& file : included_by_line(snapshot, line))
      if (!found) found = use_pam(snapshot, file, depth + 1);
  });
  return found;
}

// The lines of the file that hold one of these words.
Kept lines_with(const FileToKeep& file, std::initializer_list<std::string_view> wanted) {
  std::string text;
  for_lines(file.text, [&](std::string_view line) {
    for (const auto word : wanted)
      if (line.find(word) != std::string_view::npos) {
        text.append(line).append("\n");
        break;
      }
  });
  return kept_part(std::move(text));
}

// What use_pam() reads of a file.
std::string ssh_lines(std::string_view text) {
  std::string kept;
  for_lines(text, [&](std::string_view line) {
    const auto parts = words_of(line);
    if (!parts.empty() && (is(parts[0], "UsePAM") || is(parts[0], "Include") || is(parts[0], "Match")))
      kept.append(line).append("\n");
  });
  return kept;
}

std::string why_none(const Snapshot& snapshot) {
  if (!snapshot.exists(config)) return {};
  const auto said = use_pam(snapshot, config, /*depth=*/0);
  if (!said || !is(said->value, "yes"))
    return fmt::format("who comes by SSH has no limits of PAM: {} {}; write UsePAM yes there",
                       said ? said->file : config,
                       said ? "says UsePAM " + said->value
                            : std::string("does not say UsePAM yes, and without it the server asks no PAM"));
  const std::string pam = pam_service_path(snapshot, "sshd");
  if (pam.empty() || !limits_line(snapshot, "sshd").empty()) return {};
  return fmt::format(
      "who comes by SSH has no limits of PAM: neither {} nor what it includes has a session line with pam_limits.so",
      pam);
}

}  // namespace

// Says nothing where this user may not read one of the files.
std::string why_ssh_sets_none(const Snapshot& snapshot) {
  std::string why;
  std::vector<std::string> unseen;
  look_at(config, unseen, [&] { why = why_none(snapshot); });
  return why;
}

FilePlaces login_limit_places() {
  // Kept even where no line is: a plan on the record has to see that the server is there and does not say UsePAM yes.
  const auto main = [](const FileToKeep& file) { return Kept{Kept::How::part, ssh_lines(file.text)}; };
  const auto ssh = [](const FileToKeep& file) { return kept_part(ssh_lines(file.text)); };
  const auto pam_lines = [](const FileToKeep& file) {
    return lines_with(file, {"pam_limits.so", "include", "substack"});
  };
  // Kept even where no line sets a limit: /etc's file hides the vendor's of the same name.
  const auto memlock = [](const FileToKeep& file) {
    return Kept{Kept::How::part, lines_that_set(limits_settings, file).part};
  };
  FilePlaces all{{config, main}, {folder + "/*.conf", ssh}, {folder + "/*/*", ssh}};
  for (const auto directory : pam_directories) all.push_back({std::string(directory) + "/*", pam_lines});
  for (const auto directory : limits_conf_directories)
    all.push_back({std::string(directory) + "/limits.conf", memlock});
  return all;
}

}  // namespace rdmastate
