// SPDX-License-Identifier: Apache-2.0
#include "base/types_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/ascii.hpp"

namespace rdmastate {
namespace {

constexpr std::array share_words{std::pair{ClassShare::By::strict, "strict"}, std::pair{ClassShare::By::cbs, "cbs"},
                                 std::pair{ClassShare::By::vendor, "vendor"}};

constexpr std::array buffer_units{std::pair{std::string_view("MiB"), 20U}, std::pair{std::string_view("KiB"), 10U},
                                  std::pair{std::string_view("B"), 0U}};

// "hhhh:hh:hh.o": hexadecimal digits h, and the function's octal digit o. Some domains (VMD's) have more than four
// digits.
bool is_pci_address(std::string_view text) {
  constexpr std::string_view tail = ":hh:hh.o";
  if (text.size() < 4 + tail.size()) return false;
  const std::string_view domain = text.substr(0, text.size() - tail.size());
  text.remove_prefix(domain.size());
  return std::all_of(domain.begin(), domain.end(), ascii::is_hex) && domain.size() <= 8 &&
         std::equal(text.begin(), text.end(), tail.begin(), [](char c, char wanted) {
           return wanted == 'h' ? ascii::is_hex(c) : wanted == 'o' ? ascii::is_octal(c) : c == wanted;
         });
}

bool is_name_letter(char c) { return ascii::is_one_of(c, "_-.:"); }

std::string why_no_device_name(std::string_view name) {
  if (name.empty()) return "is empty, which the kernel refuses";
  if (name.size() > DeviceName::max_length)
    return fmt::format("is {} bytes long; the kernel takes {}", name.size(), DeviceName::max_length);
  if (name == "." || name == "..") return "is a directory's name";
  if (name.find('%') != std::string_view::npos) return "holds '%', which the kernel takes for a pattern";
  if (name.find('/') != std::string_view::npos) return "holds '/', which separates a device from its port";
  const auto odd = std::find_if_not(name.begin(), name.end(), is_name_letter);
  if (odd == name.end()) return {};
  return fmt::format("holds '{}': letters, digits, '_', '-', '.' and ':' are what udev keeps",
                     printable(std::string_view(&*odd, 1)));
}

}  // namespace

std::string Text<PciAddress>::schema() {
  return R"({"type":"string","pattern":"^([0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]$"})";
}

std::optional<Complaint> Text<PciAddress>::read(const Scalar& scalar, PciAddress& out) {
  std::string text = ascii::lower(scalar.text);
  if (std::count(text.begin(), text.end(), ':') == 1) text.insert(0, "0000:");
  if (!is_pci_address(text)) return unexpected(wanted, scalar, /*reason=*/{}, "lspci -D prints them");
  out.value = std::move(text);
  return std::nullopt;
}

std::string Text<DeviceName>::schema() {
  return R"({"type":"string","pattern":"^[A-Za-z0-9_.:-]{1,63}$","not":{"enum":[".",".."]}})";
}

std::optional<Complaint> Text<DeviceName>::read(const Scalar& scalar, DeviceName& out) {
  std::string text;
  if (auto complaint = Text<std::string>::read(scalar, text)) {
    complaint->expected = wanted;
    return complaint;
  }
  const std::string reason = why_no_device_name(text);
  if (!reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = std::move(text);
  return std::nullopt;
}

std::optional<Complaint> Text<ClassShare>::read(const Scalar& scalar, ClassShare& out) {
  for (const auto& [by, word] : share_words)
    if (scalar.text == word) {
      out = {by, 0};
      return std::nullopt;
    }
  std::string_view digits = scalar.text;
  const bool marked = digits.ends_with('%');
  if (marked) digits.remove_suffix(1);
  unsigned percent = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
  const bool whole = failure == std::errc() && end == digits.data() + digits.size();
  if (!whole || (digits.size() > 1 && digits.front() == '0')) return unexpected(wanted, scalar);
  constexpr unsigned all = 100;
  if (percent > all) return unexpected(wanted, scalar, "is more than 100%");
  if (!marked) return unexpected(wanted, scalar, "has no %", fmt::format("write {}%", percent));
  out = {ClassShare::By::percent, static_cast<std::uint8_t>(percent)};
  return std::nullopt;
}

std::string Text<ClassShare>::print(const ClassShare& share) {
  for (const auto& [by, word] : share_words)
    if (share.by == by) return word;
  return fmt::format("{}%", share.percent);
}

namespace detail {

std::string bounded_schema(std::uint32_t least, std::uint32_t most) {
  return fmt::format(R"({{"type":"integer","minimum":{},"maximum":{}}})", least, most);
}

std::optional<Complaint> read_bounded(const Scalar& scalar, std::string_view wanted, std::uint32_t least,
                                      std::uint32_t most, std::uint32_t& out) {
  std::uint32_t value = 0;
  if (auto complaint = Text<std::uint32_t>::read(scalar, value)) {
    if (complaint->expected.empty()) return unexpected(wanted, scalar);
    complaint->expected = wanted;
    return complaint;
  }
  if (value < least) return unexpected(wanted, scalar, fmt::format("is less than {}", least));
  if (value > most) return unexpected(wanted, scalar, fmt::format("is more than {}", most));
  out = value;
  return std::nullopt;
}

}  // namespace detail
std::optional<Complaint> Text<BufferSize>::read(const Scalar& scalar, BufferSize& out) {
  const std::string_view text = scalar.text;
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, length), unit = text.substr(length);
  constexpr std::size_t most_digits = 10;
  constexpr unsigned most_bits = 30;  // 1 GiB
  if (text == "0") return out = {}, std::nullopt;
  if (digits.empty() || digits.size() > most_digits) return unexpected(wanted, scalar);
  if (unit.empty())
    return unexpected(wanted, scalar, "has no unit", fmt::format("dcb(8) shows bytes: write {}B", text));
  const auto* found =
      std::find_if(buffer_units.begin(), buffer_units.end(), [&](const auto& one) { return one.first == unit; });
  if (found == buffer_units.end() || digits.front() == '0') return unexpected(wanted, scalar);
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (number > (1U << most_bits) >> found->second) return unexpected(wanted, scalar, "is more than any port has");
  out.bytes = static_cast<std::uint32_t>(number << found->second);
  if (out.bytes < BufferSize::largest_cell) return unexpected(wanted, scalar, "is less than 1KiB");
  return std::nullopt;
}

std::string Text<BufferSize>::print(const BufferSize& size) {
  if (size.bytes == 0) return "0";
  for (const auto& [unit, shift] : buffer_units)
    if (size.bytes >> shift << shift == size.bytes) return fmt::format("{}{}", size.bytes >> shift, unit);
  return {};
}

}  // namespace rdmastate
