// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/classes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "resources/qos_port/gap.hpp"

namespace rdmastate {
namespace {

constexpr std::uint8_t all_classes = 8;
constexpr unsigned whole = 100;  // percent

std::uint8_t count_of(const TrafficClasses& now) {
  return now.most == 0 ? all_classes : std::min(now.most, all_classes);
}

// nullopt: no driver should say that.
std::optional<ClassShare> share_of(std::uint8_t selection, std::uint8_t bandwidth) {
  if (selection == TrafficClasses::shared && bandwidth > whole) return std::nullopt;
  switch (selection) {
    case TrafficClasses::strict:
      return ClassShare{ClassShare::By::strict, 0};
    case TrafficClasses::shaped:
      return ClassShare{ClassShare::By::cbs, 0};
    case TrafficClasses::shared:
      return ClassShare{ClassShare::By::percent, bandwidth};
    case TrafficClasses::vendor:
      return ClassShare{ClassShare::By::vendor, 0};
    default:
      return std::nullopt;
  }
}

// The highest class that the spec names.
std::uint32_t highest(const QosPortState& asked) {
  std::uint32_t most = 0;
  if (asked.priorities)
    for (const auto& [priority, its] : *asked.priorities) most = std::max(most, its.value);
  if (asked.classes && !asked.classes->empty()) most = std::max(most, asked.classes->rbegin()->first.value);
  return most;
}

bool wants(const QosPortState& asked, ClassShare::By by) {
  return asked.classes && std::any_of(asked.classes->begin(), asked.classes->end(),
                                      [&](const auto& one) { return one.second.by == by; });
}

// Why the device can never have these classes; empty: it can.
std::string why_never(const DcbPort& port, const QosPortState& asked) {
  const auto& [netdev, driver, state] = port;
  const auto& now = state.classes;
  if (driver.makes_classes)
    return fmt::format(
        "{} sets its traffic classes itself when the trust changes: rdmastate does not set them (take priorities and "
        "classes out)",
        driver.name);
  if (!now)
    return fmt::format("the driver of {} has no traffic classes (ETS): take priorities and classes out", netdev);
  if (highest(asked) >= count_of(*now))
    return fmt::format("{} has {} traffic classes, from 0: name no class {}", netdev, count_of(*now), highest(asked));
  if (now->cbs == 0 && wants(asked, ClassShare::By::cbs))
    return fmt::format("{} has no credit based shaper: name no class cbs", netdev);
  if (!driver.has_vendor_class && wants(asked, ClassShare::By::vendor))
    return fmt::format("the driver of {} has no algorithm of the vendor: name no class vendor", netdev);
  return {};
}

// Why these classes cannot be set now, with those that the spec does not name, or could not be taken back; empty: they
// can.
std::string why_not_now(const DcbPort& port, const QosPortState& from, const QosPortState& to) {
  const std::string& netdev = port.netdev;
  const bool shows_all = port.driver.shows_zero_as_all;
  const Shares were = shares_of(*from.classes), will = shares_of(*to.classes);
  if (were.sum > whole)
    return fmt::format(
        "the classes of {0} have {1}% together ({2}){3}, and could not be set back to that: `dcb ets set dev {0} tc-bw "
        "all:0 ...` gives them other percentages",
        netdev, were.sum, fmt::join(were.texts, ", "),
        shows_all ? ", as mlx5 shows a class with 0% beside one with 100%" : "");
  if (!will.is_whole())
    return fmt::format(
        "the classes of {} would have {}% together, and drivers want 100% ({}): name the others in classes", netdev,
        will.sum, fmt::join(will.texts, ", "));
  if (!port.driver.takes_zero && will.has_zero)
    return fmt::format("a class of {} would have 0%, which {} refuses ({}): give it at least 1%, or say strict", netdev,
                       port.driver.name, fmt::join(will.texts, ", "));
  if (will.has_zero_beside_all)
    return fmt::format("a class of {} would have 0% beside one with 100%, which {} ({}): name the others in classes",
                       netdev, shows_all ? "mlx5 shows as 100% of both" : "drivers show as 100% of both or refuse",
                       fmt::join(will.texts, ", "));
  return {};
}

}  // namespace

void observe_classes(const TrafficClasses& now, QosPortState& state) {
  state.priorities.emplace();
  state.classes.emplace();
  for (std::uint32_t i = 0; i < now.class_of.size(); ++i)
    if (now.class_of[i] < all_classes) state.priorities->emplace(Priority{i}, TrafficClass{now.class_of[i]});
  for (std::uint32_t i = 0; i < count_of(now); ++i)
    if (const auto share = share_of(now.selection[i], now.bandwidth[i]))
      state.classes->emplace(TrafficClass{i}, *share);
}

TrafficClasses with_classes(const TrafficClasses& now, const QosPortState& wanted) {
  TrafficClasses next = now;
  if (wanted.priorities)
    for (const auto& [priority, its] : *wanted.priorities)
      next.class_of[priority.value] = static_cast<std::uint8_t>(its.value);
  if (wanted.classes)
    for (const auto& [number, share] : *wanted.classes) {
      next.selection[number.value] = static_cast<std::uint8_t>(share.by);
      next.bandwidth[number.value] = share.percent;
    }
  for (std::size_t i = 0; i < next.selection.size(); ++i)
    if (next.selection[i] != TrafficClasses::shared) next.bandwidth[i] = 0;
  return next;
}

Shares shares_of(const std::map<TrafficClass, ClassShare>& classes) {
  Shares shares;
  bool has_all = false;
  for (const auto& [number, share] : classes) {
    if (share.by != ClassShare::By::percent) continue;
    shares.sum += share.percent;
    shares.has_zero = shares.has_zero || share.percent == 0;
    has_all = has_all || share.percent == whole;
    shares.texts.push_back(fmt::format("class {}: {}", number.value, to_text(share)));
  }
  shares.has_zero_beside_all = shares.has_zero && has_all;
  return shares;
}

void hold_back_classes(const DcbPort& port, const QosPortState& asked, const QosPortState& from, QosPortState& to,
                       Gap& gap) {
  if (to.priorities == from.priorities && to.classes == from.classes) return;
  std::string never = why_never(port, asked);
  std::string why = never.empty() ? why_not_now(port, from, to) : std::string();
  if (never.empty() && why.empty()) return;
  to.priorities = from.priorities;
  to.classes = from.classes;
  if (never.empty()) return block(gap, std::move(why), {});
  block(gap, std::move(never), {"priorities", "classes"});
}

}  // namespace rdmastate
