// SPDX-License-Identifier: Apache-2.0
// Reads the names of interfaces, kernel modules and module parameters, and values that are kept as written.
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/types.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t longest_module = 55;  // MODULE_NAME_LEN is 64 - sizeof(long), with the final NUL

// The kernel's isspace() is Latin-1's, whatever the bytes mean to us (lib/ctype.c).
bool is_kernel_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0; }

std::string why_not_interface(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > IfName::max_length)
    return fmt::format("is {} bytes long; the kernel takes {}", name.size(), IfName::max_length);
  if (name == "." || name == "..") return "is a directory's name";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_kernel_space(byte)) return fmt::format("holds white space (byte \\x{:02x})", byte);
    if (byte < 0x20 || byte == 0x7f) return fmt::format("holds a control character (byte \\x{:02x})", byte);
    if (c == '/' || c == ':') return fmt::format("holds '{}', which the kernel refuses", c);
    if (c == '%') return "holds '%', which the kernel takes for a pattern";
  }
  return {};
}

bool is_identifier(std::string_view text) { return !text.empty() && ascii::holds_only(text, "_-"); }

// A plain number or boolean is not a name in YAML, even if the kernel would take its letters.
std::optional<Complaint> not_a_string(std::string_view wanted, const Scalar& scalar) {
  std::string ignored;
  auto complaint = Text<std::string>::read(scalar, ignored);
  if (complaint) complaint->expected = wanted;
  return complaint;
}

}  // namespace

std::string Text<IfName>::schema() {
  return R"({"type":"string","pattern":"^[^/:%\\s]{1,15}$","not":{"enum":[".",".."]}})";
}

std::optional<Complaint> Text<IfName>::read(const Scalar& scalar, IfName& out) {
  if (auto complaint = not_a_string(wanted, scalar)) return complaint;
  const std::string reason = why_not_interface(scalar.text);
  if (!reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = scalar.text;
  return std::nullopt;
}

std::string Text<IfName>::print(const IfName& value) { return value.value; }

std::string Text<ModuleName>::schema() { return R"({"type":"string","pattern":"^[A-Za-z0-9_-]{1,55}$"})"; }

std::optional<Complaint> Text<ModuleName>::read(const Scalar& scalar, ModuleName& out) {
  if (auto complaint = not_a_string(wanted, scalar)) return complaint;
  const std::string_view text = scalar.text;
  if (const std::size_t ko = text.find(".ko"); ko != std::string_view::npos && ko > 0)
    return unexpected(wanted, scalar, "is a file's name", fmt::format("write {}", text.substr(0, ko)));
  if (text.size() > longest_module)
    return unexpected(wanted, scalar,
                      fmt::format("is {} bytes long; the kernel takes {}", text.size(), longest_module));
  if (!is_identifier(text)) return unexpected(wanted, scalar);
  out.value = text;
  std::replace(out.value.begin(), out.value.end(), '-', '_');
  return std::nullopt;
}

std::string Text<ModuleName>::print(const ModuleName& value) { return value.value; }

std::string Text<ParameterName>::schema() { return R"({"type":"string","pattern":"^[A-Za-z0-9_-]+$"})"; }

// The kernel reads '-' as '_' here too (parameqn, kernel/params.c).
std::optional<Complaint> Text<ParameterName>::read(const Scalar& scalar, ParameterName& out) {
  if (auto complaint = not_a_string(wanted, scalar)) return complaint;
  if (!is_identifier(scalar.text)) return unexpected(wanted, scalar);
  out.value = scalar.text;
  std::replace(out.value.begin(), out.value.end(), '-', '_');
  return std::nullopt;
}

std::string Text<ParameterName>::print(const ParameterName& value) { return value.value; }

std::string Text<Verbatim>::schema() { return R"({"type":["string","integer","number","boolean"]})"; }

std::optional<Complaint> Text<Verbatim>::read(const Scalar& scalar, Verbatim& out) {
  if (core_type(scalar) == CoreType::null) return unexpected(wanted, scalar);
  out.value = scalar.text;
  return std::nullopt;
}

std::string Text<Verbatim>::print(const Verbatim& value) { return value.value; }

}  // namespace rdmastate
