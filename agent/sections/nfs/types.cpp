// SPDX-License-Identifier: Apache-2.0
#include "sections/nfs/types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/types.hpp"

namespace rdmastate {
namespace {

// The complaint about a scalar that YAML reads as no string, such as a number; nullopt: it is a string. `wanted` is
// what the field expects.
std::optional<Complaint> not_a_string(std::string_view wanted, const Scalar& scalar) {
  std::string ignored;
  auto complaint = Text<std::string>::read(scalar, ignored);
  if (complaint) complaint->expected = wanted;
  return complaint;
}

// Why systemd would not read the text from a line of a unit as it is; empty where it would.
std::string why_not_in_unit(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) return fmt::format("holds a control character (byte \\x{:02x})", byte);
    if (c == '\\') return "holds a backslash, which continues a line of a systemd unit";
  }
  for (const std::string_view line_end : {"\u0085", "\u2028", "\u2029"})
    if (text.find(line_end) != text.npos)
      return "holds a character that ends a line for some programs (NEL, U+2028, U+2029)";
  return text.ends_with(' ') ? "ends with a blank, which systemd takes off" : "";
}

bool is_address(std::string_view text, Family family) {
  IpAddress address;
  return !Text<IpAddress>::read({text, /*plain=*/true}, address) && address.family == family;
}

// The text between the brackets: an IPv6 address, also with its interface ("fe80::1%ib0").
std::string why_not_ipv6(std::string_view text) {
  const std::string_view address = text.substr(0, text.find('%'));
  if (!is_address(address, Family::v6)) return "has no IPv6 address in its brackets";
  if (address.size() == text.size()) return {};
  IfName interface;
  return Text<IfName>::read({text.substr(address.size() + 1), /*plain=*/false}, interface)
             ? "has no interface behind its '%'"
             : "";
}

// A name that begins with '-' would be read as an option of mount.
std::string why_not_host(std::string_view host) {
  if (host.empty()) return "names no server";
  if (!ascii::is_letter_or_digit(host.front()))
    return fmt::format("has a server whose name begins with '{}'", host.front());
  for (const char c : host)
    if (!ascii::is_one_of(c, ".-_")) return fmt::format("has a '{}' in its server's name", c);
  return {};
}

// Why the text is no HOST:/PATH, as the end of a sentence; empty where it is one. So in the next two functions.
std::string why_not_source(std::string_view text) {
  if (auto reason = why_not_in_unit(text); !reason.empty()) return reason;
  const bool bracketed = text.starts_with('[');
  const std::size_t end = bracketed ? text.find("]:") : text.find(':');
  if (end == std::string_view::npos) return "has no ':' between server and path";
  const std::string_view path = text.substr(end + (bracketed ? 2 : 1));
  auto reason = bracketed ? why_not_ipv6(text.substr(1, end - 1)) : why_not_host(text.substr(0, end));
  if (reason.empty() && !path.starts_with('/')) reason = "has no path from / behind its server";
  return reason;
}

std::string why_not_target(std::string_view text) {
  if (!text.starts_with('/')) return "is not absolute";
  if (auto reason = why_not_in_unit(text); !reason.empty()) return reason;
  if (text == "/") return "is the root directory";
  if (text.ends_with('/')) return "ends with a slash";
  const std::string whole = std::string(text) + "/";
  for (const std::string_view part : {"//", "/./", "/../"})
    if (whole.find(part) != std::string::npos)
      return fmt::format("holds {}", part == "//" ? part : part.substr(1, part.size() - 2));
  return {};
}

std::string why_not_option(std::string_view text) {
  if (text.empty()) return "is empty";
  if (text.find(',') != std::string_view::npos) return "holds a comma, which begins another option";
  if (text.find_first_of(" \"'") != std::string_view::npos) return "holds a blank or a quote";
  if (!ascii::is_one_of(text.front(), "_")) return fmt::format("begins with '{}'", text.front());
  return why_not_in_unit(text);
}

}  // namespace

std::string Text<NfsPort>::schema() { return R"({"type":"integer","minimum":1,"maximum":65535})"; }

std::optional<Complaint> Text<NfsPort>::read(const Scalar& scalar, NfsPort& out) {
  constexpr std::uint32_t largest = 65535;
  std::uint32_t number = 0;
  if (auto complaint = Text<std::uint32_t>::read(scalar, number)) {
    // Without a reason the complaint's message names what a uint32 expects, so it is made anew (unexpected()).
    if (!complaint->expected.empty()) complaint->expected = wanted;
    return complaint->expected.empty() ? unexpected(wanted, scalar) : complaint;
  }
  if (number == 0 || number > largest) return unexpected(wanted, scalar);
  out.value = static_cast<std::uint16_t>(number);
  return std::nullopt;
}

std::string Text<NfsPort>::print(const NfsPort& port) { return std::to_string(port.value); }

bool NfsSource::is_ipv4() const { return is_address(value.substr(0, value.find(':')), Family::v4); }

std::string Text<NfsSource>::schema() {
  return R"({"type":"string","pattern":"^(\\[[^\\]]+\\]|[A-Za-z0-9][A-Za-z0-9._-]*):/"})";
}

std::optional<Complaint> Text<NfsSource>::read(const Scalar& scalar, NfsSource& out) {
  if (auto complaint = not_a_string(wanted, scalar)) return complaint;
  const std::string reason = why_not_source(scalar.text);
  const bool bare_ipv6 = is_address(scalar.text.substr(0, scalar.text.find(":/")), Family::v6);
  if (bare_ipv6)
    return unexpected(wanted, scalar, "has an IPv6 address without brackets",
                      fmt::format("write [{}]{}", scalar.text.substr(0, scalar.text.find(":/")),
                                  scalar.text.substr(scalar.text.find(":/"))));
  if (!reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = scalar.text;
  return std::nullopt;
}

std::string Text<NfsSource>::print(const NfsSource& source) { return source.value; }

std::string Text<MountTarget>::schema() { return R"({"type":"string","pattern":"^/.*[^/]$"})"; }

std::optional<Complaint> Text<MountTarget>::read(const Scalar& scalar, MountTarget& out) {
  if (auto complaint = not_a_string(wanted, scalar)) return complaint;
  const std::string reason = why_not_target(scalar.text);
  if (!reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = scalar.text;
  return std::nullopt;
}

std::string Text<MountTarget>::print(const MountTarget& target) { return target.value; }

std::string Text<MountOption>::schema() { return R"({"type":"string","pattern":"^[A-Za-z0-9_][^,\\s\"'\\\\]*$"})"; }

std::optional<Complaint> Text<MountOption>::read(const Scalar& scalar, MountOption& out) {
  if (auto complaint = not_a_string(wanted, scalar)) return complaint;
  const std::string reason = why_not_option(scalar.text);
  if (!reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = scalar.text;
  return std::nullopt;
}

std::string Text<MountOption>::print(const MountOption& option) { return option.value; }

}  // namespace rdmastate
