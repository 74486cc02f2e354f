// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "resources/qos_port/gap.hpp"

namespace rdmastate {
namespace {

// A size that the device may show for the wanted one stays: to set it again would change nothing.
PortBuffers with_buffers(const PortBuffers& now, const QosPortState& wanted) {
  PortBuffers next = now;
  if (wanted.priority_buffers)
    for (const auto& [priority, its] : *wanted.priority_buffers)
      next.of_priority[priority.value] = static_cast<std::uint8_t>(its.value);
  if (wanted.buffers)
    for (const auto& [number, size] : *wanted.buffers)
      if (!(BufferSize{now.sizes[number.value]} == size)) next.sizes[number.value] = size.bytes;
  return next;
}

bool is_used(const PortBuffers& buffers, std::size_t number) {
  return std::find(buffers.of_priority.begin(), buffers.of_priority.end(), number) != buffers.of_priority.end();
}

std::uint64_t sum_of(const PortBuffers& buffers) {
  return std::accumulate(buffers.sizes.begin(), buffers.sizes.end(), std::uint64_t{0});
}

bool is_too_much(const PortBuffers& buffers) { return buffers.total != 0 && sum_of(buffers) > buffers.total; }

// A priority whose buffer has no size.
std::string without_room(const PortBuffers& buffers) {
  for (std::size_t i = 0; i < buffers.of_priority.size(); ++i)
    if (const unsigned its = buffers.of_priority[i]; its < PortBuffers::count && buffers.sizes[its] == 0)
      return fmt::format("priority {} would have buffer {}, and that no size", i, its);
  return {};
}

// Why these buffers cannot be set; empty: they can.
std::string why_not(const std::string& netdev, const PortBuffers& now, const QosPortState& to) {
  const auto sets = sets_of_buffers(now, to);
  if (sets.empty()) return {};
  const PortBuffers& last = sets.back();
  if (is_too_much(last))
    return fmt::format(
        "the receive buffers of {} would have {} bytes together, and it has {}: give each its size in "
        "buffers, and some of them less",
        netdev, sum_of(last), last.total);
  if (std::string none = without_room(last); !none.empty())
    return fmt::format("{}: give it one in buffers, or the priority another in priority_buffers", none);
  if (std::any_of(sets.begin(), sets.end(), is_too_much))
    return fmt::format(
        "on the way the receive buffers of {} would have more than its {} bytes together, as a buffer "
        "keeps its size until its priorities have left: give it less first, and 0 with a second apply",
        netdev, now.total);
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

std::vector<PortBuffers> sets_of_buffers(const PortBuffers& now, const QosPortState& wanted) {
  const PortBuffers last = with_buffers(now, wanted);
  PortBuffers sized = last;
  sized.of_priority = now.of_priority;
  for (std::size_t i = 0; i < sized.sizes.size(); ++i)
    if (sized.sizes[i] == 0 && is_used(now, i)) sized.sizes[i] = now.sizes[i];
  PortBuffers mapped = sized;
  mapped.of_priority = last.of_priority;
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
