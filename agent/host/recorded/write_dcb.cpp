// SPDX-License-Identifier: Apache-2.0
// Writes what read_dcb.cpp reads.
#include "base/json.hpp"
#include "host/recorded/dcb.hpp"

namespace rdmastate {
namespace {

template <class Numbers>
Json numbers_json(const Numbers& numbers) {
  Json out = Json::array();
  for (const std::uint32_t one : numbers) out.push_back(one);
  return out;
}

Json classes_json(const TrafficClasses& classes) {
  Json out = {{"most", classes.most}, {"cbs", classes.cbs}, {"willing", classes.willing}};
  for (const auto& [name, eight] : arrays_of_classes) {
    if (classes.*eight == TrafficClasses::Eight{}) continue;
    out[std::string(name)] = numbers_json(classes.*eight);
  }
  return out;
}

Json buffers_json(const PortBuffers& buffers) {
  return {{"total", buffers.total},
          {"of_priority", numbers_json(buffers.of_priority)},
          {"sizes", numbers_json(buffers.sizes)}};
}

}  // namespace

Json dcb_json(const DcbState& state) {
  Json out = Json::object();
  if (state.flow_control) {
    out = {{"pfc", Json::array()}, {"most", state.flow_control->most}, {"delay", state.flow_control->delay}};
    for (unsigned priority = 0; priority < 8; ++priority)
      if ((state.flow_control->priorities >> priority & 1U) != 0) out["pfc"].push_back(priority);
  }
  for (const auto& [dscp, priority] : state.dscp) out["dscp"][std::to_string(dscp)] = priority;
  if (state.is_older) return out;  // an earlier version made the record, without ETS and DCBX
  out["ets"] = state.classes ? classes_json(*state.classes) : Json();
  if (!state.is_before_buffers) out["buffers"] = state.buffers ? buffers_json(*state.buffers) : Json();
  out["dcbx"] = state.dcbx ? Json(state.dcbx->bits) : Json();
  return out;
}

Json pause_json(const PauseState& state) {
  Json out = {{"autoneg", state.autoneg}, {"rx", state.rx}, {"tx", state.tx}};
  if (state.tx_frames) out["tx_frames"] = *state.tx_frames;
  return out;
}

}  // namespace rdmastate
