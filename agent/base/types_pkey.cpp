// SPDX-License-Identifier: Apache-2.0
// Reads and prints P_Keys. People write them in hexadecimal, in decimal, and in hexadecimal without 0x.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/hex.hpp"
#include "base/types.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view wanted = Text<PKey>::wanted;

bool only(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

std::string hex(std::uint32_t value) {
  if (value > 0xffff) return fmt::format("{:#x}", value);
  std::string text = "0x";
  append_hex(text, value, 4);
  return text;
}

// Digits beyond 32 bits give 0xffffffff, which is too large for a P_Key as well.
std::uint32_t number(std::string_view digits, int base) {
  std::uint32_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return failure == std::errc{} ? value : 0xffffffffU;
}

// Takes a number for a P_Key. A warning, and not an error, says that it lacks the full-member bit.
std::optional<Complaint> accept(const Scalar& scalar, std::uint32_t value, PKey& out) {
  if (value > 0xffff) return unexpected(wanted, scalar, "is more than 0xffff, the largest P_Key");
  if (value == 0) return unexpected(wanted, scalar, "is no partition: 0 marks an empty entry of the P_Key table");
  if (value == PKey::full_member)
    return unexpected(wanted, scalar, "is the full-member bit without a partition; the kernel refuses it");
  out.value = static_cast<std::uint16_t>(value | PKey::full_member);
  if (out.value == value) return std::nullopt;
  return Complaint{
      fmt::format("'{}' lacks the full-member bit; the kernel sets it and runs {}", scalar.text, hex(out.value)),
      {},
      fmt::format("write {}", hex(out.value)),
      Severity::warning};
}

// Four decimal digits, such as 8001, that are a P_Key in hexadecimal too.
Complaint ambiguous(const Scalar& scalar, std::uint32_t as_hex) {
  const std::uint32_t as_decimal = number(scalar.text, 10) | PKey::full_member;
  const std::string hint = as_hex == PKey::full_member
                               ? fmt::format("{} if decimal is meant; in hexadecimal it is no P_Key", hex(as_decimal))
                               : fmt::format("{} if hexadecimal is meant, {} if decimal", hex(as_hex), hex(as_decimal));
  return unexpected(wanted, scalar, "is ambiguous: a P_Key both in decimal and in hexadecimal", "write " + hint);
}

std::optional<Complaint> read_decimal(const Scalar& scalar, PKey& out) {
  if (scalar.text.size() > 1 && scalar.text.front() == '0')
    return unexpected(wanted, scalar, "starts with 0: hexadecimal, octal and decimal are all possible",
                      "write it in hexadecimal with 0x in front");
  const std::uint32_t as_hex = number(scalar.text, 16);
  if (as_hex >= PKey::full_member && as_hex <= 0xffff) return ambiguous(scalar, as_hex);
  return accept(scalar, number(scalar.text, 10), out);
}

}  // namespace

std::string Text<PKey>::schema() {
  return R"({"anyOf":[{"type":"string","pattern":"^(0[xX][0-9a-fA-F]{1,4}|[1-9][0-9]{0,4})$"},)"
         R"({"type":"integer","minimum":1,"maximum":65535}]})";
}

std::optional<Complaint> Text<PKey>::read(const Scalar& scalar, PKey& out) {
  constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";
  const std::string_view text = scalar.text;
  if (only(text, "0123456789")) return read_decimal(scalar, out);
  if ((text.starts_with("0x") || text.starts_with("0X")) && only(text.substr(2), hex_digits))
    return accept(scalar, number(text.substr(2), 16), out);
  if (text.starts_with('-') && only(text.substr(1), "0123456789")) return unexpected(wanted, scalar, "is negative");
  if (only(text, hex_digits) && text.size() == 4)
    return unexpected(wanted, scalar, "is hexadecimal without 0x", fmt::format("write 0x{}", text));
  return unexpected(wanted, scalar);
}

std::string Text<PKey>::print(const PKey& value) { return hex(value.value); }

}  // namespace rdmastate
