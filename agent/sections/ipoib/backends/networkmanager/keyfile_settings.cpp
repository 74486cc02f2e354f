// SPDX-License-Identifier: Apache-2.0
// check_profile_settings(): renders the record's profile, and refuses each setting that is twice in it.
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/path.hpp"
#include "resources/secrets.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile_keys.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// The profile that rdmastate would write of this record.
ini::File rendered(const IpoibRecord& record) {
  Spec alone;
  alone.ipoib.push_back(record);
  const std::vector<Profile> profiles = profiles_of(alone);
  const NmProfileState state = nm_profile_of(Template("ipoib.nmconnection", escape_line), profiles.front(), Platform{});
  return ini::File(ini::keyfile, state.content->value);
}

bool is_twice(const ini::File& file, const ProfileProperty& one) {
  const auto& entries = file.entries();
  return std::count_if(entries.begin(), entries.end(), [&](const ini::Entry& entry) {
           return entry.key == one.property && file.section(entry) == one.setting;
         }) > 1;
}

// Why a line of a keyfile cannot hold the value, as the end of a sentence; empty where it can.
std::string why_no_value(std::string_view value) {
  if (value.empty()) return "is empty";
  if (std::any_of(value.begin(), value.end(), ascii::is_control)) return "holds a control character";
  return value.front() == ' ' ? "begins with a blank, which a keyfile loses" : "";
}

bool is_secret(const ProfileProperty& one, std::string_view value) {
  const std::string text = fmt::format("[{}]\n{}={}\n", one.setting, one.property, value);
  return without_secrets(text) != text;
}

// Why the spec may not say the property, as the end of a sentence; empty where it may.
std::string why_not(const ProfileProperty& one, const ini::File& file) {
  if (one.setting == "connection" && is_port_key(one.property))
    return "makes the interface a port of another one, which section bonds alone can say";
  if (one == ProfileProperty{"connection", "autoconnect"})
    return "is rdmastate's own: NetworkManager activates each profile of a spec when the host starts";
  if (one.setting == "infiniband" || is_twice(file, one))
    return "is rdmastate's own: by it rdmastate and NetworkManager tell profiles and interfaces apart";
  return {};
}

constexpr std::string_view take_out = "take it out";

}  // namespace

void check_profile_settings(const IpoibRecord& record, std::size_t index, Report& report) {
  if (!record.profile_settings || record.is_absent()) return;
  const auto refuse = [&](const ProfileProperty& one, const std::string& sentence, std::string_view hint) {
    std::string path = ipoib_path(index, "profile_settings");
    append_key(path, to_text(one));
    complain(report, path, sentence, std::string(hint));
  };
  bool can_render = true;
  for (const auto& [one, value] : *record.profile_settings) {
    const std::string reason = why_no_value(value.value);
    can_render = can_render && reason.empty();
    if (!reason.empty()) refuse(one, fmt::format("the value of {} {}", to_text(one), reason), take_out);
    if (is_secret(one, value.value))
      refuse(one, fmt::format("{} is a secret, and a spec may be read by anybody", to_text(one)), take_out);
  }
  if (!can_render) return;
  const ini::File file = rendered(record);
  for (const auto& [one, value] : *record.profile_settings) {
    const std::string field = field_of_keyfile(one);
    const std::string reason = why_not(one, file);
    if (!field.empty())
      refuse(one, fmt::format("{} is what the field {} says", to_text(one), field),
             fmt::format("give {} instead", field));
    else if (!reason.empty())
      refuse(one, fmt::format("{} {}", to_text(one), reason), take_out);
  }
}

}  // namespace rdmastate
