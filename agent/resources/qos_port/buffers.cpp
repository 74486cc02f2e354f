// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "resources/qos_port/gap.hpp"

namespace rdmastate {
namespace {

PortBuffers with_buffers(const PortBuffers& now, const QosPortState& wanted) {
  PortBuffers next = now;
  if (wanted.priority_buffers)
    for (const auto& [priority, its] : *wanted.priority_buffers)
      next.of_priority[priority.value] = static_cast<std::uint8_t>(its.value);
  if (wanted.buffers)
    for (const auto& [number, size] : *wanted.buffers) next.sizes[number.value] = size.bytes;
  return next;
}

// Whether the buffer has one of these priorities (bits).
bool has_one_of(const PortBuffers& buffers, std::size_t number, unsigned priorities) {
  for (std::size_t i = 0; i < buffers.of_priority.size(); ++i)
    if ((priorities >> i & 1U) != 0 && buffers.of_priority[i] == number) return true;
  return false;
}

constexpr unsigned any = 0xff;

// A buffer's size while priorities move; `moves`: it is asked for by a priority that comes or leaves, and may be less.
struct OnTheWay {
  std::uint32_t size = 0;
  bool moves = false;
};

OnTheWay on_the_way(const PortBuffers& now, const PortBuffers& last, std::size_t number, unsigned flow) {
  const std::uint32_t was = now.sizes[number], becomes = last.sizes[number];
  for (const unsigned which : {flow, any}) {
    const bool before = has_one_of(now, number, which), after = has_one_of(last, number, which);
    if (before && after) break;
    if (after) return {becomes, true};
    if (before && (which == flow || becomes == 0)) return {was, true};
  }
  return {std::min(was, becomes), false};
}

// Those sizes. Where there is no room for them all, those that move share it.
std::array<std::uint32_t, PortBuffers::count> sizes_on_the_way(const PortBuffers& now, const PortBuffers& last,
                                                               unsigned flow) {
  std::array<std::uint32_t, PortBuffers::count> sizes{};
  std::array<OnTheWay, PortBuffers::count> all{};
  std::uint64_t stays = 0, moves = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = on_the_way(now, last, i, flow);
    sizes[i] = all[i].size;
    (all[i].moves ? moves : stays) += sizes[i];
  }
  if (now.total == 0 || stays + moves <= now.total || stays >= now.total) return sizes;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].moves) sizes[i] = static_cast<std::uint32_t>(sizes[i] * (now.total - stays) / moves);
  return sizes;
}

std::uint64_t sum_of(const PortBuffers& buffers) {
  return std::accumulate(buffers.sizes.begin(), buffers.sizes.end(), std::uint64_t{0});
}

bool is_too_much(const PortBuffers& buffers) { return buffers.total != 0 && sum_of(buffers) > buffers.total; }

// A priority that this change would leave in a buffer without a size.
std::string without_size(const PortBuffers& now, const PortBuffers& last) {
  for (std::size_t i = 0; i < last.of_priority.size(); ++i) {
    const std::size_t its = last.of_priority[i];
    if (its >= PortBuffers::count || last.sizes[its] != 0) continue;
    if (now.of_priority[i] == its && now.sizes[its] == 0) continue;
    return fmt::format("buffer {} would have no size, and priority {} is in it", its, i);
  }
  return {};
}

// A buffer that cannot take a packet of the largest MTU after the partner was asked to pause: MINIMUM_MAX_MTU of mlx5,
// which wants more, by the link's speed, the cable and the MTU (calculate_xoff).
std::string too_small_to_pause(const PortBuffers& last, unsigned flow) {
  constexpr std::uint32_t largest_packet = 9216;
  for (std::size_t i = 0; i < last.sizes.size(); ++i)
    if (last.sizes[i] != 0 && last.sizes[i] < largest_packet && has_one_of(last, i, flow))
      return fmt::format(
          "buffer {} would have {}, and a priority with flow control is in it: what comes after the "
          "partner was asked to pause needs more than {} bytes",
          i, to_text(BufferSize{last.sizes[i]}), largest_packet);
  return {};
}

// Why these buffers cannot be set; empty: they can.
std::string why_not(const std::string& netdev, const PortBuffers& now, const QosPortState& to) {
  const PortBuffers last = with_buffers(now, to);
  if (is_too_much(last))
    return fmt::format(
        "the receive buffers of {} would have {} bytes together, and it has {}: name all of them in "
        "buffers, with less",
        netdev, sum_of(last), last.total);
  if (std::string none = without_size(now, last); !none.empty())
    return fmt::format("{}: give the buffer a size in buffers, or the priority another in priority_buffers", none);
  if (std::string small = too_small_to_pause(last, to.pfc ? mask_of(*to.pfc) : 0U); !small.empty())
    return fmt::format("{}: give it more in buffers", small);
  return {};
}

}  // namespace

void observe_buffers(const PortBuffers& now, QosPortState& state) {
  state.priority_buffers.emplace();
  state.buffers.emplace();
  for (std::uint32_t i = 0; i < now.of_priority.size(); ++i)
    state.priority_buffers->emplace(Priority{i}, BufferNumber{now.of_priority[i]});
  for (std::uint32_t i = 0; i < now.sizes.size(); ++i)
    state.buffers->emplace(BufferNumber{i}, BufferSize{now.sizes[i]});
}

void forget_buffers(QosPortState& state) {
  state.priority_buffers.reset();
  state.buffers.reset();
}

bool has_buffers(const QosPortState& state) { return state.priority_buffers || state.buffers; }

void ask_sizes(const QosPortState& asked, QosPortState& to) {
  if (!asked.buffers) return;
  if (!to.buffers) to.buffers.emplace();
  for (const auto& [number, size] : *asked.buffers) {
    const auto there = to.buffers->find(number);
    if (there == to.buffers->end() || !there->second.may_be(size)) to.buffers->insert_or_assign(number, size);
  }
}

bool may_be_sizes(const QosPortState& there, const QosPortState& to) {
  if (!to.buffers) return true;
  if (!there.buffers) return false;
  return std::all_of(to.buffers->begin(), to.buffers->end(), [&](const auto& one) {
    const auto found = there.buffers->find(one.first);
    return found != there.buffers->end() && found->second.may_be(one.second);
  });
}

std::vector<PortBuffers> sets_of_buffers(const PortBuffers& now, const QosPortState& wanted, std::uint8_t flow) {
  const PortBuffers last = with_buffers(now, wanted);
  PortBuffers sized = last;
  if (last.of_priority != now.of_priority) sized.sizes = sizes_on_the_way(now, last, flow);
  PortBuffers mapped = sized;
  sized.of_priority = now.of_priority;
  std::vector<PortBuffers> sets;
  const PortBuffers* before = &now;
  for (const PortBuffers* next : std::array<const PortBuffers*, 3>{&sized, &mapped, &last}) {
    if (*next != *before) sets.push_back(*next);
    before = next;
  }
  return sets;
}

void hold_back_buffers(const DcbPort& port, const QosPortState& asked, const QosPortState& from, QosPortState& to,
                       Gap& gap) {
  if (to.priority_buffers == from.priority_buffers && to.buffers == from.buffers) return;
  const auto& now = port.now.buffers;
  std::string why = now ? why_not(port.netdev, *now, to)
                        : fmt::format(
                              "the driver of {} has no receive buffers that can be set: take buffers and "
                              "priority_buffers out",
                              port.netdev);
  if (why.empty()) return;
  to.priority_buffers = from.priority_buffers;
  to.buffers = from.buffers;
  const bool for_good = !now || is_too_much(with_buffers({.of_priority = {}, .sizes = {}, .total = now->total}, asked));
  if (for_good) return block(gap, std::move(why), {"priority_buffers", "buffers"});
  block(gap, std::move(why), {});
}

}  // namespace rdmastate
