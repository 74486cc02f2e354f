// SPDX-License-Identifier: Apache-2.0
#include "sections/boot_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/fields_json.hpp"
#include "platform/layout.hpp"
#include "resources/file.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/registry.hpp"
#include "resources/soft_device.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view head = "{\"format_version\":1,\"made_by\":\"rdmastate\",\"resources\":[\n";
constexpr std::string_view tail = "\n]}\n";

void append_entry(std::string& text, const Wanted& wanted) {
  text += "{\"kind\":";
  append_json_string(text, wanted.kind->name);
  text += ",\"key\":";
  append_json_string(text, wanted.key);
  text += ",\"section\":";
  append_json_string(text, section_of(wanted.path));
  text += ",\"state\":";
  append_json(text, wanted.kind->record(), wanted.state->raw());
  text += '}';
}

Wanted wanted_from(const Json& entry) {
  const Kind* kind = kind_named(entry.at("kind").get<std::string>());
  if (kind == nullptr) throw Error("it names a kind that this version does not know: " + entry.at("kind").dump());
  return {kind, entry.at("key").get<std::string>(), kind->from_json(entry.at("state")), entry.value("section", ""), "",
          {}};
}

// The interface that a resource is about: a snapshot may ask for it by name.
void expect_interface(const Wanted& one, Desired& desired) {
  if (one.kind == &ipoib_link_kind && one.state->as<IpoibLink>().name)
    desired.interfaces.push_back(one.state->as<IpoibLink>().name->value);
  if (one.kind == &soft_device_kind) desired.interfaces.push_back(one.state->as<SoftDeviceState>().netdev.value);
}

}  // namespace

Twin boot_twin() { return {{file_kind.name, std::string(common_layout().boot_file)}, TwinForm::boot_entry, {}}; }

bool is_made_at_boot(const Wanted& wanted) {
  return std::any_of(wanted.twins.begin(), wanted.twins.end(),
                     [](const Twin& twin) { return twin.form == TwinForm::boot_entry; });
}

std::string boot_entry(const Wanted& wanted) {
  std::string text;
  append_entry(text, wanted);
  return text;
}

std::string boot_file_text(const Desired& desired) {
  constexpr std::size_t usual_line = 200;
  std::string text;
  text.reserve(desired.wanted.size() * usual_line);
  for (const auto& one : desired.wanted) {
    if (!one.state || !is_made_at_boot(one)) continue;
    text += text.empty() ? head : ",\n";
    append_entry(text, one);
  }
  if (!text.empty()) text += tail;
  return text;
}

Desired desired_from_boot_file(std::string_view text) {
  try {
    const Json file = Json::parse(text);
    if (file.at("format_version") != 1) throw Error("its format_version is not 1");
    Desired desired;
    desired.backend = "none";
    for (const auto& entry : file.at("resources")) desired.add(wanted_from(entry));
    for (const auto& one : desired.wanted) expect_interface(one, desired);
    return desired;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("it is not a boot file of rdmastate: {}", printable(error.what())));
  }
}

std::map<std::string, std::string> boot_entries(std::string_view text) {
  std::map<std::string, std::string> entries;
  const Json file = Json::parse(text, nullptr, false);
  if (file.is_discarded() || !file.contains("resources")) return entries;
  for (const auto& entry : file["resources"])
    entries.emplace(entry.value("kind", "") + " " + entry.value("key", ""), entry.dump());
  return entries;
}

}  // namespace rdmastate
