// SPDX-License-Identifier: Apache-2.0
// Sends and receives messages over a queue pair, with a deadline, and compares what came with what was sent: for
// --active, --peer and --listen.
#pragma once

#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "host/clock.hpp"
#include "host/queue_pairs.hpp"

namespace rdmastate::doctor {

/// Why a message did not arrive, or could not be sent.
struct Trouble {
  enum class Kind : std::uint8_t {
    setup,         ///< a queue pair could not be made or connected
    no_answer,     ///< a message was never acknowledged, or did not come in time
    large_lost,    ///< short messages came, and one of several packets did not
    failed,        ///< the adapter ended a send or a receive with another status
    bytes_differ,  ///< other bytes came than were sent
  };
  Kind kind = Kind::failed;
  std::string said{};  ///< the words of libibverbs, of the kernel or of rdmastate for it
  int number = 0;      ///< with Kind::setup the errno; 0: none
};

/// Returns what `work` returns; an Error that it throws becomes a Trouble of Kind::setup.
std::optional<Trouble> trouble_of(const std::function<std::optional<Trouble>()>& work);

/// The sizes in bytes of a message of less than a packet and of one of several packets. Only the latter is lost where
/// the MTU on the way is too small.
inline constexpr std::array<std::size_t, 2> message_sizes{64, QueuePairs::longest};
/// The bytes of a message: the same on both ends, and different for each length.
std::string message_of(std::size_t size);

/// Sends and receives the messages of one end of a connection. Throws what the queue pair throws (SystemError).
class Exchange {
 public:
  /// Work that has not ended at `end` (Clock::ticks()) counts as unanswered.
  Exchange(QueuePair& pair, Clock& clock, std::chrono::milliseconds end) : pair_(pair), clock_(clock), end_(end) {}
  /// Sends the message of that size, and waits until it is acknowledged. nullopt: it is.
  std::optional<Trouble> send(std::size_t size);
  /// Waits for the message of that size. nullopt: it came whole.
  std::optional<Trouble> receive(std::size_t size);

 private:
  /// Waits for the end of a send or of a receive; nullopt: none came before end_.
  std::optional<WorkEnd> wait(WorkEnd::What what);
  /// The trouble of a send or receive that ended so; nullopt: it is done. `missing`: the trouble's words where `end`
  /// has no value.
  std::optional<Trouble> judge(const std::optional<WorkEnd>& end, std::size_t size, const char* missing) const;

  QueuePair& pair_;
  Clock& clock_;
  std::chrono::milliseconds end_;
  std::deque<WorkEnd> ended_;  ///< what ended and was not waited for yet
};

}  // namespace rdmastate::doctor

namespace rdmastate {
template <>
struct Names<doctor::Trouble::Kind> {
  using Kind = doctor::Trouble::Kind;
  static constexpr std::string_view wanted = "setup, no-answer, large-lost, failed or bytes-differ";
  static constexpr std::array table{Name<Kind>{Kind::setup, "setup"}, Name<Kind>{Kind::no_answer, "no-answer"},
                                    Name<Kind>{Kind::large_lost, "large-lost"}, Name<Kind>{Kind::failed, "failed"},
                                    Name<Kind>{Kind::bytes_differ, "bytes-differ"}};
};
}  // namespace rdmastate
