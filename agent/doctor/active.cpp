// SPDX-License-Identifier: Apache-2.0
#include "doctor/active.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace rdmastate::doctor {
namespace {

using std::chrono::milliseconds;

/// What two queue pairs of one port are made with, to talk with each other.
struct Loop {
  QueuePairPlace place;
  RcWay way;  ///< to the port itself; `far` is filled in for each end
};

// How the port talks to itself: by LID, of RoCE by its best GID. nullopt: it cannot, and `why` becomes the reason.
std::optional<Loop> loop_of(const RcPort& port, std::string& why) {
  const auto pkeys = common_pkeys(port, port);
  if (!pkeys) {
    why =
        "not tried: the port is a limited member of all its partitions, and two limited members cannot talk; --peer "
        "with a full member tries it";
    return std::nullopt;
  }
  Loop loop{.place = {.device = port.device, .port = port.number, .pkey = pkeys->first},
            .way = {.lid = port.lid, .mtu = port.mtu}};
  if (!port.is_roce()) return loop;
  loop.place.gid_index = port.gids.front().index;
  loop.way.gid = gid_of(port.gids.front());
  return loop;
}

// The address over which the two go, for RcRoute::ways.
std::string ways_of(const RcPort& port) {
  if (!port.is_roce()) return fmt::format("LID {}", port.lid);
  const RcGid& gid = port.gids.front();
  return fmt::format("GID {} ({}, RoCE {})", gid.index, rdmastate::to_text(gid.address), rdmastate::to_text(gid.type));
}

// Sends each message there and back. nullopt: all came whole by `end` (Clock::ticks()).
std::optional<Trouble> ping_pong(const Loop& loop, const Sender& sender, milliseconds end) {
  const auto one = sender.queue_pairs.make(loop.place);
  const auto other = sender.queue_pairs.make(loop.place);
  RcWay way = loop.way;
  way.far = other->end();
  one->connect(way);
  way.far = one->end();
  other->connect(way);
  Exchange near(*one, sender.clock, end);
  Exchange far(*other, sender.clock, end);
  for (const std::size_t size : message_sizes) {
    if (auto trouble = near.send(size)) return trouble;
    if (auto trouble = far.receive(size)) return trouble;
    if (auto trouble = far.send(size)) return trouble;
    if (auto trouble = near.receive(size)) return trouble;
  }
  return std::nullopt;
}

}  // namespace

void try_ports(const Sender& sender, const Snapshot& snapshot, const Facts& facts, const ActiveWish& wish,
               Diagnosis& to) {
  Examination look(snapshot, facts);
  auto [ports, not_tried] = rc_ports(look, sender.queue_pairs, wish.devices);
  std::size_t tried = 0;
  for (const auto& port : ports) {
    std::string why;
    const auto loop = loop_of(port, why);
    if (!loop) {
      not_tried.push_back({std::string(rc_check(RcCheck::tried).id), port.subject().name, why});
      continue;
    }
    ++tried;
    const RcRoute route{port, nullptr, {}, port.mtu, ways_of(port)};
    const auto start = sender.clock.ticks();
    const auto trouble = trouble_of([&] { return ping_pong(*loop, sender, start + wish.patience); });
    to.findings.push_back(trouble ? finding_of(*trouble, route) : passed(route, sender.clock.ticks() - start));
  }
  if (tried == 0) to.findings.push_back(nothing_to_try(not_tried));
  to.looked.insert(rc_check(RcCheck::nothing_to_try).id);
  add_rc_checks(not_tried, {.messages = tried > 0, .peer = false}, to);
}

}  // namespace rdmastate::doctor
