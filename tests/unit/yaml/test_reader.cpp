// SPDX-License-Identifier: Apache-2.0
// What is said when the YAML is right and the specification is not.
#include <gtest/gtest.h>

#include "told.hpp"

namespace rdmastate {
namespace {

using test::about;
using test::told;
using test::told_of;

const std::string top = "  expected: one of version, id, ipoib, options, ports\n";
const std::string name_wanted = "  expected: an interface name of 1 to 15 characters such as mlx4_ib0\n";
const std::string pkey_wanted = "  expected: a P_Key such as 0x8002\n";

TEST(Reader, FillsAStruct) {
  Report report;
  const auto document = yaml::load("s",
                                   "version: 1\nipoib:\n- {name: ib0, pkey: '0x8002', umcast: true}\n- name: ib1\n"
                                   "options: {ib-ipoib: {q: 512}}\nports: {1: {addresses: []}}\n",
                                   report);
  sample::Spec spec;
  yaml::read(document->root, spec, "", report);
  ASSERT_EQ(render(report, false), "");
  ASSERT_EQ(spec.ipoib.size(), 2U);
  EXPECT_EQ(spec.ipoib[0].pkey, PKey{0x8002});
  EXPECT_EQ(spec.ipoib[0].umcast, true);
  EXPECT_FALSE(spec.ipoib[1].pkey.has_value());
  EXPECT_EQ(spec.options->at(ModuleName{"ib_ipoib"}).at("q").value, "512");
  EXPECT_TRUE(spec.ports->at(1).addresses->empty());
  EXPECT_FALSE(spec.ports->at(1).routes.has_value());
}

TEST(Reader, AMisspeltKey) {
  EXPECT_EQ(told_of("ipobi: []"),
            about("ipobi: []", 1, 5, "unknown key 'ipobi'", top + "  hint: did you mean ipoib?\n"));
  EXPECT_EQ(told_of("quux: []"), about("quux: []", 1, 4, "unknown key 'quux'", top));
}

TEST(Reader, AMisspeltRequiredKeyIsNotMissingToo) {
  const std::string line = "ipoib: [{nmae: ib0}]";
  EXPECT_EQ(told_of(line), about(line, 10, 4, "ipoib[0]: unknown key 'nmae'",
                                 "  expected: one of name, parent, guid, pkey, mode, mtu, umcast, ipv4\n"
                                 "  hint: did you mean name?\n"));
}

TEST(Reader, AMissingKeyBlamesItsRecord) {
  const std::string hint = "  hint: for example name: mlx4_ib0\n";
  EXPECT_EQ(told_of("ipoib: [{mtu: 5}]"),
            about("ipoib: [{mtu: 5}]", 9, 1, "ipoib[0]: 'name' is missing", name_wanted + hint));
  EXPECT_EQ(told("ipoib: []\n"),
            "spec.yaml:1:1: error: 'version' is missing\n    1 | ipoib: []\n      | ^~~~~\n"
            "  expected: a whole number from 0 to 4294967295\n  hint: for example version: 1\n1 error\n");
}

TEST(Reader, PKeys) {
  const auto line = [](const std::string& pkey) { return "ipoib: [{name: a, pkey: " + pkey + "}]"; };
  EXPECT_EQ(
      told_of(line("0x8000")),
      about(line("0x8000"), 25, 6,
            "ipoib[0].pkey: '0x8000' is the full-member bit without a partition; the kernel refuses it", pkey_wanted));
  EXPECT_EQ(told_of(line("yes")),
            about(line("yes"), 25, 3, "ipoib[0].pkey: expected a P_Key such as 0x8002, got 'yes'"));
  EXPECT_EQ(told_of(line("8002")),
            about(line("8002"), 25, 4, "ipoib[0].pkey: '8002' is ambiguous: a P_Key both in decimal and in hexadecimal",
                  pkey_wanted + "  hint: write 0x8002 if hexadecimal is meant, 0x9f42 if decimal\n"));
  EXPECT_EQ(told_of(line("\"0x8000\"")).substr(0, 15), "spec.yaml:2:25:");
}

TEST(Reader, AWarningLeavesTheValue) {
  Report report;
  const auto document = yaml::load("s", "version: 1\nipoib: [{name: a, pkey: 0x0002}]\n", report);
  sample::Spec spec;
  yaml::read(document->root, spec, "", report);
  EXPECT_FALSE(report.failed());
  EXPECT_EQ(spec.ipoib[0].pkey, PKey{0x8002});
  EXPECT_EQ(render(report, false),
            "s:2:25: warning: ipoib[0].pkey: '0x0002' lacks the full-member bit; the kernel sets it and runs "
            "0x8002\n"
            "    2 | ipoib: [{name: a, pkey: 0x0002}]\n"
            "      |                         ^~~~~~\n"
            "  hint: write 0x8002\n"
            "1 warning\n");
}

TEST(Reader, Names) {
  EXPECT_EQ(told_of("ipoib: [{name: sixteen_bytes_xx}]"),
            about("ipoib: [{name: sixteen_bytes_xx}]", 16, 16,
                  "ipoib[0].name: 'sixteen_bytes_xx' is 16 bytes long; the kernel takes 15", name_wanted));
  EXPECT_EQ(told_of("ipoib: [{name: \"a\\nb\"}]"),
            about("ipoib: [{name: \"a\\nb\"}]", 16, 6, "ipoib[0].name: 'a\\x0ab' holds white space (byte \\x0a)",
                  name_wanted));
}

TEST(Reader, AnAddressWithoutItsPrefix) {
  const std::string line = "ports: {1: {addresses: [192.0.2.1/24, 192.0.2.2]}}";
  EXPECT_EQ(told_of(line), about(line, 39, 9, "ports.1.addresses[1]: '192.0.2.2' has no prefix length",
                                 "  expected: an address with its prefix length such as 192.0.2.1/24\n"
                                 "  hint: write it as in 192.0.2.2/24\n"));
}

TEST(Reader, WrongShapes) {
  EXPECT_EQ(told_of("ipoib: {}"), about("ipoib: {}", 8, 1, "ipoib: expected a list, got a map"));
  EXPECT_EQ(told_of("id: [x]"), about("id: [x]", 5, 1, "id: expected a string, got a list"));
  EXPECT_EQ(told_of("options: 5"), about("options: 5", 10, 1, "options: expected a map, got a single value"));
  EXPECT_EQ(told_of("ipoib: ib0"),
            about("ipoib: ib0", 8, 3, "ipoib: expected a list, got a single value", "  hint: write [ib0]\n"));
  EXPECT_EQ(told("- version: 1\n"),
            "spec.yaml:1:1: error: expected a map, got a list\n    1 | - version: 1\n      | ^\n1 error\n");
}

TEST(Reader, ANumberIsNoStringAndQuotesMakeNoNumber) {
  EXPECT_EQ(told_of("id: 5"), about("id: 5", 5, 1, "id: '5' is a number, not a string",
                                    "  expected: a string\n  hint: write it in quotes: \"5\"\n"));
  EXPECT_EQ(told("version: '1'\n"),
            "spec.yaml:1:10: error: version: '1' is in quotes, which makes it a string\n"
            "    1 | version: '1'\n"
            "      |          ^~~\n"
            "  expected: a whole number from 0 to 4294967295\n"
            "  hint: write it without the quotes\n"
            "1 error\n");
}

TEST(Reader, TwoKeysThatMeanTheSame) {
  const std::string line = "options: {ib_umad: {}, ib-umad: {}}";
  EXPECT_EQ(told_of(line), about(line, 24, 7, "options: 'ib-umad' means the same as a key above it",
                                 "  expected: a kernel module's name such as ib_ipoib\n"));
}

TEST(Reader, AllMistakesAtOnce) {
  Report report;
  const auto document = yaml::load("s",
                                   "version: 1\nid: ~\nx: 1\nipoib:\n- {name: a b, pkey: 0, mode: ud, mtu: "
                                   "-1, umcast: on, ipv4: {addresses: [1]}}\n- []\n",
                                   report);
  sample::Spec spec;
  yaml::read(document->root, spec, "", report);
  EXPECT_EQ(report.errors(), 9U);
}

}  // namespace
}  // namespace rdmastate
