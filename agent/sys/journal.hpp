// SPDX-License-Identifier: Apache-2.0
// Tells systemd's journal how runs begin and end, over its native protocol (systemd.io, JOURNAL_NATIVE_PROTOCOL): one
// datagram per entry.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace rdmastate {

/// What an entry is about. undone: apply failed and undid its steps. unmended: apply failed, and so did its undo.
/// taken_back: a rollback undid it later.
enum class RunEvent : std::uint8_t { begun, applied, undone, unmended, taken_back, confirmed };

/// How the journal shows one event.
struct RunMessage {
  RunEvent event;
  std::string_view id;     ///< of MESSAGE_ID=, as sd_id128 writes it
  int priority;            ///< of syslog(3)
  std::string_view words;  ///< of MESSAGE=, behind the run's id
};
/// All events. The ids (MESSAGE_ID of systemd.journal-fields(7)) never change: users call `journalctl MESSAGE_ID=...`,
/// and the manual page lists them.
inline constexpr std::array run_messages{
    RunMessage{RunEvent::begun, "7151fdf0ce65448680162ab5975667cf", 6, "begun"},
    RunMessage{RunEvent::applied, "5c5efb4e2df546d2b76cc5eac70cb800", 5, "applied"},
    RunMessage{RunEvent::undone, "8ae59bf9d9194b84b7ea30410fdca842", 3, "failed, and the host is as before"},
    RunMessage{RunEvent::unmended, "4f27ec5a292b47f0899d86b419b2ae7a", 2, "failed, and the host awaits rollback"},
    RunMessage{RunEvent::taken_back, "bd76f53ec42e475e960cb3e586b25791", 5, "taken back"},
    RunMessage{RunEvent::confirmed, "890948344f144eb882b12a65c18d5328", 5, "confirmed"},
};

/// systemd's journal by its native protocol: one datagram per entry.
class Journal {
 public:
  explicit Journal(std::string socket = "/run/systemd/journal/socket") : socket_(std::move(socket)) {}

  /// Sends one entry: MESSAGE is the event's words, then `detail`; the field RDMASTATE_RUN is the run. Does nothing
  /// where the host has no journal, or the journal does not listen.
  void tell(RunEvent event, const std::string& run, const std::string& detail = {}) const;

 private:
  std::string socket_;
};

}  // namespace rdmastate
