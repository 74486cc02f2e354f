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

/// A service's no. `name()` is the D-Bus error's: "org.freedesktop.DBus.Error.UnknownObject".
class BusError : public Error {
 public:
  BusError(const std::string& doing, std::string name, std::string_view says);
  const std::string& name() const noexcept { return name_; }
  /// Nobody has the service's name: it does not run.
  bool is_nobody() const;
  /// The object is gone.
  bool is_gone() const;

 private:
  std::string name_;
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

  /// False: this host has no system bus, or it does not answer.
  bool is_there();
  /// Throws BusError. Arguments by their D-Bus types: string "s", number as "u", a list of strings as "as"; {"type",
  /// value} says others: {"o", path}, {"t", number}, {"a{sa{sv}}", {}}, {"a(sv)", [["Name", {"s": value}]]}.
  Json call(const BusObject& object, const std::string& member, const Json& arguments);
  Json property(const BusObject& object, const std::string& name);

  /// From now on signals of this interface and member are kept for take().
  void watch(const std::string& interface, const std::string& member);
  struct Signal {
    std::string path;
    std::vector<std::uint32_t> numbers;  ///< its arguments, as far as they are numbers
  };
  /// The signals that came since the last call; waits up to `time` for the first.
  std::vector<Signal> take(std::chrono::milliseconds time);

 private:
  std::unique_ptr<BusConnection> connection_;
};

}  // namespace rdmastate
