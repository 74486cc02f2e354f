// SPDX-License-Identifier: Apache-2.0
// One port in the text of a firewalld zone: every other byte stays.
#include <gtest/gtest.h>

#include "host/firewall_files.hpp"
#include "resources/zone_port/text.hpp"

namespace rdmastate {
namespace {

const FirewallPorts tcp{20049, 20049, "tcp"};
const FirewallPorts udp{20049, 20049, "udp"};
const std::string packaged =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<zone>\n  <short>Internal</short>\n  <service name=\"ssh\"/>\n"
    "  <forward/>\n</zone>\n";
const std::string others =
    "<zone target=\"DROP\"> <!-- by hand -->\r\n\t<port protocol='tcp' port='80'/>\r\n\t<service name=\"ssh\"></service>\r\n"
    "\t<rule><port port=\"20049\" protocol=\"tcp\"/><accept/></rule></zone>";

TEST(ZoneText, APortComesAndGoesAndEveryOtherByteStays) {
  for (const std::string& text : {packaged, others, std::string("<zone></zone>"), std::string("<zone>\n</zone>")}) {
    const std::string with = with_port(with_port(text, tcp), udp);
    EXPECT_TRUE(port_entry_in(with, tcp) && port_entry_in(with, udp)) << with;
    EXPECT_EQ(without_port(without_port(with, tcp), udp), text);
    EXPECT_EQ(without_port(without_port(with, udp), tcp), text);
  }
}

TEST(ZoneText, ANewOneStandsBehindTheLastPort) {
  EXPECT_NE(with_port(others, tcp).find("port='80'/>\r\n\t<port port=\"20049\" protocol=\"tcp\"/>\r\n"),
            std::string::npos);
  EXPECT_NE(with_port(packaged, tcp).find("<forward/>\n  <port port=\"20049\" protocol=\"tcp\"/>\n</zone>"),
            std::string::npos);
}

TEST(ZoneText, ComesBackWhereAndAsItStood) {
  const std::string text =
      "<zone>\n  <port port=\"20049\"   protocol=\"tcp\"></port>\n  <service name=\"ssh\"/>\n  <port port=\"1\" "
      "protocol=\"tcp\"/>\n</zone>\n";
  const auto entry = port_entry_in(text, tcp);
  ASSERT_TRUE(entry);
  const std::string without = without_port(text, tcp);
  EXPECT_EQ(without.find("20049"), std::string::npos);
  EXPECT_EQ(with_port(without, tcp, entry), text);
}

TEST(ZoneText, ARulesPortIsNoneOfTheZone) {
  EXPECT_FALSE(port_entry_in(others, tcp));
  EXPECT_EQ(without_port(others, tcp), others);
  const FirewallZone zone = read_firewall_zone(others, [](const std::string&) { return std::nullopt; });
  EXPECT_EQ(zone.ports, (std::vector<FirewallPorts>{{80, 80, "tcp"}}));
}

TEST(ZoneText, ACopyIsOneUntilItIsChanged) {
  const std::string copy = copy_of_zone(packaged);
  EXPECT_TRUE(copy.starts_with("<?xml")) << "nothing may stand before the declaration";
  EXPECT_TRUE(is_copy_of_zone(copy) && is_mere_copy(copy, packaged));
  EXPECT_FALSE(is_mere_copy(with_port(copy, tcp), packaged));
  EXPECT_FALSE(is_mere_copy(packaged, packaged)) << "somebody's own copy";
}

TEST(ZoneText, WhatElseLetsAPortInIsNamed) {
  const auto services = [](const std::string& name) -> std::optional<std::string> {
    if (name == "outer") return "<service><include service=\"inner\"/><include service=\"outer\"/></service>";
    if (name == "inner") return "<service><port port=\"20000-20100\" protocol=\"tcp\"/></service>";
    if (name == "broken") return "<service>";
    return std::nullopt;
  };
  const auto let_in_by = [&](const std::string& inside, const FirewallPorts& port) {
    return read_firewall_zone("<zone>" + inside + "</zone>", services).let_in_by(port);
  };
  EXPECT_EQ(let_in_by("<service name=\"outer\"/><service name=\"broken\"/>", tcp), "service outer");
  EXPECT_EQ(let_in_by("<service name=\"outer\"/>", udp), "");
  EXPECT_EQ(let_in_by("<port port=\"20040-20049\" protocol=\"udp\"/>", udp), "the ports 20040-20049/udp");
  EXPECT_EQ(let_in_by("<port port=\"20049\" protocol=\"udp\"/>", udp), "") << "an entry of its own";
  EXPECT_EQ(let_in_by("<protocol value=\"udp\"/>", udp), "protocol udp");
  EXPECT_EQ(read_firewall_zone("<zone target=\"ACCEPT\"/>", services).let_in_by(tcp), "target ACCEPT");
  EXPECT_EQ(reduced_firewall_service("<service><short>a\"</short><port protocol=\"tcp\" port=\"1&lt;\"/></service>"),
            "<service><port port=\"1&#60;\" protocol=\"tcp\"/></service>\n");
}

}  // namespace
}  // namespace rdmastate
