// SPDX-License-Identifier: Apache-2.0
#include "sys/bus.hpp"

#include <systemd/sd-bus.h>

#include <cerrno>
#include <utility>

#include "sys/bus_value.hpp"
#include "sys/sd_bus.hpp"

namespace rdmastate {
namespace {

/// An sd_bus_error that frees itself.
struct Refusal {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  Refusal() = default;
  Refusal(const Refusal&) = delete;
  Refusal& operator=(const Refusal&) = delete;
  ~Refusal() { sd_bus_functions().sd_bus_error_free(&error); }
};

// libsystemd calls this, so it must not throw: an argument that is no uint32 ends the list of numbers.
int keep_signal(sd_bus_message* message, void* kept, sd_bus_error*) {
  const SdBus& bus = sd_bus_functions();
  const char* path = bus.sd_bus_message_get_path(message);
  Bus::Signal signal{path == nullptr ? "" : path, {}};
  std::uint32_t number = 0;
  while (bus.sd_bus_message_read_basic(message, SD_BUS_TYPE_UINT32, &number) > 0) signal.numbers.push_back(number);
  static_cast<std::vector<Bus::Signal>*>(kept)->push_back(std::move(signal));
  return 0;
}

}  // namespace

BusError::BusError(const std::string& doing, std::string name, std::string_view says)
    : Error(doing + ": " + std::string(says)), name_(std::move(name)), says_(says) {}

bool BusError::is_nobody() const {
  return name_ == SD_BUS_ERROR_SERVICE_UNKNOWN || name_ == SD_BUS_ERROR_NAME_HAS_NO_OWNER;
}

bool BusError::is_gone() const {
  return name_ == SD_BUS_ERROR_UNKNOWN_OBJECT || name_ == SD_BUS_ERROR_UNKNOWN_METHOD ||
         name_ == SD_BUS_ERROR_UNKNOWN_INTERFACE;
}

// The connection of sd-bus, null where there is no system bus; and the signals that are kept for Bus::take().
class BusConnection {
 public:
  BusConnection() {
    sd_bus* bus = nullptr;
    if (sd_bus_functions().sd_bus_open_system(&bus) >= 0) bus_.reset(bus);
  }
  sd_bus* get() const { return bus_.get(); }
  std::vector<Bus::Signal> signals;

 private:
  std::unique_ptr<sd_bus, SdBusFree> bus_;
};

Bus::Bus() = default;
Bus::~Bus() = default;

bool Bus::is_there() {
  if (!connection_) connection_ = std::make_unique<BusConnection>();
  return connection_->get() != nullptr;
}

Json Bus::call(const BusObject& object, const std::string& member, const Json& arguments,
               std::chrono::microseconds patience) {
  const SdBus& bus = sd_bus_functions();
  const std::string doing = "asking " + object.service + " to " + member;
  if (!is_there()) throw BusError(doing, SD_BUS_ERROR_SERVICE_UNKNOWN, "this host has no system bus");
  sd_bus_message* made = nullptr;
  const int failed = bus.sd_bus_message_new_method_call(connection_->get(), &made, object.service.c_str(),
                                                        object.path.c_str(), object.interface.c_str(), member.c_str());
  if (failed < 0) throw SystemError(doing, -failed);
  const SdBusMessage request(made);
  bus.sd_bus_message_set_auto_start(request.get(), 0);  // a question must not start a service
  for (const auto& argument : arguments.items()) append_bus_value(*request, argument);
  Refusal refusal;
  sd_bus_message* answered = nullptr;
  const auto timeout = static_cast<std::uint64_t>(patience.count());
  const int called = bus.sd_bus_call(connection_->get(), request.get(), timeout, &refusal.error, &answered);
  const SdBusMessage answer(answered);
  if (called >= 0) return read_bus_values(*answer);
  if (refusal.error.name == nullptr) throw SystemError(doing, -called);
  throw BusError(doing, refusal.error.name, refusal.error.message == nullptr ? "" : refusal.error.message);
}

Json Bus::property(const BusObject& object, const std::string& name) {
  return call({object.service, object.path, "org.freedesktop.DBus.Properties"}, "Get",
              Json::array({object.interface, name}))[0];
}

void Bus::watch(const std::string& interface, const std::string& member) {
  const std::string rule = "type='signal',interface='" + interface + "',member='" + member + "'";
  if (!is_there()) return;
  const int failed = sd_bus_functions().sd_bus_add_match(connection_->get(), nullptr, rule.c_str(), keep_signal,
                                                         &connection_->signals);
  if (failed < 0) throw SystemError("listening for " + member + " on the system bus", -failed);
}

std::vector<Bus::Signal> Bus::take(std::chrono::milliseconds time) {
  const SdBus& bus = sd_bus_functions();
  const auto drain = [&] {
    while (bus.sd_bus_process(connection_->get(), nullptr) > 0) continue;
  };
  if (!is_there()) return {};
  drain();
  if (connection_->signals.empty()) {
    bus.sd_bus_wait(connection_->get(), static_cast<std::uint64_t>(time.count()) * 1000U);
    drain();
  }
  return std::exchange(connection_->signals, {});
}

}  // namespace rdmastate
