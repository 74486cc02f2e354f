// SPDX-License-Identifier: Apache-2.0
// Names, sizes and modes: every sentence that a wrong one gets.
#include <gtest/gtest.h>

#include "base/types_account.hpp"
#include "reading.hpp"

namespace rdmastate {
namespace {

using test::reading;

TEST(MemorySizeText, UnitsAreBinary) {
  EXPECT_EQ(reading<MemorySize>("64GiB"), "= 64GiB");
  EXPECT_EQ(reading<MemorySize>("65536KiB", /*plain=*/false), "= 64MiB");
  EXPECT_EQ(reading<MemorySize>("1025KiB"), "= 1025KiB");
  EXPECT_EQ(reading<MemorySize>("2048GiB"), "= 2TiB");
  EXPECT_EQ(reading<MemorySize>("unlimited"), "= unlimited");
  MemorySize size;
  EXPECT_FALSE(Text<MemorySize>::read({"64GiB", true}, size));
  EXPECT_EQ(size.bytes, 68719476736U);
}

TEST(MemorySizeText, WhatIsNone) {
  const std::string wanted = " | a size with its unit such as 64GiB, or unlimited | ";
  EXPECT_EQ(reading<MemorySize>("65536"), "error: '65536' has no unit: limits.conf would read KiB, systemd bytes" +
                                              wanted + "write 65536KiB, or another unit");
  EXPECT_EQ(reading<MemorySize>("64G"), "error: '64G' has the unit 'G'" + wanted + "write 64GiB");
  EXPECT_EQ(reading<MemorySize>("64gb"), "error: '64gb' has the unit 'gb'" + wanted + "write 64GiB");
  EXPECT_EQ(reading<MemorySize>("512Mi"), "error: '512Mi' has the unit 'Mi'" + wanted + "write 512MiB");
  EXPECT_EQ(reading<MemorySize>("5 GiB"),
            "error: '5 GiB' has the unit ' GiB'" + wanted + "units are KiB, MiB, GiB and TiB");
  EXPECT_EQ(reading<MemorySize>("064KiB"), "error: '064KiB' starts with 0" + wanted);
  EXPECT_EQ(reading<MemorySize>("0KiB"), "error: '0KiB' is nothing" + wanted);
  EXPECT_EQ(reading<MemorySize>("infinity"),
            "error: 'infinity' is how one program calls it" + wanted + "write unlimited");
  EXPECT_EQ(reading<MemorySize>("-1"), "error: '-1' is how one program calls it" + wanted + "write unlimited");
  EXPECT_EQ(reading<MemorySize>("1048576TiB"),
            "error: '1048576TiB' is more than any machine has" + wanted + "write unlimited");
  EXPECT_EQ(reading<MemorySize>("99999999999999999999KiB").substr(0, 16), "error: expected ");
  EXPECT_EQ(reading<MemorySize>("1.5GiB"),
            "error: '1.5GiB' has the unit '.5GiB'" + wanted + "units are KiB, MiB, GiB and TiB");
  EXPECT_EQ(reading<MemorySize>("").substr(0, 16), "error: expected ");
}

TEST(AccountText, StrictNames) {
  for (const auto* name : {"rdma", "_chrony", "systemd-network", "A1", "a23456789012345678901234567890b"})
    EXPECT_EQ(reading<GroupName>(name), std::string("= ") + name);
  const std::string wanted = " | a group's name such as rdma | ";
  EXPECT_EQ(reading<GroupName>("@rdma", /*plain=*/false),
            "error: '@rdma' does not begin with a letter or '_'" + wanted + "write rdma");
  EXPECT_EQ(reading<GroupName>("1rdma"), "error: '1rdma' does not begin with a letter or '_'" + wanted);
  EXPECT_EQ(reading<GroupName>("-"), "error: '-' does not begin with a letter or '_'" + wanted);
  EXPECT_EQ(reading<GroupName>("", /*plain=*/false), "error: '' is empty" + wanted);
  EXPECT_EQ(reading<GroupName>("999").substr(0, 38), "error: '999' is a number, not a string");
  EXPECT_EQ(reading<GroupName>("a23456789012345678901234567890bc").substr(0, 58),
            "error: 'a23456789012345678901234567890bc' is 32 bytes long");
}

TEST(AccountText, NothingThatAFileWouldReadOtherwise) {
  for (const char* name :
       {"a:b", "a,b", "a b", "a\nb", "a\"b", "a%b", "a$b", "a.b", "a#b", "a@b", "a/b", "hp\xc3\xa9"}) {
    EXPECT_EQ(reading<UserName>(name, /*plain=*/false).substr(0, 6), "error:") << name;
    EXPECT_EQ(reading<GroupName>(name, /*plain=*/false).substr(0, 6), "error:") << name;
  }
  EXPECT_EQ(
      reading<UserName>("jane.doe"),
      "error: 'jane.doe' holds '.': letters, digits, '_' and '-' are what every program takes | a user's name such "
      "as hpcuser | ");
}

TEST(ServiceNameText, UnitsOfServices) {
  for (const auto* name : {"slurmd.service", "user@.service", "user@1000.service", R"(a-b_c:d.e\x2df.service)",
                           "a@b@c.service", "a@@b.service"})
    EXPECT_EQ(reading<ServiceName>(name), std::string("= ") + name);
  const std::string wanted = " | a service's unit name such as slurmd.service | ";
  EXPECT_EQ(reading<ServiceName>("slurmd"),
            "error: 'slurmd' is no service's name: a limit is a service's" + wanted + "write slurmd.service");
  EXPECT_EQ(reading<ServiceName>("slurmd.servise"),
            "error: 'slurmd.servise' is no service's name: a limit is a service's" + wanted + "write slurmd.service");
  EXPECT_EQ(reading<ServiceName>("docker.socket"),
            "error: 'docker.socket' is no service's name: a limit is a service's" + wanted);
  EXPECT_EQ(reading<ServiceName>("@.service", /*plain=*/false),
            "error: '@.service' has nothing before '@' or .service" + wanted);
  EXPECT_EQ(reading<ServiceName>(".service"), "error: '.service' has nothing before '@' or .service" + wanted);
  EXPECT_EQ(
      reading<ServiceName>("a@b@.service"),
      "error: 'a@b@.service' is no template: systemd looks for the first '@', and reads instance 'b@' of a@.service" +
          wanted + "write a@.service for all instances of that one");
  EXPECT_EQ(reading<ServiceName>("a@@.service").substr(0, 6), "error:");
  for (const char* name : {"../a.service", "a/b.service", "a b.service", "a%i.service", "a\nb.service", "a\".service"})
    EXPECT_EQ(reading<ServiceName>(name, /*plain=*/false).substr(0, 6), "error:") << name;
  EXPECT_EQ(reading<ServiceName>(std::string(246, 'a') + ".service", /*plain=*/false).substr(0, 6), "error:");
}

TEST(NodeModeText, OctalInQuotes) {
  EXPECT_EQ(reading<NodeMode>("0660", /*plain=*/false), "= 0660");
  const std::string wanted = " | a mode in octal and in quotes such as \"0660\" | ";
  EXPECT_EQ(reading<NodeMode>("0660"),
            "error: '0660' is not in quotes: to YAML it is a decimal number" + wanted + "write \"0660\"");
  EXPECT_EQ(reading<NodeMode>("660"),
            "error: '660' is not in quotes: to YAML it is a decimal number" + wanted + "write \"0660\"");
  EXPECT_EQ(reading<NodeMode>("660", /*plain=*/false),
            "error: expected a mode in octal and in quotes such as \"0660\", got '660' |  | write \"0660\"");
  for (const char* text : {"0680", "rw-rw----", "04660", "", "1660"})
    EXPECT_EQ(reading<NodeMode>(text, /*plain=*/false).substr(0, 16), "error: expected ") << text;
}

// A YAML 1.1 reader, such as PyYAML, makes 432 of 0660. The hint says so of 384 to 511 (0600 to 0777), where a usual
// mode lies: 383 is 0577.
TEST(NodeModeText, WhatAnotherReaderMadeOfIt) {
  const auto hint = [](const std::string& read) { return read.substr(read.rfind("| ") + 2); };
  for (const bool plain : {true, false}) {
    EXPECT_EQ(hint(reading<NodeMode>("432", plain)), "write \"0660\", which YAML 1.1 reads as 432");
    EXPECT_EQ(hint(reading<NodeMode>("438", plain)), "write \"0666\", which YAML 1.1 reads as 438");
    EXPECT_EQ(hint(reading<NodeMode>("0o660", plain)), "write \"0660\"");
    EXPECT_EQ(hint(reading<NodeMode>("640", plain)), "write \"0640\"");
    for (const char* text : {"888", "1000", "383", "99999999999999", "0o", "0o999"})
      EXPECT_EQ(hint(reading<NodeMode>(text, plain)).find("YAML 1.1"), std::string::npos) << text;
  }
  EXPECT_EQ(
      reading<NodeMode>("888"),
      "error: '888' is not in quotes: to YAML it is a decimal number | a mode in octal and in quotes such as \"0660\" | ");
}

}  // namespace
}  // namespace rdmastate
