// SPDX-License-Identifier: Apache-2.0
// Reads GUIDs in the forms that ibstat, ibv_devinfo, sysfs, opensm and a label on the card show, and prints them.
#include <fmt/format.h>

#include <charconv>

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "base/types.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view wanted = Text<Guid>::wanted;
constexpr std::size_t guid_digits = 16;
constexpr std::size_t mac_digits = 12;
constexpr std::size_t gid_digits = 32;
constexpr std::size_t hardware_address_digits = 40;

// The hexadecimal digits of a text in groups of 2 or of 4 with one separator throughout, or without separators and then
// perhaps behind 0x; empty when it has another form.
std::string digits_of(std::string_view text) {
  const bool prefixed = text.starts_with("0x") || text.starts_with("0X");
  if (prefixed) text.remove_prefix(2);
  const std::size_t first = text.find_first_of(":-");
  const std::size_t group = first == std::string_view::npos ? text.size() : first;
  if (first != std::string_view::npos &&
      (prefixed || (group != 2 && group != 4) || (text.size() + 1) % (group + 1) != 0))
    return {};
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool separator = i % (group + 1) == group;
    if (separator ? text[i] != text[first] : !ascii::is_hex(text[i])) return {};
    if (!separator) digits += text[i];
  }
  return digits;
}

std::uint64_t number(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

Complaint wrong_length(const Scalar& scalar, const std::string& digits) {
  const auto last = [&] {
    const Guid guid{number(std::string_view(digits).substr(digits.size() - guid_digits))};
    return fmt::format("the GUID is its last 8 bytes: {}", Text<Guid>::print(guid));
  };
  if (digits.size() == hardware_address_digits)
    return unexpected(wanted, scalar, "is a 20-byte hardware address, whose first 12 bytes may change", last());
  if (digits.size() == gid_digits) return unexpected(wanted, scalar, "is a 16-byte GID", last());
  if (digits.size() == mac_digits) return unexpected(wanted, scalar, "is a 6-byte Ethernet address");
  return unexpected(
      wanted, scalar,
      fmt::format("has {} hexadecimal digit{}; a GUID has 16", digits.size(), digits.size() == 1 ? "" : "s"));
}

}  // namespace

std::string Text<Guid>::schema() {
  return R"({"type":["string","integer"],"pattern":"^(0[xX])?[0-9a-fA-F]{16}$)"
         R"(|^[0-9a-fA-F]{4}([:-][0-9a-fA-F]{4}){3}$|^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){7}$"})";
}

std::optional<Complaint> Text<Guid>::read(const Scalar& scalar, Guid& out) {
  const std::string digits = digits_of(scalar.text);
  if (digits.empty()) return unexpected(wanted, scalar);
  if (digits.size() != guid_digits) return wrong_length(scalar, digits);
  const std::uint64_t value = number(digits);
  if (value == 0) return unexpected(wanted, scalar, "is what a device without a GUID reports; it matches nothing");
  out.value = value;
  return std::nullopt;
}

std::string Text<Guid>::print(const Guid& value) {
  std::string text;
  for (const unsigned shift : {48U, 32U, 16U, 0U}) {
    if (!text.empty()) text += ':';
    append_hex(text, value.value >> shift, 4);
  }
  return text;
}

}  // namespace rdmastate
