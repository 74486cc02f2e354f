// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <vector>

#include "base/ascii.hpp"

namespace rdmastate {
namespace {

// Translates a word that other programs or the kernel use (dhcp) into the spec's word (auto); empty: it has none.
std::string_view usual_name(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> others{
      {{"dhcp", "auto"}, {"static", "manual"}, {"IB/RoCE v1", "v1"}, {"RoCE v1", "v1"}, {"RoCE v2", "v2"}}};
  const auto found = std::find_if(others.begin(), others.end(), [&](const auto& one) { return one.first == word; });
  return found == others.end() ? std::string_view() : found->second;
}

constexpr std::size_t longest_shown = 60;

// In quotes, for a message; a long text is cut before a whole character.
std::string quoted(std::string_view text) {
  if (text.size() <= longest_shown) return "'" + printable(text) + "'";
  std::size_t cut = longest_shown;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0U) == 0x80U) --cut;
  return "'" + printable(text.substr(0, cut)) + "...'";
}

// Reads a whole number from 0 to `max`: decimal, or with 0x or 0o in front. Returns what is wrong, nullopt when read.
std::optional<Complaint> read_unsigned(const Scalar& scalar, std::string_view wanted, std::uint64_t max,
                                       std::uint64_t& out) {
  std::string_view digits = scalar.text;
  if (!scalar.plain && core_type(Scalar{digits}) == CoreType::integer)
    return unexpected(wanted, scalar, "is in quotes, which makes it a string", "write it without the quotes");
  if (core_type(scalar) != CoreType::integer) return unexpected(wanted, scalar);
  if (digits.front() == '-') return unexpected(wanted, scalar, "is negative");
  if (digits.front() == '+') digits.remove_prefix(1);
  const bool hex = digits.starts_with("0x");
  const bool octal = digits.starts_with("0o");
  if (hex || octal) digits.remove_prefix(2);
  if (!hex && !octal && digits.size() > 1 && digits.front() == '0')
    return unexpected(wanted, scalar, "starts with 0: octal to some, decimal to others",
                      "write it without the leading zero, or in octal with 0o in front");
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), out,
                                              hex     ? 16
                                              : octal ? 8
                                                      : 10);
  // core_type() has looked at the digits, so only a number that is too large fails here.
  if (failure != std::errc{} || end != digits.data() + digits.size() || out > max)
    return unexpected(wanted, scalar, fmt::format("is more than {}", max));
  return std::nullopt;
}

std::string integer_schema(std::uint64_t max) {
  return fmt::format(R"({{"type":"integer","minimum":0,"maximum":{}}})", max);
}

// The boolean that words of YAML 1.1 (yes, off) meant, for a hint; empty for other words.
std::string_view as_boolean(std::string_view text) {
  static const std::vector<std::string_view> yes{"yes", "on", "y"};
  static const std::vector<std::string_view> no{"no", "off", "n"};
  const std::string lower = ascii::lower(text);
  if (std::find(yes.begin(), yes.end(), lower) != yes.end()) return "true";
  if (std::find(no.begin(), no.end(), lower) != no.end()) return "false";
  return {};
}

}  // namespace

Complaint unexpected(std::string_view wanted, const Scalar& got, std::string_view reason, std::string_view hint) {
  if (reason.empty())
    return {fmt::format("expected {}, got {}", wanted, quoted(got.text)), /*expected=*/{}, std::string(hint),
            Severity::error};
  return {fmt::format("{} {}", quoted(got.text), reason), std::string(wanted), std::string(hint), Severity::error};
}

std::string Text<std::string>::schema() { return R"({"type":"string"})"; }

std::optional<Complaint> Text<std::string>::read(const Scalar& scalar, std::string& out) {
  const CoreType type = core_type(scalar);
  if (type != CoreType::string) {
    const std::string_view reason = type == CoreType::null      ? "is null"
                                    : type == CoreType::boolean ? "is a boolean, not a string"
                                                                : "is a number, not a string";
    return unexpected(wanted, scalar, reason, fmt::format("write it in quotes: \"{}\"", scalar.text));
  }
  out = scalar.text;
  return std::nullopt;
}

std::string Text<bool>::schema() { return R"({"type":"boolean"})"; }

std::optional<Complaint> Text<bool>::read(const Scalar& scalar, bool& out) {
  if (core_type(scalar) == CoreType::boolean) {
    out = scalar.text.front() == 't' || scalar.text.front() == 'T';
    return std::nullopt;
  }
  if (core_type(Scalar{scalar.text}) == CoreType::boolean)
    return unexpected(wanted, scalar, "is in quotes, which makes it a string", "write it without the quotes");
  const std::string_view meant = as_boolean(scalar.text);
  if (meant.empty()) return unexpected(wanted, scalar);
  return unexpected(wanted, scalar, "is not a boolean in YAML 1.2", fmt::format("write {}", meant));
}

std::string Text<std::uint32_t>::schema() { return integer_schema(std::numeric_limits<std::uint32_t>::max()); }

std::optional<Complaint> Text<std::uint32_t>::read(const Scalar& scalar, std::uint32_t& out) {
  std::uint64_t wide = 0;
  auto complaint = read_unsigned(scalar, wanted, std::numeric_limits<std::uint32_t>::max(), wide);
  if (!complaint) out = static_cast<std::uint32_t>(wide);
  return complaint;
}

std::string Text<std::uint64_t>::schema() { return integer_schema(std::numeric_limits<std::uint64_t>::max()); }

std::optional<Complaint> Text<std::uint64_t>::read(const Scalar& scalar, std::uint64_t& out) {
  std::uint64_t wide = 0;
  auto complaint = read_unsigned(scalar, wanted, std::numeric_limits<std::uint64_t>::max(), wide);
  if (!complaint) out = wide;
  return complaint;
}

namespace detail {

std::string list_of(const std::string_view* names, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += i + 1 == count ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string enum_schema(const std::string_view* names, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}\"{}\"", i == 0 ? "" : ",", names[i]);
  return fmt::format(R"({{"enum":[{}]}})", text);
}

std::optional<Complaint> read_name(const Scalar& scalar, const std::string_view* names, std::size_t count,
                                   std::size_t& out) {
  const auto* found = std::find(names, names + count, scalar.text);
  if (found != names + count) {
    out = static_cast<std::size_t>(found - names);
    return std::nullopt;
  }
  const std::string_view usual = usual_name(scalar.text);
  const bool has_usual = std::find(names, names + count, usual) != names + count;
  const std::string_view meant = has_usual ? usual : nearest(scalar.text, {names, names + count});
  return unexpected(list_of(names, count), scalar, /*reason=*/{},
                    meant.empty() ? "" : fmt::format("did you mean {}?", meant));
}

}  // namespace detail
}  // namespace rdmastate
