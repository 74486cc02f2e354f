// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/timers.hpp"

#include "base/error.hpp"
#include "base/json_object.hpp"

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
  systemd.each_member("timers", [&](const std::string& name, const Json& value, const std::string& path) {
    JsonObject in(value, path);
    RecordedTimer timer;
    timer.seconds = in.number("seconds");
    timer.arguments = in.texts("arguments");
    in.finish();
    read.timers.emplace(name, std::move(timer));
  });
}

Json timers_json(const RecordedSystemd& systemd) {
  Json out = Json::object();
  for (const auto& [name, timer] : systemd.timers)
    out["timers"][name] = {{"seconds", timer.seconds}, {"arguments", Json::array_of(timer.arguments)}};
  return out;
}

}  // namespace rdmastate
