// SPDX-License-Identifier: Apache-2.0
// Implements Timers, the interface to systemd's transient timers, for a recorded host; reads and writes them.
#pragma once

#include "base/json.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"
#include "host/timers.hpp"

namespace rdmastate {

class JsonObject;

/// The timers that systemd was given. None of them starts its program by itself.
class RecordedTimers final : public Timers {
 public:
  RecordedTimers(HostModel& model, CallLog& log) : model_(model), log_(log) {}
  bool answers() override;
  void arm(const std::string& name, std::chrono::seconds after, const std::vector<std::string>& arguments) override;
  void disarm(const std::string& name) override;

 private:
  HostModel& model_;
  CallLog& log_;
};

/// Reads "timers" of the record's object "systemd" into `read`, and writes it.
void read_timers(JsonObject& systemd, RecordedSystemd& read);
Json timers_json(const RecordedSystemd& systemd);

}  // namespace rdmastate
