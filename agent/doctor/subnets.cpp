// SPDX-License-Identifier: Apache-2.0
// Checks of the addresses of RDMA interfaces: several interfaces in one IPv4 subnet, which need other settings of ARP
// and of reverse-path filtering, and IPv6 addresses that another host has too. `table`, at the end, lists the checks.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text.hpp"
#include "doctor/examination.hpp"

namespace rdmastate::doctor {
namespace {

// The RDMA interfaces that are up: IPoIB interfaces and their bonds, and the network devices of RDMA ports whose link
// layer is Ethernet.
std::vector<const Link*> interfaces(Examination& look) {
  std::vector<const Link*> links;
  if (look.facts.devices.empty()) return links;
  for (const Link* link : look.snapshot.links())
    if (link->carries_ipoib() && link->up) links.push_back(link);
  for (const auto& device : look.facts.devices)
    for (const auto& port : device.ports) {
      const Link* link = port.link_layer == LinkLayer::ethernet ? look.interface_of(device, port) : nullptr;
      if (link != nullptr && link->up && std::find(links.begin(), links.end(), link) == links.end())
        links.push_back(link);
    }
  return links;
}

/// A sysctl of net.ipv4.conf for one interface, as the kernel applies it.
struct Sysctl {
  std::uint64_t value = 0;  ///< the larger one of conf/INTERFACE and conf/all (ip-sysctl.rst of the kernel)
  Evidence evidence;
};
// nullopt: /proc/sys does not show both.
std::optional<Sysctl> setting_of(Examination& look, const Link& link, const char* name) {
  const std::string own = fmt::format("/proc/sys/net/ipv4/conf/{}/{}", link.name, name);
  const auto mine = look.number(own);
  const auto all = look.number(fmt::format("/proc/sys/net/ipv4/conf/all/{}", name));
  if (!mine || !all) return std::nullopt;
  return Sysctl{std::max(*mine, *all), {own, fmt::format("{} (all: {})", *mine, *all)}};
}

/// An IPv4 subnet, and the RDMA interfaces that have addresses in it: two at least.
struct Shared {
  IpNetwork network;
  std::vector<const Link*> links;

  std::string names() const {
    std::string text;
    for (const Link* link : links) text += (text.empty() ? "" : ", ") + link->name;
    return text;
  }
};

// IPv4 subnets in which several RDMA interfaces have an address. An address of /32 has no subnet.
std::vector<Shared> shared_subnets(Examination& look) {
  std::map<IpNetwork, std::vector<const Link*>> by_network;
  for (const Link* link : interfaces(look))
    for (const auto& address : look.snapshot.addresses(link->index)) {
      if (address.value.address.family != Family::v4 || address.value.length == 32) continue;
      auto& links = by_network[network_of(address.value)];
      if (std::find(links.begin(), links.end(), link) == links.end()) links.push_back(link);
    }
  std::vector<Shared> shared;
  for (auto& [network, links] : by_network)
    if (links.size() > 1) shared.push_back({network, std::move(links)});
  return shared;
}

// Adds one finding per shared subnet in which `is_wrong` is true of the sysctl `name` of at least one interface. The
// other texts are parts of the finding; `symptom` follows "A, B have addresses in SUBNET, and".
template <class IsWrong>
void judge(Examination& look, const char* name, IsWrong&& is_wrong, const std::string& symptom,
           const std::string& cause, const std::string& fix) {
  for (const auto& subnet : shared_subnets(look)) {
    std::vector<Evidence> evidence;
    for (const Link* link : subnet.links) {
      const auto setting = setting_of(look, *link, name);
      if (!setting)
        look.unseen(fmt::format("/proc/sys/net/ipv4/conf/{}/{}", link->name, name), "it is not shown");
      else if (is_wrong(setting->value))
        evidence.push_back(setting->evidence);
    }
    if (evidence.empty()) continue;
    look.found(
        {About::interface, subnet.links.front()->name},
        fmt::format("{} have addresses in {}, and {}", subnet.names(), rdmastate::to_text(subnet.network), symptom),
        cause, fix, std::move(evidence));
  }
}

void look_for_flux(Examination& look) {
  judge(
      look, "arp_ignore", [](std::uint64_t value) { return value == 0; }, "each answers ARP for all of them",
      "With arp_ignore 0 the kernel answers for any address of the host on any interface (ARP flux): peers send to the "
      "wrong port.",
      "One subnet per interface; or in a file of /etc/sysctl.d: net.ipv4.conf.all.arp_ignore = 1 and "
      "net.ipv4.conf.all.arp_announce = 2.");
}

void look_for_filter(Examination& look) {
  judge(
      look, "rp_filter", [](std::uint64_t value) { return value == 1; },
      "the kernel drops what comes in by the other one",
      "Strict reverse-path filtering (rp_filter 1) takes packets on the interface only that the route back leads through.",
      "One subnet per interface; or in a file of /etc/sysctl.d: net.ipv4.conf.all.rp_filter = 2.");
}

void look_for_duplicates(Examination& look) {
  for (const Link* link : interfaces(look))
    for (const auto& address : look.snapshot.addresses(link->index))
      if (address.duplicate)
        look.found({About::interface, link->name},
                   fmt::format("another host has {}", rdmastate::to_text(address.value.address)),
                   "Duplicate address detection found it on the network, and this host does not use it.",
                   "Give one of the two another address: ipoib.ipv6.addresses.",
                   {{"address " + rdmastate::to_text(address.value), "duplicate"}});
}

constexpr Check subnet_table[] = {
    {"arp-flux", Severity::warning,
     "Several RDMA interfaces have addresses in one subnet, and each answers ARP for all",
     "IPoIB or RoCE interfaces that share a subnet need arp_ignore 1 and arp_announce 2: else a peer's ARP is answered by "
     "whichever interface comes first, all traffic takes one port, and rdma_cm binds to the wrong device.",
     look_for_flux},
    {"reverse-path-filter", Severity::warning,
     "Several RDMA interfaces have addresses in one subnet, and packets are dropped by their source",
     "With rp_filter 1 a packet is dropped unless the route to its source leads out by the interface that it came in by. Of "
     "two interfaces in a subnet one has the route: what comes in by the other is lost without a word.",
     look_for_filter},
    {"duplicate-address", Severity::error, "An RDMA interface has an address that another host has",
     "IPv6 asks the network before it uses an address. Where another host answers, the address is marked and never used, "
     "and connections to it reach the other host.",
     look_for_duplicates},
};

FilePlaces subnet_places() {
  FilePlaces places;
  for (const char* name : {"arp_ignore", "rp_filter"})
    places.push_back({std::string("/proc/sys/net/ipv4/conf/*/") + name});
  return places;
}

}  // namespace

const CheckFamily subnet_checks{subnet_table, subnet_places};

}  // namespace rdmastate::doctor
