// SPDX-License-Identifier: Apache-2.0
// systemd's transient timers of a recorded host.
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

/// "timers" of the record's object "systemd" and back.
void read_timers(JsonObject& systemd, RecordedSystemd& read);
Json timers_json(const RecordedSystemd& systemd);

}  // namespace rdmastate
