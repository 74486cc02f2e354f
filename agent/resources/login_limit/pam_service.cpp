// SPDX-License-Identifier: Apache-2.0
#include "resources/login_limit/pam_service.hpp"

#include <strings.h>

#include "base/lines.hpp"
#include "host/ordered_files.hpp"
#include "platform/platform.hpp"

namespace rdmastate {
namespace {

bool is(const std::string& word, const char* keyword) { return ::strcasecmp(word.c_str(), keyword) == 0; }

bool is_session(const std::vector<std::string>& parts) { return is(parts[0], "session") || is(parts[0], "-session"); }

// "@include common-session", "session include password-auth", "session substack ...". `auth include X` takes the auth
// lines of X alone.
std::string included_by(const std::vector<std::string>& parts) {
  if (parts.size() >= 2 && parts[0] == "@include") return parts[1];
  if (parts.size() >= 3 && is_session(parts) && (is(parts[1], "include") || is(parts[1], "substack"))) return parts[2];
  return {};
}

// As limits_line(), `depth` includes deep.
std::string limits_line_at(const Snapshot& snapshot, const std::string& service, int depth) {
  constexpr int deepest = 32;  // PAM_SUBSTACK_MAX_LEVEL
  std::string found;
  if (depth > deepest) return found;
  const std::string path = pam_service_path(snapshot, service);
  for_lines(path.empty() ? "" : snapshot.read(path).value_or(""), [&](std::string_view line) {
    const auto parts = words(trimmed(line));
    if (!found.empty() || parts.empty() || parts[0].starts_with('#')) return;
    if (is_session(parts) && line.find("pam_limits.so") != std::string_view::npos) found = line;
    const std::string more = included_by(parts);
    if (found.empty() && !more.empty()) found = limits_line_at(snapshot, more, depth + 1);
  });
  return found;
}

}  // namespace

std::string pam_service_path(const Snapshot& snapshot, const std::string& service) {
  return path_that_counts(snapshot, pam_directories, service);
}

std::string limits_line(const Snapshot& snapshot, const std::string& service) {
  return limits_line_at(snapshot, service, /*depth=*/0);
}

bool takes_limits_of_init(const Snapshot& snapshot, const Facts& facts, const std::string& service) {
  return platform_of(facts).family == DistroFamily::debian ||
         limits_line(snapshot, service).find("set_all") != std::string::npos;
}

}  // namespace rdmastate
