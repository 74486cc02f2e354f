// SPDX-License-Identifier: Apache-2.0
#include "host/recorded_timers.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "host/recorded_reader.hpp"

namespace rdmastate {

bool RecordedTimers::answers() {
  ++log_.reads.managers;
  return model_.systemd.has_value();
}

void RecordedTimers::arm(const std::string& name, std::chrono::seconds after,
                         const std::vector<std::string>& arguments) {
  const std::string doing = "arming the timer " + name;
  if (!model_.systemd) throw Error(doing + ": systemd does not answer on the bus");
  log_.move(doing, [&] {
    const RecordedTimer timer{static_cast<std::uint32_t>(after.count()), arguments};
    if (!model_.systemd->timers.emplace(name, timer).second) throw Error(doing + ": there is one of that name");
  });
}

void RecordedTimers::disarm(const std::string& name) {
  if (!model_.systemd || !model_.systemd->timers.contains(name)) return;
  log_.move("taking the timer " + name + " away", [&] { model_.systemd->timers.erase(name); });
}

void read_timers(JsonObject& systemd, RecordedSystemd& read) {
  systemd.each_member("timers", [&](const std::string& name, const nlohmann::json& value, const std::string& path) {
    JsonObject in(value, path);
    RecordedTimer timer;
    timer.seconds = in.number("seconds");
    timer.arguments = in.texts("arguments");
    in.finish();
    read.timers.emplace(name, std::move(timer));
  });
}

nlohmann::json timers_json(const RecordedSystemd& systemd) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, timer] : systemd.timers)
    out["timers"][name] = {{"seconds", timer.seconds}, {"arguments", timer.arguments}};
  return out;
}

}  // namespace rdmastate
