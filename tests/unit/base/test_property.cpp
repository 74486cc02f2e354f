// SPDX-License-Identifier: Apache-2.0
// read(print(x)) is x, for every type; and no bytes at all make a reader do worse than refuse.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/types.hpp"

namespace rdmastate {
namespace {

template <class T>
void comes_back(const T& value, bool plain = true) {
  const std::string text = Text<T>::print(value);
  T again{};
  RC_ASSERT(!Text<T>::read({text, plain}, again));
  RC_ASSERT(again == value);
}

IpAddress any_address() {
  IpAddress address;
  address.family = *rc::gen::element(Family::v4, Family::v6);
  for (std::size_t i = 0; i < address.size(); ++i) address.bytes[i] = *rc::gen::arbitrary<std::uint8_t>();
  return address;
}

IpInterface any_interface() {
  const IpAddress address = any_address();
  return {address, *rc::gen::inRange<std::uint8_t>(0, static_cast<std::uint8_t>(address.size() * 8 + 1))};
}

std::string any_word(const std::string& letters, std::size_t longest) {
  std::string word = "x";
  for (const char c : *rc::gen::container<std::string>(rc::gen::elementOf(letters)))
    if (word.size() < longest) word += c;
  return word;
}

TEST(Property, WhatIsPrintedReadsBack) {
  EXPECT_TRUE(rc::check("PKey", [] { comes_back(PKey{*rc::gen::inRange<std::uint16_t>(0x8001, 0xffff)}); }));
  EXPECT_TRUE(rc::check("Guid", [] { comes_back(Guid{*rc::gen::nonZero<std::uint64_t>()}); }));
  EXPECT_TRUE(rc::check("IfName", [] { comes_back(IfName{any_word("abz09_.-@", IfName::max_length)}); }));
  EXPECT_TRUE(rc::check("ModuleName", [] { comes_back(ModuleName{any_word("azAZ09_", 55)}); }));
  EXPECT_TRUE(rc::check("Verbatim", [] { comes_back(Verbatim{*rc::gen::arbitrary<std::string>()}, false); }));
  EXPECT_TRUE(rc::check("IpAddress", [] { comes_back(any_address()); }));
  EXPECT_TRUE(rc::check("IpInterface", [] { comes_back(any_interface()); }));
  EXPECT_TRUE(rc::check("IpNetwork", [] { comes_back(network_of(any_interface())); }));
  EXPECT_TRUE(rc::check("uint32", [] { comes_back(*rc::gen::arbitrary<std::uint32_t>()); }));
  EXPECT_TRUE(rc::check("uint64", [] { comes_back(*rc::gen::arbitrary<std::uint64_t>()); }));
  EXPECT_TRUE(rc::check("bool", [] { comes_back(*rc::gen::arbitrary<bool>()); }));
  EXPECT_TRUE(rc::check("string", [] { comes_back(*rc::gen::arbitrary<std::string>(), false); }));
  EXPECT_TRUE(rc::check("enum", [] { comes_back(*rc::gen::element(IpoibMode::datagram, IpoibMode::connected)); }));
}

// What is read without a complaint is in the type's one form from then on.
template <class T>
void canonical(std::string_view text) {
  T value{};
  const auto complaint = Text<T>::read({text, *rc::gen::arbitrary<bool>()}, value);
  if (complaint && complaint->severity == Severity::error) return;
  comes_back(value, Text<T>::form != JsonForm::string);
}

TEST(Property, AnyBytesAreReadOrRefused) {
  EXPECT_TRUE(rc::check("bytes", [] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("0123456789abcdefx:-./ "))));
    canonical<PKey>(text);
    canonical<Guid>(text);
    canonical<IpAddress>(text);
    canonical<IpInterface>(text);
    canonical<IpNetwork>(text);
    canonical<ModuleName>(text);
    canonical<std::uint32_t>(text);
    canonical<bool>(text);
    IfName name;
    static_cast<void>(Text<IfName>::read({text, true}, name));
    RC_ASSERT(name.value.size() <= IfName::max_length);
  }));
}

}  // namespace
}  // namespace rdmastate
