// SPDX-License-Identifier: Apache-2.0
#include "links_contract.hpp"

#include <algorithm>
#include <chrono>

namespace rdmastate {
namespace {

template <class T>
T from_text(const std::string& text) {
  T value;
  const auto complaint = Text<T>::read({text}, value);
  EXPECT_FALSE(complaint) << (complaint ? complaint->message : "");
  return value;
}

}  // namespace

IpInterface contract_address(const std::string& text) { return from_text<IpInterface>(text); }
IpNetwork contract_network(const std::string& text) { return from_text<IpNetwork>(text); }
IpAddress contract_ip(const std::string& text) { return from_text<IpAddress>(text); }

void LinksContract::TearDown() {
  for (const auto& name : made_)
    if (const auto link = links().find(name)) links().remove(*link);
}

Link LinksContract::need(const std::string& name) {
  auto link = links().find(name);
  if (!link) ADD_FAILURE() << "there is no " << name;
  return link.value_or(Link{});
}

Link LinksContract::create(const std::string& name, PKey pkey, std::optional<IpoibMode> mode) {
  made_.push_back(name);
  links().create({{mode, std::nullopt}, need(parent).index, name, pkey});
  return need(name);
}

int LinksContract::create_refusal(const std::string& name, std::uint32_t on, PKey pkey, std::optional<IpoibMode> mode) {
  made_.push_back(name);
  return errno_of([&] { links().create({{mode, std::nullopt}, on, name, pkey}); });
}

int LinksContract::set_refusal(const std::string& name, const LinkChange& change) {
  return errno_of([&] { set(name, change); });
}

bool LinksContract::settles(const std::function<bool()>& holds) {
  using namespace std::chrono_literals;
  const auto deadline = host.clock.ticks() + 20s;
  while (!holds()) {
    if (host.clock.ticks() > deadline) return false;
    host.clock.sleep(50ms);
  }
  return true;
}

bool LinksContract::gets_carrier(const std::string& name) {
  return settles([&] { return need(name).carrier; });
}

std::vector<PKey> LinksContract::table() {
  std::vector<PKey> entries;
  const Guid guid = need(parent).port_guid();
  for (const auto& device : host.rdma->devices())
    for (const auto& port : device.ports)
      if (port.guid == guid)
        for (const std::uint32_t entry : port.pkeys)
          entries.push_back({static_cast<std::uint16_t>(entry | PKey::full_member)});
  return entries;
}

PKey LinksContract::granted() {
  for (const PKey entry : table())
    if (entry.value != PKey::default_partition) return entry;
  ADD_FAILURE() << "the port of " << parent << " has the default partition only";
  return {};
}

PKey LinksContract::not_granted() {
  const auto entries = table();
  PKey pkey{0xfffe};
  while (std::find(entries.begin(), entries.end(), pkey) != entries.end()) --pkey.value;
  return pkey;
}

void IpoibContract::SetUp() {
  if (parent.empty()) GTEST_SKIP() << "no IPoIB parent here";
  parent_was_up_ = need(parent).up;
  set(parent, to_up(true));
}

void IpoibContract::TearDown() {
  LinksContract::TearDown();
  if (!parent.empty()) set(parent, to_up(parent_was_up_));
}

void BondContract::SetUp() {
  IpoibContract::SetUp();
  if (parent.empty()) return;
  host.modules->load({"bonding"});
  create("rct1", granted());
  create("rct2", granted());
}

void BondContract::TearDown() {
  if (const auto bond = links().find("rctb")) links().remove(*bond);
  IpoibContract::TearDown();
}

void BondContract::make(std::uint32_t mtu) {
  links().create(NewBond{{100U, 0U, std::vector<IpAddress>{}}, "rctb", mtu});
}

void FabricContract::SetUp() {
  IpoibContract::SetUp();
  fabric = bed->fabric();
  if (parent.empty() || fabric == nullptr) GTEST_SKIP() << "no fabric to turn here";
  later = not_granted();
}

void FabricContract::TearDown() {
  if (fabric != nullptr) {
    constexpr std::uint32_t active = 4;
    fabric->set_subnet_manager(true);
    fabric->set_state(active);
    const auto entries = table();
    if (std::find(entries.begin(), entries.end(), later) != entries.end()) fabric->revoke(later);
  }
  IpoibContract::TearDown();
}

bool FabricContract::loses_carrier(const std::string& name) {
  return settles([&] { return !need(name).carrier; });
}

RdmaPort FabricContract::port() {
  const Guid guid = need(parent).port_guid();
  for (const auto& device : host.rdma->devices())
    for (const auto& one : device.ports)
      if (one.guid == guid) return one;
  ADD_FAILURE() << "there is no port of " << parent;
  return {};
}

void EnhancedContract::SetUp() {
  parent = bed->enhanced_parent();
  if (parent.empty()) GTEST_SKIP() << "no Enhanced IPoIB here";
}

void NetworkContract::SetUp() {
  spare = bed->spare_link();
  if (spare.empty() && !parent.empty()) spare = create("rctnet", granted()).name;
  if (spare.empty()) GTEST_SKIP() << "no interface to play with";
  up(true);
  ASSERT_TRUE(gets_carrier(spare));
}

void NetworkContract::TearDown() {
  const auto link = spare.empty() ? std::nullopt : links().find(spare);
  if (link) {
    for (const auto& address : links().addresses(link->index)) links().remove(address);
    up(false);
  }
  LinksContract::TearDown();
}

void NetworkContract::up(bool wanted) { set(spare, to_up(wanted)); }

bool NetworkContract::has(const IpInterface& address) {
  const auto all = links().addresses(index());
  return std::any_of(all.begin(), all.end(), [&](const Address& one) { return one.value == address; });
}

bool NetworkContract::is_tentative(const IpInterface& address) {
  const auto all = links().addresses(index());
  return std::any_of(all.begin(), all.end(), [&](const Address& one) { return one.value == address && one.tentative; });
}

bool NetworkContract::has(const IpNetwork& to, std::uint8_t protocol) {
  const auto all = links().routes(index());
  return std::any_of(all.begin(), all.end(),
                     [&](const Route& one) { return one.to == to && one.protocol == protocol; });
}

Route NetworkContract::route(const std::string& to, const std::string& via, std::uint32_t metric) {
  Route made;
  made.to = contract_network(to);
  if (!via.empty()) made.via = contract_ip(via);
  made.link = index();
  made.metric = metric;
  return made;
}

}  // namespace rdmastate
