// SPDX-License-Identifier: Apache-2.0
// Reads firewalld's files of zones and services (firewalld.zone(5), firewalld.service(5)) as firewalld does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/firewall.hpp"

namespace rdmastate {

namespace xml {
struct Element;
}

/// The text of a service's file by the service's name; nullopt: there is none.
using FirewallServiceText = std::function<std::optional<std::string>(const std::string& name)>;

/// What a zone's file lets in. Throws Error where firewalld's parser would refuse the file, with the line, and where
/// its root is no zone. A service whose file is missing or broken lets nothing in.
FirewallZone read_firewall_zone(std::string_view text, const FirewallServiceText& service_text);
/// The interfaces that a zone's file names; none where the file is broken.
std::vector<std::string> firewall_zone_interfaces(std::string_view text);
/// What a plan reads of a service's file: the same ports, protocols and includes, and nothing else; empty where the
/// file is broken.
std::string reduced_firewall_service(std::string_view text);

/// The zone's own entry of that port among the elements of its file, not that of a rule; nullptr: there is none.
const xml::Element* find_port_entry(const std::vector<xml::Element>& elements, const FirewallPorts& port);

}  // namespace rdmastate
