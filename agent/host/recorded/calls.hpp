// SPDX-License-Identifier: Apache-2.0
// Counts and notes what a recorded host was asked and told, and makes a call fail where a test has ordered that.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace rdmastate {

/// How often a host was asked, by interface, so that a test can say "one dump".
struct ReadCounts {
  std::size_t counts = 0;       ///< Links::count
  std::size_t dumps = 0;        ///< Links::dump
  std::size_t finds = 0;        ///< Links::find
  std::size_t addresses = 0;    ///< Links::addresses, of one link or all
  std::size_t routes = 0;       ///< Links::routes, of one link or all
  std::size_t devices = 0;      ///< Rdma::devices
  std::size_t rdma = 0;         ///< everything else that Rdma can be asked, and Dcb
  std::size_t modules = 0;      ///< Modules::status, users, parameter
  std::size_t files = 0;        ///< Files::meta, read, load, stamp, list
  std::size_t managers = 0;     ///< looks at NetworkManager, Networkd, Ifupdown, Netplan, Timers, Units, Nfsd, Firewall
  std::size_t connections = 0;  ///< Connections::list
  bool operator==(const ReadCounts&) const = default;
};

/// A refusal of the kernel, thrown by an effect. CallLog::move() adds what was being done.
struct Refusal {
  int number;
  const char* says = "";  ///< the extended acknowledgement
};

/// Thrown by an ordered crash, as if the process had died. It is no rdmastate::Error, so no handler cleans up after it.
struct OrderedCrash {};

enum class When { before, after };  ///< before or after the call takes effect

/// Every call that moves something passes through here: it is numbered, noted and, when so ordered, fails.
class CallLog {
 public:
  /// The n-th call from now (1 is the next one) fails with this errno.
  void fail(std::size_t n, int number, When when) { order_ = Order{calls_.size() + n, number, when}; }
  /// The n-th call from now is the process's last.
  void crash(std::size_t n, When when) { order_ = Order{calls_.size() + n, 0, when}; }
  void clear_orders() { order_.reset(); }

  const std::vector<std::string>& calls() const { return calls_; }
  ReadCounts reads;

  /// Runs `effect`, whose Refusal becomes a SystemError: "doing: words (ENAME); the kernel says: ...".
  template <class Effect>
  void move(std::string doing, Effect&& effect) {
    calls_.push_back(std::move(doing));
    const std::string& called = calls_.back();
    obey(When::before, called);
    try {
      std::forward<Effect>(effect)();
    } catch (const Refusal& refusal) {
      throw SystemError(called, refusal.number, refusal.says);
    }
    obey(When::after, called);
  }

 private:
  struct Order {
    std::size_t call;
    int number;  ///< 0: a crash
    When when;
  };
  void obey(When now, const std::string& called);

  std::vector<std::string> calls_;
  std::optional<Order> order_;
};

}  // namespace rdmastate
