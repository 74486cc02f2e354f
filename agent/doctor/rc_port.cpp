// SPDX-License-Identifier: Apache-2.0
#include "doctor/rc_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/link_local.hpp"
#include "doctor/gids.hpp"
#include "doctor/rc_findings.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::uint16_t membership = 0x8000;  // of a P_Key: set for a full member
constexpr std::size_t v4_at = 12;             // offset of the IPv4 address in a mapped GID

std::string name_of(const RdmaDevice& device, const RdmaPort& port) {
  return fmt::format("{}/{}", device.name, port.number);
}

bool is_named(const std::vector<std::string>& named, const RdmaDevice& device, const RdmaPort& port) {
  return named.empty() || std::find(named.begin(), named.end(), device.name) != named.end() ||
         std::find(named.begin(), named.end(), name_of(device, port)) != named.end();
}

std::vector<RcGid> gids(Examination& look, const RdmaDevice& device, const RdmaPort& port) {
  std::vector<RcGid> all;
  for (const auto& gid : gids_of(look, device, port)) all.push_back({gid.index, gid.address, gid.type});
  if (port.link_layer == LinkLayer::ethernet) std::sort(all.begin(), all.end(), best_first);
  all.resize(std::min(all.size(), port.link_layer == LinkLayer::ethernet ? most_gids : 1));
  return all;
}

// Why no reliable connection is tried on the port; empty: one can be.
std::string obstacle(Examination& look, const RdmaDevice& device, const RdmaPort& port) {
  if (!port.is_active()) return "not tried: the port is not ACTIVE";
  if (look.speaks_iwarp(device))
    return "not tried: iWARP makes its connections through librdmacm, which rdmastate does not use; `rping -s` and "
           "`rping -c -a ADDRESS` try it";
  if (port.link_layer == LinkLayer::unspecified) return "not tried: its link layer is not known";
  if (port.link_layer == LinkLayer::infiniband && port.lid == 0) return "not tried: the port has no LID";
  if (port.link_layer == LinkLayer::infiniband && port.lid > widest_lid)
    return fmt::format("not tried: the port's LID {} has more than the 16 bits with which verbs connects", port.lid);
  return {};
}

// What the port lacks that the other end of a connection has to know, as a reason like obstacle()'s; empty: nothing.
std::string lack_of(const RcPort& port) {
  if (port.is_roce() && port.gids.empty()) return "not tried: the port has no GID";
  if (port.pkeys.empty()) return "not tried: the port has no P_Key";
  return {};
}

std::uint16_t pkey_from(std::uint32_t entry) { return static_cast<std::uint16_t>(entry); }

RcPort port_from(Examination& look, QueuePairs& queue_pairs, const RdmaDevice& device, const RdmaPort& port) {
  RcPort made{device.name, port.number, port.link_layer, port.lid, {}, {}, gids(look, device, port)};
  made.mtu = queue_pairs.active_mtu(device.name, port.number);
  for (const auto entry : port.pkeys)
    if (made.pkeys.size() < most_pkeys) made.pkeys.push_back(pkey_from(entry));
  if (made.is_roce() && made.pkeys.empty()) made.pkeys.push_back(0xffff);  // RoCE has the default partition alone
  return made;
}

// Adds the port to those that can be tried, or with a reason to those that are not.
void add_port(Examination& look, QueuePairs& queue_pairs, const RdmaDevice& device, const RdmaPort& port,
              RcPorts& all) {
  std::string why = obstacle(look, device, port);
  if (why.empty() && all.ports.size() == most_ports)
    why = fmt::format("not tried: it is behind the first {} ports; name it with --device", most_ports);
  RcPort made;
  if (why.empty()) {
    try {
      made = port_from(look, queue_pairs, device, port);
      why = lack_of(made);
    } catch (const Error& error) {
      why = fmt::format("not tried: {}", error.what());
    }
  }
  if (why.empty()) return all.ports.push_back(std::move(made));
  all.not_tried.push_back({std::string(rc_check(RcCheck::tried).id), name_of(device, port), std::move(why)});
}

// How good a pair of P_Keys is, the greater the better: the default partition counts most, then two full members.
int worth(std::uint16_t one, std::uint16_t other) {
  const bool is_default = (one | membership) == 0xffff;
  return 2 * static_cast<int>(is_default) + static_cast<int>((one & other & membership) != 0);
}

}  // namespace

Subject RcPort::subject() const { return {About::port, fmt::format("{}/{}", device, number)}; }

Reach reach_of(const RcGid& gid) {
  if (gid.address.family == rdmastate::Family::v4) return Reach::v4;
  return is_link_local(gid.address) ? Reach::link_local : Reach::v6;
}

bool best_first(const RcGid& one, const RcGid& other) {
  const auto rank = [](const RcGid& gid) { return std::tuple(gid.type != RoceMode::v2, reach_of(gid), gid.index); };
  return rank(one) < rank(other);
}

IpAddress gid_of(const RcGid& gid) {
  if (gid.address.family == rdmastate::Family::v6) return gid.address;
  IpAddress mapped;
  mapped.family = rdmastate::Family::v6;
  mapped.bytes[v4_at - 1] = mapped.bytes[v4_at - 2] = 0xff;
  std::copy_n(gid.address.bytes.begin(), gid.address.size(), mapped.bytes.begin() + v4_at);
  return mapped;
}

std::optional<std::pair<std::uint16_t, std::uint16_t>> common_pkeys(const RcPort& one, const RcPort& other) {
  std::optional<std::pair<std::uint16_t, std::uint16_t>> best;
  for (const auto a : one.pkeys)
    for (const auto b : other.pkeys) {
      const bool same = (a | membership) == (b | membership);
      if (!same || ((a | b) & membership) == 0) continue;
      if (!best || worth(a, b) > worth(best->first, best->second)) best = {a, b};
    }
  return best;
}

void must_have(const Facts& facts, const std::vector<std::string>& named) {
  std::vector<std::string> known;
  for (const auto& device : facts.devices) {
    known.push_back(device.name);
    for (const auto& port : device.ports) known.push_back(name_of(device, port));
  }
  for (const auto& name : named)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(fmt::format("--device {}: this host has no such RDMA device or port; there are: {}", name,
                              known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

RcPorts rc_ports(Examination& look, QueuePairs& queue_pairs, const std::vector<std::string>& named) {
  RcPorts all;
  for (const auto& device : look.facts.devices)
    for (const auto& port : device.ports)
      if (is_named(named, device, port)) add_port(look, queue_pairs, device, port, all);
  return all;
}

}  // namespace rdmastate::doctor
