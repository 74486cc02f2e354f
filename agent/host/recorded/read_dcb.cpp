// SPDX-License-Identifier: Apache-2.0
// Reads what a record's JSON text has of an interface's DCB (read_dcb: flow control, DSCPs, traffic classes, buffers,
// DCBX), and its global pause (read_pause) and counters (read_flow_counters). Errors name the place in the text.
#include <fmt/format.h>

#include <limits>

#include "base/json_object.hpp"
#include "base/types_device.hpp"
#include "host/recorded/dcb.hpp"

namespace rdmastate {
namespace {

// The bit of FlowControl::priorities.
std::uint8_t bit_of(std::uint32_t priority, const std::string& path) {
  if (priority > PriorityBounds::most) throw Error(path + ": expected a priority from 0 to 7");
  return static_cast<std::uint8_t>(1U << priority);
}

// Eight numbers; absent: zeros.
template <class Number>
void read_eight(JsonObject& in, const std::string& key, std::array<Number, 8>& out,
                std::uint32_t most = std::numeric_limits<Number>::max()) {
  const std::string expected = fmt::format("expected 8 numbers from 0 to {}", most);
  std::size_t count = 0;
  in.each(key, [&](const Json& one, const std::string& path) {
    const std::uint32_t value = json_number(one, path);
    if (count >= out.size() || value > most) throw Error(path + ": " + expected);
    out[count++] = static_cast<Number>(value);
  });
  if (count != 0 && count != out.size()) in.refuse(key, expected);
}

TrafficClasses read_classes(JsonObject& in) {
  TrafficClasses classes;
  classes.most = in.small_number_or<std::uint8_t>("most", 0);
  classes.cbs = in.small_number_or<std::uint8_t>("cbs", 0);
  classes.willing = in.small_number_or<std::uint8_t>("willing", 0);
  for (const auto& [name, eight] : arrays_of_classes) read_eight(in, std::string(name), classes.*eight);
  return classes;
}

PortBuffers read_buffers(JsonObject& in) {
  PortBuffers buffers;
  buffers.total = in.number_or("total", 0);
  read_eight(in, "of_priority", buffers.of_priority, BufferBounds::most);
  read_eight(in, "sizes", buffers.sizes);
  return buffers;
}

// Whether the member is there and not null, which stands for what the driver does not have.
bool has_value(JsonObject& in, const std::string& key) { return in.has(key) && !in.json(key).is_null(); }

std::uint64_t counter_of(const Json& value, const std::string& path) {
  if (!value.is_unsigned()) throw Error(path + ": expected a whole number that is not negative");
  return value.number();
}

}  // namespace

DcbState read_dcb(JsonObject& in) {
  DcbState state;
  if (in.has("pfc")) state.flow_control.emplace();
  in.each("pfc", [&](const Json& one, const std::string& path) {
    state.flow_control->priorities |= bit_of(json_number(one, path), path);
  });
  if (state.flow_control) state.flow_control->most = in.small_number_or<std::uint8_t>("most", 0);
  if (state.flow_control) state.flow_control->delay = in.small_number_or<std::uint16_t>("delay", 0);
  in.each_member("dscp", [&](const std::string& name, const Json& one, const std::string& path) {
    Dscp dscp;
    if (Text<Dscp>::read({name, /*plain=*/true}, dscp)) throw Error(path + ": expected a DSCP from 0 to 63");
    const std::uint32_t priority = json_number(one, path);
    bit_of(priority, path);  // refuses a priority above 7
    state.dscp.emplace(static_cast<std::uint8_t>(dscp.value), static_cast<std::uint8_t>(priority));
  });
  state.is_older = !in.has("ets") && !in.has("dcbx");
  if (has_value(in, "ets")) in.with("ets", [&](JsonObject& ets) { state.classes = read_classes(ets); });
  state.is_before_buffers = !in.has("buffers");
  if (has_value(in, "buffers")) in.with("buffers", [&](JsonObject& one) { state.buffers = read_buffers(one); });
  if (has_value(in, "dcbx")) state.dcbx = DcbxMode{in.small_number_or<std::uint8_t>("dcbx", 0)};
  return state;
}

PauseState read_pause(JsonObject& in) {
  PauseState state{in.flag_or("autoneg", false), in.flag_or("rx", false), in.flag_or("tx", false), std::nullopt};
  if (!in.has("tx_frames")) return state;
  state.tx_frames = counter_of(in.json("tx_frames"), in.place("tx_frames"));
  return state;
}

FlowCounters read_flow_counters(JsonObject& link) {
  FlowCounters counters;
  link.each_member("flow_counters", [&](const std::string& name, const Json& one, const std::string& path) {
    counters.emplace(name, counter_of(one, path));
  });
  return counters;
}

}  // namespace rdmastate
