// SPDX-License-Identifier: Apache-2.0
#include "sections/boot_file.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/json_record.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view head = "{\"format_version\":1,\"made_by\":\"rdmastate\",\"resources\":[\n";
constexpr std::string_view tail = "\n]}\n";

void append_entry(std::string& bytes, const Wanted& wanted) {
  JsonText text(bytes);
  text.begin_object();
  const auto add = [&](std::string_view key, std::string_view value) {
    text.key(key);
    text.value(value);
  };
  add("kind", wanted.kind->name);
  add("key", wanted.key);
  add("section", section_of(wanted.path));
  if (!wanted.awaited_from.empty()) add("awaited_from", wanted.awaited_from);
  text.key("state");
  append_json(text, wanted.kind->record(), (wanted.at_boot ? wanted.at_boot : wanted.state)->raw());
  text.end_object();
}

// The resource of one entry. Of Wanted::path the file keeps the section alone.
Wanted wanted_from(const Json& entry, const std::string& path) {
  JsonObject in(entry, path);
  const std::string name = in.text("kind");
  const Kind* kind = kind_named(name);
  if (kind == nullptr) in.refuse("kind", fmt::format("'{}' is no kind that this version knows", printable(name)));
  Wanted wanted{kind,
                in.text("key"),
                kind->from_json(in.json("state"), in.place("state")),
                in.text_or("section", ""),
                in.text_or("awaited_from", ""),
                {}};
  in.finish();
  return wanted;
}

}  // namespace

Twin boot_twin() { return {{file_kind.name, std::string(common_layout().boot_file)}, TwinForm::boot_entry}; }

Wanted boot_file_of(std::string text) {
  std::optional<State> state;
  if (!text.empty()) state = State(file_kind, regular_file(std::move(text)));
  return {&file_kind, std::string(common_layout().boot_file), std::move(state)};
}

Wanted boot_unit_link(bool is_there, std::string section) {
  const auto& layout = common_layout();
  std::optional<State> state;
  if (is_there) state = State(file_kind, symlink_to(std::string(layout.unit)));
  return {&file_kind, std::string(layout.wants_link), std::move(state), std::move(section)};
}

bool is_made_at_boot(const Wanted& wanted) {
  return std::any_of(wanted.twins.begin(), wanted.twins.end(),
                     [](const Twin& twin) { return twin.form == TwinForm::boot_entry; });
}

bool is_awaited_at_boot(const Wanted& wanted) {
  // Without a twin no program makes it at boot: this host can never have it.
  return wanted.state && !wanted.awaited_from.empty() && !wanted.twins.empty() && !is_made_at_boot(wanted);
}

std::string boot_file_text(const Desired& desired) {
  constexpr std::size_t usual_line = 200;  // bytes: a guess, so that the text seldom has to grow
  std::string text;
  text.reserve(desired.wanted.size() * usual_line);
  const auto append_those = [&](bool (*is_meant)(const Wanted&)) {
    for (const auto& one : desired.wanted) {
      if (!one.state || !is_meant(one)) continue;
      text += text.empty() ? head : ",\n";
      append_entry(text, one);
    }
  };
  append_those(is_made_at_boot);
  append_those(is_awaited_at_boot);
  if (!text.empty()) text += tail;
  return text;
}

Desired desired_from_boot_file(std::string_view text) {
  try {
    const Json file = parse_json(text);
    JsonObject in(file, "");
    expect_format(in.number("format_version"));
    Desired desired;
    // Is only printed: boot.json does not say it.
    desired.backend = "none";
    in.json("resources");  // throws where the list is missing; each() would take it for empty
    in.each("resources", [&](const Json& one, const std::string& path) { desired.add(wanted_from(one, path)); });
    return desired;
  } catch (const NewerFormat&) {
    throw;
  } catch (const Error& error) {
    throw Error(fmt::format("it is not a boot file of rdmastate: {}", printable(error.what())));
  }
}

}  // namespace rdmastate
