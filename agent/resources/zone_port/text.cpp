// SPDX-License-Identifier: Apache-2.0
#include "resources/zone_port/text.hpp"

#include <fmt/format.h>

#include "base/xml.hpp"
#include "host/firewall_files.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view copied = "<!-- Copied by rdmastate from the package's zone, for the ports that it adds. -->";
constexpr std::size_t own_depth = 1;  // of the zone's elements: the zone is the root, and the first of all elements

// Where the blanks before this place begin: at the end of the line above, or behind what stands on the same line.
std::size_t begin_of_blanks(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin == 0 || text[begin - 1] != '\n') return begin;
  --begin;
  return begin > 0 && text[begin - 1] == '\r' ? begin - 1 : begin;
}

std::string_view blanks_before(std::string_view text, const xml::Element& element) {
  const std::size_t begin = begin_of_blanks(text, element.begin);
  return text.substr(begin, element.begin - begin);
}

// The place of an element that comes with `position` others before it; nullopt: there are fewer by now.
std::optional<std::size_t> place_behind(const std::vector<xml::Element>& elements, std::uint32_t position) {
  if (position == 0) return elements.front().inner_begin;
  std::uint32_t seen = 0;
  for (const auto& one : elements)
    if (one.depth == own_depth && ++seen == position) return one.end;
  return std::nullopt;
}

// The element that a new entry goes behind; nullptr: the zone has none.
const xml::Element* last_port_or_element(const std::vector<xml::Element>& elements) {
  const xml::Element* last = nullptr;
  for (const auto& one : elements)
    if (one.depth == own_depth && (last == nullptr || one.name == "port" || last->name != "port")) last = &one;
  return last;
}

std::string inserted(std::string_view text, std::size_t at, std::string_view what) {
  return fmt::format("{}{}{}", text.substr(0, at), what, text.substr(at));
}

}  // namespace

std::optional<PortEntry> port_entry_in(std::string_view text, const FirewallPorts& port) {
  const auto elements = xml::elements(text);
  const xml::Element* found = find_port_entry(elements, port);
  if (found == nullptr) return std::nullopt;
  PortEntry entry;
  entry.element =
      fmt::format("{}{}", blanks_before(text, *found), text.substr(found->begin, found->end - found->begin));
  for (const auto& one : elements) {
    if (&one == found) break;
    entry.position += one.depth == own_depth ? 1 : 0;
  }
  return entry;
}

std::string with_port(std::string_view text, const FirewallPorts& port, const std::optional<PortEntry>& entry) {
  const auto elements = xml::elements(text);
  if (const auto place = entry ? place_behind(elements, entry->position) : std::nullopt)
    return inserted(text, *place, entry->element);
  const xml::Element* last = last_port_or_element(elements);
  const std::string blanks(last != nullptr ? blanks_before(text, *last) : "\n  ");
  const std::string element = fmt::format("{}<port port=\"{}\" protocol=\"{}\"/>", blanks, port.first, port.protocol);
  return inserted(text, last != nullptr ? last->end : elements.front().inner_begin, element);
}

std::string without_port(std::string_view text, const FirewallPorts& port) {
  std::string rest(text);
  for (;;) {
    const auto elements = xml::elements(rest);
    const xml::Element* found = find_port_entry(elements, port);
    if (found == nullptr) return rest;
    const std::size_t begin = begin_of_blanks(rest, found->begin);
    rest.erase(begin, found->end - begin);
  }
}

bool is_closed_zone(std::string_view text) {
  const auto elements = xml::elements(text);
  return elements.front().end == elements.front().inner_begin;
}

// A comment may stand anywhere but before the declaration.
std::string copy_of_zone(std::string_view package_text) {
  const std::size_t end = package_text.starts_with("<?xml") ? package_text.find("?>") : std::string_view::npos;
  if (end == std::string_view::npos) return fmt::format("{}\n{}", copied, package_text);
  return inserted(package_text, end + 2, fmt::format("\n{}", copied));
}

bool is_copy_of_zone(std::string_view text) { return text.find(copied) != std::string_view::npos; }

bool is_mere_copy(std::string_view text, std::string_view package_text) { return text == copy_of_zone(package_text); }

}  // namespace rdmastate
