// SPDX-License-Identifier: Apache-2.0
#include "sections/ini_file.hpp"

#include <algorithm>
#include <span>

#include "sections/adopt.hpp"

namespace rdmastate {

std::string Ini::place(const ini::Entry& entry) const { return place_of(path_, entry.line); }

namespace {

// The key as `known` has it: "address#" of address1.
std::string with_any_number(std::string key) {
  const std::size_t end = key.find_last_not_of("0123456789") + 1;
  if (end > 0 && end < key.size()) key.replace(end, std::string::npos, "#");
  return key;
}

}  // namespace

std::string sentence_on_other_keys(const Ini& file, std::span<const std::string> known) {
  std::string list, last_section;  // "[ipv4] dns-options, may-fail; [user] note"
  for (const auto& entry : file.entries()) {
    const std::string& section = file.section(entry);
    const std::string name = section + "." + with_any_number(entry.key);
    if (!entry.counts || std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool is_first_of_section = section != last_section;
    if (!list.empty()) list += is_first_of_section ? "; " : ", ";
    if (is_first_of_section) list += "[" + section + "] ";
    list += entry.key;
    last_section = section;
  }
  if (list.empty()) return {};
  return file.path() + ": no field of a spec says " + list + " (--adopt keeps it as it is)";
}

}  // namespace rdmastate
