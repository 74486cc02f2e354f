// SPDX-License-Identifier: Apache-2.0
// Implements Connections, the interface to mounts, storage and sessions, for a recorded host; reads and writes them.
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

/// Reads the record's list "connections" into the model, and writes it from the model.
void read_connections(JsonObject& top, HostModel& model);
Json connections_json(const HostModel& model);

}  // namespace rdmastate
