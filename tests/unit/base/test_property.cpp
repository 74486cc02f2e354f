// SPDX-License-Identifier: Apache-2.0
// read(print(x)) is x, for every type; and no bytes at all make a reader do worse than refuse.
#include <gtest/gtest.h>

#include "base/types.hpp"
#include "support/property.hpp"

namespace rdmastate {
namespace {

template <class T>
void comes_back(const T& value, bool plain = true) {
  const std::string text = Text<T>::print(value);
  T again{};
  must(!Text<T>::read({text, plain}, again), text + " is read without a complaint");
  must(again == value, text + " is read as what it was printed from, not as " + Text<T>::print(again));
}

IpAddress any_address(Case& drawn) {
  IpAddress address;
  address.family = drawn.flip() ? Family::v6 : Family::v4;
  for (std::size_t i = 0; i < address.size(); ++i) address.bytes[i] = static_cast<std::uint8_t>(drawn.bits(8));
  return address;
}

IpInterface any_interface(Case& drawn) {
  const IpAddress address = any_address(drawn);
  return {address, static_cast<std::uint8_t>(drawn.number(0, static_cast<int>(address.size()) * 8 + 1))};
}

std::vector<std::string> each_of(const std::string& letters) {
  std::vector<std::string> parts;
  for (const char c : letters) parts.emplace_back(1, c);
  return parts;
}

std::string any_word(Case& drawn, const std::string& letters, std::size_t longest) {
  return ("x" + drawn.text_of(each_of(letters))).substr(0, longest);
}

TEST(Property, WhatIsPrintedReadsBack) {
  for_all("PKey", [](Case& drawn) { comes_back(PKey{static_cast<std::uint16_t>(drawn.number(0x8001, 0xffff))}); });
  for_all("Guid", [](Case& drawn) { comes_back(Guid{std::max<std::uint64_t>(drawn.bits(64), 1)}); });
  for_all("IfName", [](Case& drawn) { comes_back(IfName{any_word(drawn, "abz09_.-@", IfName::max_length)}); });
  for_all("ModuleName", [](Case& drawn) { comes_back(ModuleName{any_word(drawn, "azAZ09_", 55)}); });
  for_all("Verbatim", [](Case& drawn) { comes_back(Verbatim{drawn.text()}, false); });
  for_all("IpAddress", [](Case& drawn) { comes_back(any_address(drawn)); });
  for_all("IpInterface", [](Case& drawn) { comes_back(any_interface(drawn)); });
  for_all("IpNetwork", [](Case& drawn) { comes_back(network_of(any_interface(drawn))); });
  for_all("uint32", [](Case& drawn) { comes_back(static_cast<std::uint32_t>(drawn.bits(32))); });
  for_all("uint64", [](Case& drawn) { comes_back(drawn.bits(64)); });
  for_all("bool", [](Case& drawn) { comes_back(drawn.flip()); });
  for_all("string", [](Case& drawn) { comes_back(drawn.text(), false); });
  for_all("enum", [](Case& drawn) { comes_back(drawn.flip() ? IpoibMode::connected : IpoibMode::datagram); });
}

// What is read without a complaint is in the type's one form from then on.
template <class T>
void canonical(std::string_view text, bool plain) {
  T value{};
  const auto complaint = Text<T>::read({text, plain}, value);
  if (complaint && complaint->severity == Severity::error) return;
  comes_back(value, Text<T>::form != JsonForm::string);
}

// Every byte, and as often all of them together a letter of what the types are written in.
std::vector<std::string> bytes_and_letters() {
  const std::vector<std::string> letters = each_of("0123456789abcdefx:-./ ");
  std::vector<std::string> parts;
  for (int byte = 0; byte < 256; ++byte) {
    parts.push_back(letters[static_cast<std::size_t>(byte) % letters.size()]);
    parts.emplace_back(1, static_cast<char>(byte));
  }
  return parts;
}

TEST(Property, AnyBytesAreReadOrRefused) {
  for_all("bytes", [parts = bytes_and_letters()](Case& drawn) {
    const std::string text = drawn.text_of(parts);
    canonical<PKey>(text, drawn.flip());
    canonical<Guid>(text, drawn.flip());
    canonical<IpAddress>(text, drawn.flip());
    canonical<IpInterface>(text, drawn.flip());
    canonical<IpNetwork>(text, drawn.flip());
    canonical<ModuleName>(text, drawn.flip());
    canonical<std::uint32_t>(text, drawn.flip());
    canonical<bool>(text, drawn.flip());
    IfName name;
    static_cast<void>(Text<IfName>::read({text, true}, name));
    must(name.value.size() <= IfName::max_length, "an interface's name is short");
  });
}

}  // namespace
}  // namespace rdmastate
