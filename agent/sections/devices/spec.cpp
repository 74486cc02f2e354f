// SPDX-License-Identifier: Apache-2.0
#include "sections/devices/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <compare>
#include <limits>

#include "base/ascii.hpp"

namespace rdmastate {
namespace {

constexpr std::array<std::string_view, 5> relations{">=", "<=", ">", "<", "="};

// Numbers with single dots between them: "2.30.8000".
bool is_version(std::string_view text) {
  bool digit = false;
  for (const char c : text) {
    if (!ascii::is_digit(c) && (c != '.' || !digit)) return false;
    digit = ascii::is_digit(c);
  }
  return digit;
}

// A number of a version, and what stands between it and the next number. A single dot there only separates, and is left
// out.
struct VersionPart {
  std::uint64_t number = 0;
  std::string_view behind;
  auto operator<=>(const VersionPart&) const = default;
};

// Takes the first part off `text`: at least one character of a text that is not empty. A part without a number has 0.
VersionPart take_part(std::string_view& text) {
  VersionPart part;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), part.number);
  if (failure == std::errc::result_out_of_range) part.number = std::numeric_limits<std::uint64_t>::max();
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  part.behind = text.substr(0, std::min(text.find_first_of("0123456789"), text.size()));
  text.remove_prefix(part.behind.size());
  if (part.behind == ".") part.behind = {};
  return part;
}

// How a stands to b: less is older. A missing number is 0: "2.30" is "2.30.0". What is no number is compared as text,
// and is newer than nothing: a firmware may be called "4.0(1b)".
std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const auto left = take_part(a);
    const auto right = take_part(b);
    if (left != right) return left <=> right;
  }
  return std::strong_ordering::equal;
}

}  // namespace

bool VersionBound::holds(std::string_view other) const {
  const auto order = compare_versions(other, version);
  if (order == 0) return relation.ends_with('=');  // =, >= and <=
  return relation.front() == (order > 0 ? '>' : '<');
}

std::optional<Complaint> Text<VersionBound>::read(const Scalar& scalar, VersionBound& out) {
  std::string_view text = scalar.text;
  VersionBound bound;
  for (const std::string_view relation : relations)
    if (text.starts_with(relation)) {
      bound.relation = relation;
      text.remove_prefix(relation.size());
      break;
    }
  if (!is_version(text)) return unexpected(wanted, scalar);
  bound.version = text;
  out = std::move(bound);
  return std::nullopt;
}

std::string Text<VersionBound>::print(const VersionBound& bound) {
  return (bound.relation == "=" ? "" : bound.relation) + bound.version;
}

bool RateBound::holds(std::string_view rate) const {
  const std::string_view number = rate.substr(0, rate.find_first_not_of("0123456789."));
  return !number.empty() && bound.holds(number);
}

std::optional<Complaint> Text<RateBound>::read(const Scalar& scalar, RateBound& out) {
  VersionBound bound;
  if (Text<VersionBound>::read(scalar, bound)) return unexpected(wanted, scalar);
  const std::size_t dot = bound.version.find('.');
  if (dot != std::string::npos && bound.version.size() != dot + 2)
    return unexpected(wanted, scalar, "has more than one decimal");
  out.bound = std::move(bound);
  return std::nullopt;
}

std::string devices_path(std::size_t index, const std::string& field) {
  return fmt::format("devices[{}]{}{}", index, field.empty() ? "" : ".", field);
}

}  // namespace rdmastate
