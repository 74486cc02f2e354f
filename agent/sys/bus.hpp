// SPDX-License-Identifier: Apache-2.0
// The system bus through libsystemd, opened on first use; every answer as one JSON value.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"

namespace rdmastate {

/// A service's refusal. `name()` is that of the D-Bus error: "org.freedesktop.DBus.Error.UnknownObject".
class BusError : public Error {
 public:
  BusError(const std::string& doing, std::string name, std::string_view says);
  const std::string& name() const noexcept { return name_; }
  /// The service's own message.
  const std::string& says() const noexcept { return says_; }
  /// No process has the service's name on the bus: the service does not run.
  bool is_nobody() const;
  /// The service has no such object, or the object has no such interface or method.
  bool is_gone() const;

 private:
  std::string name_;
  std::string says_;
};

/// Where a method is.
struct BusObject {
  std::string service;
  std::string path;
  std::string interface;
};

class BusConnection;  ///< sd-bus behind it

/// A connection to the system bus by sd-bus, opened at the first call.
class Bus {
 public:
  Bus();
  ~Bus();

  /// False: this host has no system bus, or it does not answer. This and all below throw Error where libsystemd is not
  /// installed.
  bool is_there();
  /// Calls the method `member`, and waits up to `patience` for the answer; none until then is a SystemError
  /// (ETIMEDOUT). Returns the values of the answer as a list. `arguments` is a list; append_bus_value() says which
  /// D-Bus types its values get. Throws BusError where the service refuses, does not run (a call never starts it) or
  /// this host has no bus, and SystemError where the call itself fails.
  Json call(const BusObject& object, const std::string& member, const Json& arguments,
            std::chrono::microseconds patience = std::chrono::seconds(30));
  /// The value of a property of the object. Throws as call() does.
  Json property(const BusObject& object, const std::string& name);

  /// From now on signals of this interface and member are kept for take(). Does nothing where this host has no bus.
  void watch(const std::string& interface, const std::string& member);
  /// A signal that came.
  struct Signal {
    std::string path;                    ///< of the object that sent it
    std::vector<std::uint32_t> numbers;  ///< its arguments up to the first that is no uint32
  };
  /// The signals that came since the last call; waits up to `time` for the first. Empty: none came, or there is no bus.
  std::vector<Signal> take(std::chrono::milliseconds time);

 private:
  std::unique_ptr<BusConnection> connection_;
};

}  // namespace rdmastate
