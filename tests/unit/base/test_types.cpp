// SPDX-License-Identifier: Apache-2.0
// Every sentence that a wrong value gets. They are the product: read them aloud before changing one.
#include <gtest/gtest.h>

#include "base/types.hpp"
#include "reading.hpp"

namespace rdmastate {
namespace {

using test::reading;

TEST(PKeyText, TheUsualForms) {
  EXPECT_EQ(reading<PKey>("0x8002"), "= 0x8002");
  EXPECT_EQ(reading<PKey>("0X8002", false), "= 0x8002");
  EXPECT_EQ(reading<PKey>("32770"), "= 0x8002");
  EXPECT_EQ(reading<PKey>("32770", false), "= 0x8002");
  EXPECT_EQ(reading<PKey>("0xffff"), "= 0xffff");
  EXPECT_EQ(reading<PKey>("0xABCD"), "= 0xabcd");
}

TEST(PKeyText, TheLimitedFormIsAWarning) {
  EXPECT_EQ(reading<PKey>("0x0002"),
            "= 0x8002 warning: '0x0002' lacks the full-member bit; the kernel sets it and runs 0x8002 |  | "
            "write 0x8002");
  EXPECT_EQ(reading<PKey>("2"),
            "= 0x8002 warning: '2' lacks the full-member bit; the kernel sets it and runs 0x8002 |  | write "
            "0x8002");
}

TEST(PKeyText, AmbiguousDecimals) {
  const std::string why = " is ambiguous: a P_Key both in decimal and in hexadecimal | a P_Key such as 0x8002 | ";
  EXPECT_EQ(reading<PKey>("8002"), "error: '8002'" + why + "write 0x8002 if hexadecimal is meant, 0x9f42 if decimal");
  EXPECT_EQ(reading<PKey>("9999", false),
            "error: '9999'" + why + "write 0x9999 if hexadecimal is meant, 0xa70f if decimal");
  EXPECT_EQ(reading<PKey>("8000"),
            "error: '8000'" + why + "write 0x9f40 if decimal is meant; in hexadecimal it is no P_Key");
  EXPECT_EQ(reading<PKey>("7999").substr(0, 8), "= 0x9f3f");
}

TEST(PKeyText, WhatIsNone) {
  const std::string wanted = " | a P_Key such as 0x8002 | ";
  EXPECT_EQ(reading<PKey>("0x8000"),
            "error: '0x8000' is the full-member bit without a partition; the kernel refuses it" + wanted);
  EXPECT_EQ(reading<PKey>("0x0"), "error: '0x0' is no partition: 0 marks an empty entry of the P_Key table" + wanted);
  EXPECT_EQ(reading<PKey>("0x10000"), "error: '0x10000' is more than 0xffff, the largest P_Key" + wanted);
  EXPECT_EQ(reading<PKey>("99999999999999999999"),
            "error: '99999999999999999999' is more than 0xffff, the largest P_Key" + wanted);
  EXPECT_EQ(reading<PKey>("-2"), "error: '-2' is negative" + wanted);
  EXPECT_EQ(reading<PKey>("yes"), "error: expected a P_Key such as 0x8002, got 'yes' |  | ");
  EXPECT_EQ(reading<PKey>("", false), "error: expected a P_Key such as 0x8002, got '' |  | ");
  EXPECT_EQ(reading<PKey>("0x"), "error: expected a P_Key such as 0x8002, got '0x' |  | ");
  EXPECT_EQ(reading<PKey>("8abc"), "error: '8abc' is hexadecimal without 0x" + wanted + "write 0x8abc");
  EXPECT_EQ(reading<PKey>("010"), "error: '010' starts with 0: hexadecimal, octal and decimal are all possible" +
                                      wanted + "write it in hexadecimal with 0x in front");
}

TEST(GuidText, TheUsualForms) {
  for (const auto* text :
       {"f452:1403:007b:cba1", "f4:52:14:03:00:7b:cb:a1", "0xf4521403007bcba1", "f4521403007bcba1",
        "F452:1403:007B:CBA1", "f452-1403-007b-cba1", "F4-52-14-03-00-7B-CB-A1", "0XF4521403007BCBA1"})
    EXPECT_EQ(reading<Guid>(text), "= f452:1403:007b:cba1") << text;
}

TEST(GuidText, WhatIsNone) {
  const std::string wanted = " | a GUID such as f452:1403:007b:cba1 | ";
  EXPECT_EQ(reading<Guid>("80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1"),
            "error: '80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1' is a 20-byte hardware "
            "address, whose first "
            "12 bytes may change" +
                wanted + "the GUID is its last 8 bytes: f452:1403:007b:cba1");
  EXPECT_EQ(reading<Guid>("fe80:0000:0000:0000:f452:1403:007b:cba1"),
            "error: 'fe80:0000:0000:0000:f452:1403:007b:cba1' is a 16-byte GID" + wanted +
                "the GUID is its last 8 bytes: f452:1403:007b:cba1");
  EXPECT_EQ(reading<Guid>("f4:52:14:7b:cb:a1"), "error: 'f4:52:14:7b:cb:a1' is a 6-byte Ethernet address" + wanted);
  EXPECT_EQ(reading<Guid>("0xf4521403007bcba"),
            "error: '0xf4521403007bcba' has 15 hexadecimal digits; a GUID has 16" + wanted);
  EXPECT_EQ(reading<Guid>("0000:0000:0000:0000"),
            "error: '0000:0000:0000:0000' is what a device without a GUID reports; it matches nothing" + wanted);
  for (const std::string text : {"", "0x", "mlx4_0", "f452:1403-007b:cba1", "f452:1403:7b:cba1", "f452:1403:007b:cba1:",
                                 ":f452:1403:007b:cba1", "0xf452:1403:007b:cba1", "g452:1403:007b:cba1"})
    EXPECT_EQ(reading<Guid>(text), "error: expected a GUID such as f452:1403:007b:cba1, got '" + text + "' |  | ");
}

TEST(IfNameText, WhatTheKernelTakes) {
  EXPECT_EQ(reading<IfName>("mlx4_ib0.8002"), "= mlx4_ib0.8002");
  EXPECT_EQ(reading<IfName>("exactly15bytes_"), "= exactly15bytes_");
  EXPECT_EQ(reading<IfName>("ü"), "= ü");
}

TEST(IfNameText, WhatItDoesNot) {
  const std::string wanted = " | an interface name of 1 to 15 characters such as mlx4_ib0 | ";
  EXPECT_EQ(reading<IfName>("sixteen_bytes_xx"),
            "error: 'sixteen_bytes_xx' is 16 bytes long; the kernel takes 15" + wanted);
  EXPECT_EQ(reading<IfName>("", false), "error: '' is empty" + wanted);
  EXPECT_EQ(reading<IfName>("a\nb", false), "error: 'a\\x0ab' holds white space (byte \\x0a)" + wanted);
  EXPECT_EQ(reading<IfName>("a\x01", false), "error: 'a\\x01' holds a control character (byte \\x01)" + wanted);
  EXPECT_EQ(reading<IfName>("à"), "error: 'à' holds white space (byte \\xa0)" + wanted);
  EXPECT_EQ(reading<IfName>("ib0:1"), "error: 'ib0:1' holds ':', which the kernel refuses" + wanted);
  EXPECT_EQ(reading<IfName>("a/b"), "error: 'a/b' holds '/', which the kernel refuses" + wanted);
  EXPECT_EQ(reading<IfName>("ib%d"), "error: 'ib%d' holds '%', which the kernel takes for a pattern" + wanted);
  EXPECT_EQ(reading<IfName>(".."), "error: '..' is a directory's name" + wanted);
  EXPECT_EQ(reading<IfName>("10"), "error: '10' is a number, not a string" + wanted + "write it in quotes: \"10\"");
}

TEST(ModuleNameText, DashesAreUnderscores) {
  EXPECT_EQ(reading<ModuleName>("ib-ipoib"), "= ib_ipoib");
  EXPECT_EQ(reading<ModuleName>("ib_ipoib.ko.xz"),
            "error: 'ib_ipoib.ko.xz' is a file's name | a kernel module's name such as ib_ipoib | write ib_ipoib");
  EXPECT_EQ(reading<ModuleName>("a b"), "error: expected a kernel module's name such as ib_ipoib, got 'a b' |  | ");
  EXPECT_EQ(reading<ModuleName>(std::string(56, 'a')).substr(0, 8), "error: '");
}

TEST(IpText, Addresses) {
  EXPECT_EQ(reading<IpAddress>("192.0.2.1"), "= 192.0.2.1");
  EXPECT_EQ(reading<IpAddress>("2001:DB8:0:0::1"), "= 2001:db8::1");
  const std::string wanted = "an IP address such as 192.0.2.254 or 2001:db8::1";
  EXPECT_EQ(reading<IpAddress>("192.0.2.1/24"),
            "error: '192.0.2.1/24' has a prefix length; one address is wanted | " + wanted + " | write 192.0.2.1");
  EXPECT_EQ(reading<IpAddress>("192.0.2.256"), "error: expected " + wanted + ", got '192.0.2.256' |  | ");
  EXPECT_EQ(reading<IpAddress>("192.0.2.010"), "error: expected " + wanted + ", got '192.0.2.010' |  | ");
  EXPECT_EQ(reading<IpAddress>(std::string_view("::1\0x", 5)), "error: expected " + wanted + ", got '::1\\x00x' |  | ");
}

TEST(IpText, AnInterfaceAddressHasItsPrefix) {
  EXPECT_EQ(reading<IpInterface>("192.0.2.1/24"), "= 192.0.2.1/24");
  EXPECT_EQ(reading<IpInterface>("2001:db8:1::1/64"), "= 2001:db8:1::1/64");
  const std::string wanted = " | an address with its prefix length such as 192.0.2.1/24 | ";
  EXPECT_EQ(reading<IpInterface>("198.51.100.7"),
            "error: '198.51.100.7' has no prefix length" + wanted + "write it as in 198.51.100.7/24");
  EXPECT_EQ(reading<IpInterface>("2001:db8::1"),
            "error: '2001:db8::1' has no prefix length" + wanted + "write it as in 2001:db8::1/64");
  EXPECT_EQ(reading<IpInterface>("192.0.2.1/255.255.254.0"),
            "error: '192.0.2.1/255.255.254.0' has a netmask" + wanted + "write 192.0.2.1/23");
  for (const std::string text :
       {"192.0.2.1/33", "192.0.2.1/", "192.0.2.1/+4", "192.0.2.1/024", "192.0.2.1/24/1", "192.0.2.1/255.0.255.0"})
    EXPECT_EQ(reading<IpInterface>(text),
              "error: '" + text + "' has no prefix length from 0 to 32 after the /" + wanted);
}

TEST(IpText, ANetworkHasNoHostBits) {
  EXPECT_EQ(reading<IpNetwork>("203.0.113.0/24"), "= 203.0.113.0/24");
  EXPECT_EQ(reading<IpNetwork>("0.0.0.0/0"), "= 0.0.0.0/0");
  const std::string wanted = " | a network with its prefix length such as 203.0.113.0/24 | ";
  EXPECT_EQ(reading<IpNetwork>("203.0.113.9/24"),
            "error: '203.0.113.9/24' has bits set after its first 24" + wanted + "write 203.0.113.0/24");
  EXPECT_EQ(reading<IpNetwork>("2001:db8::1/63"),
            "error: '2001:db8::1/63' has bits set after its first 63" + wanted + "write 2001:db8::/63");
}

TEST(Ip, NetworkOfAndContains) {
  IpInterface address;
  ASSERT_FALSE(Text<IpInterface>::read({"192.0.2.77/26"}, address));
  const IpNetwork network = network_of(address);
  EXPECT_EQ(to_text(network), "192.0.2.64/26");
  EXPECT_TRUE(contains(network, address.address));
  address.address.bytes[3] = 128;
  EXPECT_FALSE(contains(network, address.address));
  EXPECT_FALSE(contains(IpNetwork{}, IpAddress{Family::v6, {}}));
}

}  // namespace
}  // namespace rdmastate
