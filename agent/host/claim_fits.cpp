// SPDX-License-Identifier: Apache-2.0
// Decides whether a claim is about a given IPoIB interface, as networkd, NetworkManager and udev select interfaces; and
// takes the text of a claim's `interface` apart and puts it together. No host is looked at.
#include <fmt/format.h>
#include <fnmatch.h>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "host/claims.hpp"

namespace rdmastate {
namespace {

// A shell pattern, as all these programs use them; a '*' also stands for slashes.
bool matches(const std::string& pattern, const std::string& value) {
  return ::fnmatch(pattern.c_str(), value.c_str(), 0) == 0;
}

// "f4:52:14:03:00:7b:cb:a1": the GUID as the end of a hardware address.
std::string guid_bytes(Guid guid) {
  std::string text;
  for (int shift = 56; shift >= 0; shift -= 8)
    text += fmt::format("{}{:02x}", text.empty() ? "" : ":", guid.value >> shift & 0xffU);
  return text;
}

// sysfs's form: small letters, colons.
std::string normal_address(std::string text) {
  for (char& c : text) c = c == '-' ? ':' : ascii::lower(c);
  return text;
}

// The driver and the subnet manager change the first 12 of an IPoIB address's 20 bytes, so the last 8 tell: an address
// fits by its end. A pattern has to fit a whole address, so it is compared with a usual one of this port: the flag of
// connected mode, queue pair 0, and the subnet prefix fe80::/64.
bool address_fits(const std::string& asked, const ClaimedInterface& interface) {
  if (interface.guid.value == 0) return false;
  const std::string tail = guid_bytes(interface.guid);
  const std::string pattern = normal_address(asked);
  return pattern.ends_with(tail) || matches(pattern, "80:00:00:00:fe:80:00:00:00:00:00:00:" + tail);
}

// The interface's values for a Selector's `by`; empty: not known, or it has none.
std::vector<std::string> values_of(std::string_view by, const ClaimedInterface& interface) {
  if (by == "Name") return {interface.name};
  // The kernel's name for a port before a rename is not known here: "ib0" stands for it.
  if (by == "OriginalName") return {interface.name, interface.is_child || interface.is_bond ? interface.name : "ib0"};
  if (by == "Type") return {interface.is_bond ? "bond" : "infiniband"};  // the DEVTYPE of udev, where there is one
  if (by == "Kind") return {interface.is_bond ? "bond" : "ipoib"};
  if (by == "Path" && !interface.is_child && !interface.pci.empty()) return {"pci-" + interface.pci};
  // As ethtool names the driver: "ib_ipoib", and with mlx5's Enhanced IPoIB "mlx5_core[ib_ipoib]".
  if (by == "Driver" && interface.is_bond) return {"bonding"};
  if (by == "Driver") return {"ib_ipoib", interface.driver + "[ib_ipoib]"};
  if (by == "ParentDriver" && !interface.is_child && !interface.driver.empty()) return {interface.driver};
  return {};
}

bool fits(const Selector& selector, const ClaimedInterface& interface) {
  if (selector.by == "Property") return true;  // a udev property is not known here: it counts as fitting
  const auto values = values_of(selector.by, interface);
  const bool any = std::any_of(selector.patterns.begin(), selector.patterns.end(), [&](const std::string& pattern) {
    if (selector.by == "MACAddress") return !interface.is_child && address_fits(pattern, interface);
    return std::any_of(values.begin(), values.end(), [&](const auto& value) { return matches(pattern, value); });
  });
  return any != selector.none_of;
}

}  // namespace

std::string text_of(const ClaimWords& words) {
  std::string list;
  for (const auto& one : words.asks)
    list +=
        fmt::format("{}{}={}{}", list.empty() ? "" : " ", one.by, one.none_of ? "!" : "", fmt::join(one.patterns, "|"));
  if (list.empty()) return words.name;
  return fmt::format("{}{}[{}]", words.name, words.name.empty() ? "" : " ", list);
}

ClaimWords claim_words(const Claim& claim) {
  const std::string& text = claim.interface;
  const std::size_t begin = text.find('[');
  if (begin == std::string::npos || text.back() != ']' || (begin > 0 && text[begin - 1] != ' ')) return {text, {}};
  ClaimWords parts{text.substr(0, begin == 0 ? 0 : begin - 1), {}};
  for (const auto& word : words(text.substr(begin + 1, text.size() - begin - 2))) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const bool none_of = word.substr(equals + 1, 1) == "!";
    parts.asks.push_back({word.substr(0, equals), split(word.substr(equals + (none_of ? 2 : 1)), "|"), none_of});
  }
  return parts;
}

bool is_about(const Claim& claim, const ClaimedInterface& interface) {
  return is_about(claim, claim_words(claim), interface);
}

bool is_about(const Claim& claim, const ClaimWords& parts, const ClaimedInterface& interface) {
  const bool fits_by_name = matches(parts.name, interface.name);
  const bool fits_by_selectors =
      !parts.asks.empty() &&
      std::all_of(parts.asks.begin(), parts.asks.end(), [&](const Selector& one) { return fits(one, interface); });
  // A udev rule gives `name` to the interface that it asks for: it is about both.
  if (claim.manager == "udev") return fits_by_name || fits_by_selectors;
  return parts.asks.empty() ? fits_by_name : fits_by_selectors;
}

bool is_pattern(const Claim& claim) { return claim.interface.find_first_of("*?[") != std::string::npos; }

}  // namespace rdmastate
