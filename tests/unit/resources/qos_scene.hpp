// SPDX-License-Identifier: Apache-2.0
// A port of the guide's host with priorities and traffic classes, specs of it, and what they have it set.
#pragma once

#include <gtest/gtest.h>

#include "resources/qos_port/qos_port.hpp"
#include "support/scene.hpp"

namespace rdmastate::qos_scene {

inline const std::string netdev = "enp129s0d1";

inline std::string spec(const std::string& qos, const std::string& number = "2") {
  return "version: 1\ndevices:\n  - match: {node_guid: \"f452:1403:007b:cba0\"}\n    ports: {" + number +
         ": {qos: " + qos + "}}\n";
}

inline HostModel with(const DcbState& state) {
  HostModel model = guide_model();
  model.find(netdev)->dcb = state;
  return model;
}

inline HostModel of_driver(const std::string& driver, HostModel model) {
  for (auto& device : model.devices) device.driver = driver;
  return model;
}

inline DcbState state_of(std::uint8_t pfc, std::set<DscpEntry> dscp) {
  return {FlowControl{pfc, 8, 0, 7}, std::move(dscp)};
}

inline Gap gap_of(const std::string& text, HostModel model) { return gap_in(std::move(model), text, qos_port_kind); }

/// As mlx5's driver begins: all classes are the vendor's.
inline TrafficClasses classes_of_vendor() {
  TrafficClasses classes;
  classes.most = 8;
  classes.selection.fill(TrafficClasses::vendor);
  classes.bandwidth.fill(100);
  classes.class_of = {1, 0, 2, 3, 4, 5, 6, 7};
  return classes;
}

/// The sets that an apply of this spec sends to the driver.
inline std::vector<std::string> sets(RecordedHost& host, const std::string& text) {
  const std::size_t before = host.calls().size();
  const Outcome outcome = apply_spec(host, text);
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  std::vector<std::string> found;
  for (std::size_t i = before; i < host.calls().size(); ++i)
    if (host.calls()[i].find(netdev) != std::string::npos) found.push_back(host.calls()[i]);
  return found;
}

inline HostModel with_classes(const TrafficClasses& classes) {
  DcbState state = state_of(0x08, {});
  state.classes = classes;
  return with(state);
}

}  // namespace rdmastate::qos_scene
