// SPDX-License-Identifier: Apache-2.0
// How FileMode and Bytes are written in plans and records: a mode in octal, "0644"; bytes as they are where they are
// UTF-8, else as "hex:" and two digits a byte. Text that itself begins with "hex:" is written in hex too.
// `wanted` (file.hpp) is what a complaint expects.
#include <fmt/format.h>

#include <charconv>

#include "base/hex.hpp"
#include "base/utf8.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view hex_prefix = "hex:";

}  // namespace

std::optional<Complaint> Text<FileMode>::read(const Scalar& scalar, FileMode& out) {
  constexpr int octal = 8;
  const auto* end = scalar.text.data() + scalar.text.size();
  FileMode mode;
  const auto [stop, error] = std::from_chars(scalar.text.data(), end, mode.value, octal);
  if (error != std::errc{} || stop != end || mode.value > 07777) return unexpected(wanted, scalar);
  out = mode;
  return std::nullopt;
}

std::string Text<FileMode>::print(const FileMode& mode) { return fmt::format("{:04o}", mode.value); }

std::optional<Complaint> Text<Bytes>::read(const Scalar& scalar, Bytes& out) {
  if (!scalar.text.starts_with(hex_prefix)) {
    out.value = scalar.text;
    return std::nullopt;
  }
  const std::string_view digits = scalar.text.substr(hex_prefix.size());
  if (digits.size() % 2 != 0) return unexpected(wanted, scalar);
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]);
    const int low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0) return unexpected(wanted, scalar);
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  out.value = std::move(bytes);
  return std::nullopt;
}

std::string Text<Bytes>::print(const Bytes& bytes) {
  if (is_utf8(bytes.value) && !bytes.value.starts_with(hex_prefix)) return bytes.value;
  std::string text(hex_prefix);
  for (const char c : bytes.value) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

}  // namespace rdmastate
