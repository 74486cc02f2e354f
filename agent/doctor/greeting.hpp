// SPDX-License-Identifier: Apache-2.0
// The lines of JSON that `doctor --peer` and `--listen` send each other before and while they try connections. A line
// from the peer is read strictly.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/exchange.hpp"
#include "doctor/rc_port.hpp"

namespace rdmastate::doctor {

/// The first line of each side: the ports that it can try.
struct Greeting {
  std::chrono::milliseconds patience{};  ///< for the messages of one port; the longer one of both counts
  std::vector<RcPort> ports{};
  bool operator==(const Greeting&) const = default;
};

/// The line that each side sends when it has ended a step of one connection. Neither begins the next step before it has
/// read the other side's line.
struct StepWord {
  enum class Step : std::uint8_t {
    made,       ///< a queue pair is there
    connected,  ///< it is connected to the far one
    done,       ///< all messages are sent and received
  };
  Step step = Step::made;
  QueuePairEnd end{};                ///< of `made`, unless there was trouble
  std::optional<Trouble> trouble{};  ///< nullopt: none
};

/// As one line of at most Conversation::longest bytes.
std::string print_greeting(const Greeting& greeting);
/// Throws Error that says what is wrong: no JSON, another version, a member that is missing, unknown, of another type
/// or out of its range, more than most_ports ports, or a port with more than most_gids GIDs or most_pkeys P_Keys.
Greeting read_greeting(std::string_view line);

/// As one line; a trouble's words are cut to 300 bytes.
std::string print_step(const StepWord& word);
/// As read_greeting(); also for a word of another step than `expected`.
StepWord read_step(std::string_view line, StepWord::Step expected);

}  // namespace rdmastate::doctor
