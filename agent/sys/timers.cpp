// SPDX-License-Identifier: Apache-2.0
// Calls systemd's interface on the system bus, org.freedesktop.systemd1(5). One call, StartTransientUnit, makes a timer
// and the service that it starts, as systemd-run(1) does. It uses only properties that systemd 234 knows.
#include "sys/timers.hpp"

#include "sys/units.hpp"

namespace rdmastate {
namespace {

constexpr std::uint64_t accuracy_us = 100'000;  // systemd's default is a minute
constexpr std::uint64_t second_us = 1'000'000;

// A property as StartTransientUnit takes it: (sv).
Json property(const char* name, const char* type, Json value) {
  return Json::array({name, Json::object({{type, std::move(value)}})});
}

/// How the time is given to systemd: before 237 it knows the second way alone, which newer ones call obsolete.
enum class Wording { list, single };

Json timer_properties(const std::string& text, std::uint64_t after_us, Wording wording) {
  return Json::array({property("Description", "s", text), property("AccuracyUSec", "t", accuracy_us),
                      property("RemainAfterElapse", "b", false),
                      wording == Wording::list
                          ? property("TimersMonotonic", "a(st)", Json::array({Json::array({"OnActiveSec", after_us})}))
                          : property("OnActiveSec", "t", after_us)});
}

// The service has no restrictions, unlike the installed units: it runs what a user would type. A rollback may have to
// make an initrd, and the program that does it runs whatever hooks the distribution has. A DHCP client that ifup starts
// goes on when the service has ended.
Json service_properties(const std::string& text, const std::string& program,
                        const std::vector<std::string>& arguments) {
  Json words = Json::array({program});
  for (const auto& argument : arguments) words.push_back(argument);
  return Json::array({property("Description", "s", text), property("SyslogIdentifier", "s", "rdmastate"),
                      property("KillMode", "s", "process"),
                      property("ExecStart", "a(sasb)", Json::array({Json::array({program, words, false})}))});
}

}  // namespace

bool BusTimers::answers() { return systemd_answers(bus_); }

// The path of this program: the file that stands there later is this program or a newer one.
std::string BusTimers::program() const {
  const std::string path = root_.read_link("/proc/self/exe").value_or("");
  if (path.empty() || path.ends_with(" (deleted)"))
    throw Error("systemd cannot run this program later: its file " + (path.empty() ? "is not known" : path) +
                ": start it again from where it is installed");
  return path;
}

// The unit's ActiveState; "inactive" for a unit that systemd does not know.
std::string BusTimers::state(const std::string& unit) {
  try {
    const std::string path = bus_.call(systemd_manager(), "GetUnit", Json::array({unit}))[0].text();
    return bus_.property({systemd_bus_name, path, "org.freedesktop.systemd1.Unit"}, "ActiveState").text();
  } catch (const BusError& error) {
    if (error.name() == "org.freedesktop.systemd1.NoSuchUnit" || error.is_gone()) return "inactive";
    throw;
  }
}

void BusTimers::wait_for(const std::string& unit, const std::string& wanted) {
  constexpr std::chrono::milliseconds patience{5000};
  constexpr std::chrono::milliseconds pause{10};
  const auto until = clock_.ticks() + patience;
  std::string now;
  while ((now = state(unit)) != wanted) {
    if (clock_.ticks() >= until) throw Error("systemd's " + unit + " does not become " + wanted + " but is " + now);
    clock_.sleep(pause);
  }
}

void BusTimers::arm(const std::string& name, std::chrono::seconds after, const std::vector<std::string>& arguments) {
  const std::string text = "rdmastate " + Json::array_of(arguments).dump();
  const Json services = Json::array({Json::array({name + ".service", service_properties(text, program(), arguments)})});
  const auto start = [&](Wording wording) {
    const auto after_us = static_cast<std::uint64_t>(after.count()) * second_us;
    bus_.call(
        systemd_manager(), "StartTransientUnit",
        Json::array({name + ".timer", "fail", Json::object({{"a(sv)", timer_properties(text, after_us, wording)}}),
                     Json::object({{"a(sa(sv))", services}})}));
  };
  try {
    start(Wording::list);
  } catch (const BusError& error) {
    if (error.name() != "org.freedesktop.DBus.Error.PropertyReadOnly") throw;
    start(Wording::single);
  }
  wait_for(name + ".timer", "active");
}

void BusTimers::disarm(const std::string& name) {
  if (!answers() || state(name + ".timer") == "inactive") return;
  bus_.call(systemd_manager(), "StopUnit", Json::array({name + ".timer", "replace"}));
  wait_for(name + ".timer", "inactive");
}

}  // namespace rdmastate
