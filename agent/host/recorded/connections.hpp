// SPDX-License-Identifier: Apache-2.0
// Mounts, storage and sessions of a recorded host.
#pragma once

#include "base/json.hpp"
#include "host/connections.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

class JsonObject;

/// The record's own list: it stays the same whatever happens to the model's interfaces.
class RecordedConnections final : public Connections {
 public:
  RecordedConnections(HostModel& model, CallLog& log) : model_(model), log_(log) {}
  std::vector<Connection> list() override {
    ++log_.reads.connections;
    return model_.connections;
  }

 private:
  HostModel& model_;
  CallLog& log_;
};

/// The record's list "connections" and back.
void read_connections(JsonObject& top, HostModel& model);
Json connections_json(const HostModel& model);

}  // namespace rdmastate
