// SPDX-License-Identifier: Apache-2.0
#include "host/given_facts.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/fields_json.hpp"
#include "host/recorded/recorded.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

Json parsed(std::string_view text, const std::string& name) {
  try {
    return parse_json(text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, error.what()));
  }
}

// Reads the facts of the host that the record holds.
Facts facts_of_record(std::string_view text, const std::string& name) {
  auto record = RecordedHost::from_json(text, name);
  Host host = record.host();
  return read_facts(Snapshot(host));
}

// Tells the three kinds of files apart: a record has the key "origin", the output of `show -o json` the key "facts".
Facts facts_of_json(std::string_view text, const std::string& name) {
  const Json json = parsed(text, name);
  const bool is_map = json.is_object();
  if (is_map && json.contains("origin")) return facts_of_record(text, name);
  if (is_map && json.contains("facts"))
    return in_context(name, [&] { return from_json_as<Facts>(json["facts"], "facts"); });
  return in_context(name, [&] { return from_json_as<Facts>(json); });
}

}  // namespace

Facts read_given_facts(std::string_view json, const std::string& name) {
  Facts facts = facts_of_json(json, name);
  if (facts.devices.empty() && facts.versions.empty() && facts.managers.empty())
    throw Error(fmt::format(
        "{} names no device, version or manager: `rdmastate show -o json` on the hardware prints them", name));
  return facts;
}

std::vector<Manager> given_managers(const Facts& given) {
  std::vector<Manager> managers;
  for (const auto& one : given.managers)
    if (one.is_here())
      managers.push_back({one.name, /*running=*/false, /*enabled=*/true, "the facts given with --facts"});
  return managers;
}

}  // namespace rdmastate
