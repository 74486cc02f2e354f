// SPDX-License-Identifier: Apache-2.0
#include "host/firewall_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/xml.hpp"

namespace rdmastate {
namespace {

// A zone's and a service's own elements; deeper ones are of rules.
constexpr std::size_t own_depth = 1;

std::optional<FirewallPorts> ports_of(const xml::Element& element) {
  if (element.depth != own_depth || element.name != "port") return std::nullopt;
  return firewall_ports(element.value("port"), element.value("protocol"));
}

bool is_own(const xml::Element& element, std::string_view name) {
  return element.depth == own_depth && element.name == name;
}

std::vector<xml::Element> elements_or_none(std::string_view text) try {
  return xml::elements(text);
} catch (const Error&) {
  return {};
}

// Reads a service and those that it includes into one. A <port> without a port is a protocol, of old files.
class ServiceReader {
 public:
  explicit ServiceReader(const FirewallServiceText& text_of) : text_of_(text_of) {}

  FirewallService read(const std::string& name) {
    FirewallService service{name};
    add(name, service);
    return service;
  }

 private:
  void add(const std::string& name, FirewallService& service) {
    if (!seen_.insert(name).second) return;
    const auto text = text_of_(name);
    if (!text) return;
    for (const auto& element : elements_or_none(*text)) {
      if (const auto ports = ports_of(element)) service.ports.push_back(*ports);
      if (is_own(element, "port") && element.value("port").empty())
        service.protocols.emplace_back(element.value("protocol"));
      if (is_own(element, "protocol")) service.protocols.emplace_back(element.value("value"));
      if (is_own(element, "include")) add(std::string(element.value("service")), service);
    }
  }

  const FirewallServiceText& text_of_;
  std::set<std::string> seen_;
};

// A value as it stands between the double quotes of an XML attribute.
std::string quoted(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '&' || c == '<' || c == '"') {
      text += fmt::format("&#{};", static_cast<int>(c));
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

FirewallZone read_firewall_zone(std::string_view text, const FirewallServiceText& service_text) {
  const auto elements = xml::elements(text);
  if (elements.front().name != "zone") throw Error(fmt::format("its root is <{}> and not <zone>", elements[0].name));
  FirewallZone zone;
  zone.lets_all_in = elements.front().value("target") == "ACCEPT";
  for (const auto& element : elements) {
    if (const auto ports = ports_of(element)) zone.ports.push_back(*ports);
    if (is_own(element, "protocol")) zone.protocols.emplace_back(element.value("value"));
    if (is_own(element, "service"))
      zone.services.push_back(ServiceReader(service_text).read(std::string(element.value("name"))));
  }
  return zone;
}

std::vector<std::string> firewall_zone_interfaces(std::string_view text) {
  std::vector<std::string> names;
  for (const auto& element : elements_or_none(text))
    if (is_own(element, "interface")) names.emplace_back(element.value("name"));
  return names;
}

std::string reduced_firewall_service(std::string_view text) {
  constexpr std::array kept{"port", "protocol", "include"};
  std::string lines;
  for (const auto& element : elements_or_none(text)) {
    if (element.depth != own_depth || std::find(kept.begin(), kept.end(), element.name) == kept.end()) continue;
    lines += fmt::format("<{}", element.name);
    for (const char* name : {"port", "protocol", "value", "service"})
      if (element.attributes.contains(name)) lines += fmt::format(" {}=\"{}\"", name, quoted(element.value(name)));
    lines += "/>";
  }
  return lines.empty() ? "" : fmt::format("<service>{}</service>\n", lines);
}

const xml::Element* find_port_entry(const std::vector<xml::Element>& elements, const FirewallPorts& port) {
  const auto found =
      std::find_if(elements.begin(), elements.end(), [&](const xml::Element& one) { return ports_of(one) == port; });
  return found == elements.end() ? nullptr : &*found;
}

}  // namespace rdmastate
