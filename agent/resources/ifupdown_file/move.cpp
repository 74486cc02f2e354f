// SPDX-License-Identifier: Apache-2.0
// The order is ifdown, file, ifup: ifdown goes by the stanzas that stand in the file, so it runs while the old ones do.
// A step that finds half of this done goes on from there. ifup fails on an address that the interface has already, so
// bring_up() first forces such an interface down. take_down() does so only where ifupdown held it when the step began:
// any other may be configured by another program. What a failed ifup has set up is removed at once (clean_up), since
// nobody could tell later whose it is.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/link_local.hpp"
#include "host/ifupdown.hpp"
#include "resources/ifupdown_file/ifupdown_file.hpp"
#include "resources/ifupdown_file/running.hpp"
#include "resources/link_table.hpp"

namespace rdmastate {
namespace {

using InterfaceNames = std::set<std::string>;

bool is_child(const std::string& interface) { return !ifupdown_parent(interface).empty(); }

class Move {
 public:
  explicit Move(Tools& tools) : tools_(tools), held_at_start_(held()) {}

  void take_down(const IfupdownFileState& before);
  void bring_up(const IfupdownFileState& after, bool is_new);
  void bring_back(const IfupdownFileState& after);

 private:
  InterfaceNames held() const;
  std::vector<Address> addresses_of(const std::string& interface) const;
  bool has_addresses(const std::string& interface) const;
  bool is_in_the_way(const InterfaceStanzas& stanzas) const;
  bool is_half_up(const std::string& interface) const;
  void force_down(const std::string& interface);
  void clean_up(const std::string& interface);
  void ifup(const std::string& interface);
  void await_removal(const InterfaceNames& interfaces);

  Tools& tools_;
  InterfaceNames held_at_start_;
};

InterfaceNames Move::held() const {
  InterfaceNames names;
  const auto text = tools_.host.files.read(std::string(ifstate_path));
  for (const auto& [name, by] : read_ifstate(text ? *text : "")) names.insert(name);
  return names;
}

std::vector<Address> Move::addresses_of(const std::string& interface) const {
  const auto link = tools_.host.links->find(interface);
  return link ? tools_.host.links->addresses(link->index) : std::vector<Address>();
}

bool Move::is_in_the_way(const InterfaceStanzas& stanzas) const {
  return !held().contains(stanzas.name) && has_one_of(stanzas, addresses_of(stanzas.name));
}

// The kernel removes a child some time after its delete_child was written. ifup before that would find it there, and it
// would go afterwards.
void Move::await_removal(const InterfaceNames& interfaces) {
  using namespace std::chrono_literals;
  const auto until = tools_.host.clock.ticks() + 5s;
  for (const auto& name : interfaces)
    while (is_child(name) && tools_.host.links->find(name) && tools_.host.clock.ticks() < until)
      tools_.host.clock.sleep(20ms);
}

void Move::force_down(const std::string& interface) {
  tools_.host.ifupdown->force_down(interface);
  await_removal({interface});
}

// The file's interfaces, children first: ifdown of a port takes its children along.
void Move::take_down(const IfupdownFileState& before) {
  const auto stanzas = stanzas_of(before);
  for (const bool children : {true, false})
    for (const auto& one : stanzas) {
      if (is_child(one.name) != children) continue;
      if (held().contains(one.name)) tools_.host.ifupdown->down(one.name);
      if (held_at_start_.contains(one.name) && is_in_the_way(one)) force_down(one.name);
    }
  InterfaceNames gone = held_at_start_;
  for (const auto& name : held()) gone.erase(name);
  await_removal(gone);
}

// Forces the interface down after a failed ifup. An error of this is not told: ifdown goes on where one of its commands
// fails, and the caller throws the error of ifup.
void Move::clean_up(const std::string& interface) {
  try {
    force_down(interface);
  } catch (const Error&) {
    return;
  }
}

bool Move::has_addresses(const std::string& interface) const {
  const auto there = addresses_of(interface);
  return std::any_of(there.begin(), there.end(), [](const Address& one) { return !is_link_local(one.value.address); });
}

// Whether the interface has addresses that its file names, and ifupdown does not hold it.
bool Move::is_half_up(const std::string& interface) const {
  const auto text = tools_.host.files.read(ifupdown_path(interface));
  const auto stanzas = read_interfaces_text(text ? *text : "");
  return !stanzas.empty() && is_in_the_way(stanzas.front());
}

// What ifup made of an interface before it failed goes again. The file's addresses were not there before: see bring_up.
void Move::ifup(const std::string& interface) {
  const bool was_used = has_addresses(interface);
  try {
    tools_.host.ifupdown->up(interface);
    if (!held().contains(interface))
      throw Error(fmt::format("ifup {} ended well and did not bring it up: journalctl -b and the kernel's log say why",
                              interface));
  } catch (const Error&) {
    if (!was_used || held().contains(interface) || is_half_up(interface)) clean_up(interface);
    throw;
  }
}

// Of a file that was not there before, ifupdown may hold the interface by stanzas that are gone.
void Move::bring_up(const IfupdownFileState& after, bool is_new) {
  const auto stanzas = stanzas_of(after);
  if (stanzas.empty()) return;
  const InterfaceStanzas& one = stanzas.front();
  const bool by_another = is_new && held().contains(one.name);
  if (by_another || is_in_the_way(one)) force_down(one.name);
  if (!held().contains(one.name)) ifup(one.name);
}

// What went down along with the interface, and in undo what was up beside it. One that fails does not keep the others.
void Move::bring_back(const IfupdownFileState& after) {
  InterfaceNames names = held_at_start_;
  if (after.others) names.insert(after.others->begin(), after.others->end());
  std::string failed;
  for (const auto& name : names) {
    if (held().contains(name)) continue;
    try {
      ifup(name);
    } catch (const Error& error) {
      failed += (failed.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (!failed.empty()) throw Error(failed);
}

const IfupdownFileState* state_in(const State* state) {
  return state == nullptr ? nullptr : &state->as<IfupdownFileState>();
}

void move_file(Tools& tools, const std::string& key, const IfupdownFileState* from, const IfupdownFileState* to) {
  if (to == nullptr) return tools.host.files.remove(key);
  if (from == nullptr || !is_as_wanted(*from, *to)) write_file(tools, key, *to);
}

}  // namespace

void move_ifupdown_file(Tools& tools, const std::string& key, const State* from_state, const State* to_state) {
  const auto *from = state_in(from_state), *to = state_in(to_state);
  const bool is_told = tools.host.ifupdown != nullptr && tools.host.ifupdown->is_here();
  if (!is_told) return move_file(tools, key, from, to);
  Move move(tools);
  if (takes_down(from, to)) move.take_down(*from);
  move_file(tools, key, from, to);
  if (to != nullptr && to->up.value_or(false)) {
    move.bring_up(*to, /*is_new=*/from == nullptr);
    move.bring_back(*to);
  }
  tools.links.forget();
}

}  // namespace rdmastate
