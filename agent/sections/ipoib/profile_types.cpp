// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib/profile_types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"

namespace rdmastate {
namespace {

// Why a keyfile does not give the name back as it is, as the end of a sentence; empty where it does.
std::string why_no_name(std::string_view name) {
  constexpr std::size_t longest = 255;
  if (name.empty()) return "is empty";
  if (name.size() > longest) return fmt::format("is {} bytes long; rdmastate takes {}", name.size(), longest);
  if (std::any_of(name.begin(), name.end(), ascii::is_control)) return "holds a control character";
  if (name.front() == ' ' || name.back() == ' ') return "begins or ends with a blank, which a keyfile loses";
  return {};
}

// Lower-case letters, digits and '-', as every name in nm-settings(5).
bool is_nm_word(std::string_view text) {
  return !text.empty() && ascii::holds_only(text, "-") && ascii::lower(text) == text;
}

}  // namespace

std::string Text<ProfileName>::schema() { return R"({"type":"string","minLength":1,"maxLength":255})"; }

std::optional<Complaint> Text<ProfileName>::read(const Scalar& scalar, ProfileName& out) {
  if (core_type(scalar) != CoreType::string) return unexpected(wanted, scalar);
  if (const std::string reason = why_no_name(scalar.text); !reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = scalar.text;
  return std::nullopt;
}

std::string Text<ProfileProperty>::schema() { return R"({"type":"string","pattern":"^[a-z0-9-]+\\.[a-z0-9-]+$"})"; }

std::optional<Complaint> Text<ProfileProperty>::read(const Scalar& scalar, ProfileProperty& out) {
  const std::string_view text = scalar.text;
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || !is_nm_word(text.substr(0, dot)) || !is_nm_word(text.substr(dot + 1)))
    return unexpected(wanted, scalar);
  out.setting = text.substr(0, dot);
  out.property = text.substr(dot + 1);
  return std::nullopt;
}

}  // namespace rdmastate
