// SPDX-License-Identifier: Apache-2.0
// Whether a user who logs in by SSH gets the limits of PAM, without which no line of limits.conf counts:
// sshd_config(5), pam.d(5).
#include <fmt/format.h>
#include <fnmatch.h>
#include <strings.h>

#include <algorithm>

#include "base/lines.hpp"
#include "resources/file/file.hpp"
#include "resources/login_limit/login_limit.hpp"

namespace rdmastate {
namespace {

const std::string config = "/etc/ssh/sshd_config";
const std::string drop_ins = "/etc/ssh/sshd_config.d";
const std::string base = "/etc/ssh/";  // of a path in an Include line that is not absolute
const std::string pam = "/etc/pam.d/";

bool is(const std::string& word, const char* keyword) { return ::strcasecmp(word.c_str(), keyword) == 0; }

// Whether an Include line, in words, includes this file. It may name several patterns (sshd_config(5)).
bool includes(const std::vector<std::string>& parts, const std::string& file) {
  return is(parts[0], "Include") && std::any_of(parts.begin() + 1, parts.end(), [&](const std::string& pattern) {
           const std::string absolute = pattern.starts_with('/') ? pattern : base + pattern;
           return ::fnmatch(absolute.c_str(), file.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
         });
}

// The value of UsePAM; nullopt: no file says it. The first one found counts, and an included file is read where its
// Include line stands. Match blocks need no care: UsePAM may not stand in them.
// Of included files only those of sshd_config.d are looked at, which a record has too.
std::optional<std::string> use_pam(const Snapshot& snapshot, const std::string& path, int depth) {
  constexpr int deepest = 16;  // SERVCONF_MAX_DEPTH
  std::optional<std::string> found;
  if (depth > deepest) return found;
  for_lines(snapshot.read(path).value_or(""), [&](std::string_view line) {
    const auto parts = split(trimmed(line), " \t=");
    if (found || parts.size() < 2 || parts[0].starts_with('#')) return;
    if (is(parts[0], "UsePAM")) found = parts[1];
    for (const auto& name : snapshot.list(drop_ins)) {
      const std::string file = drop_ins + "/" + name;
      if (!found && includes(parts, file)) found = use_pam(snapshot, file, depth + 1);
    }
  });
  return found;
}

// "@include common-session", "session include password-auth", "session substack ...".
std::string included_by(const std::vector<std::string>& parts) {
  if (parts.size() >= 2 && parts[0] == "@include") return parts[1];
  if (parts.size() >= 3 && (parts[1] == "include" || parts[1] == "substack")) return parts[2];
  return {};
}

// Whether a service of PAM has a session line with pam_limits, itself or by what it includes.
bool sets_limits(const Snapshot& snapshot, const std::string& service, int depth) {
  constexpr int deepest = 32;  // PAM_SUBSTACK_MAX_LEVEL
  bool found = false;
  if (depth > deepest) return found;
  for_lines(snapshot.read(pam + service).value_or(""), [&](std::string_view line) {
    const auto parts = words(trimmed(line));
    if (found || parts.empty() || parts[0].starts_with('#')) return;
    const bool is_session = parts[0] == "session" || parts[0] == "-session";
    found = is_session && line.find("pam_limits.so") != std::string_view::npos;
    const std::string more = included_by(parts);
    if (!found && !more.empty()) found = sets_limits(snapshot, more, depth + 1);
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

}  // namespace

std::string why_ssh_sets_none(const Snapshot& snapshot) {
  if (!snapshot.exists(config)) return {};
  const auto said = use_pam(snapshot, config, /*depth=*/0);
  if (!said || !is(*said, "yes"))
    return fmt::format(
        "who comes by SSH has no limits of PAM: {} {}; write UsePAM yes there", config,
        said ? "says UsePAM " + *said : std::string("does not say UsePAM yes, and without it the server asks no PAM"));
  if (!snapshot.exists(pam + "sshd") || sets_limits(snapshot, "sshd", /*depth=*/0)) return {};
  return fmt::format(
      "who comes by SSH has no limits of PAM: neither {}sshd nor what it includes has a session line with "
      "pam_limits.so",
      pam);
}

FilePlaces login_limit_places() {
  const auto ssh = [](const FileToKeep& file) { return lines_with(file, {"PAM", "pam", "nclude"}); };
  const auto pam_lines = [](const FileToKeep& file) {
    return lines_with(file, {"pam_limits.so", "include", "substack"});
  };
  const auto memlock = [](const FileToKeep& file) { return lines_with(file, {"memlock"}); };
  return {{"/etc/security/limits.conf", memlock}, {config, ssh}, {drop_ins + "/*", ssh}, {pam + "*", pam_lines}};
}

}  // namespace rdmastate
