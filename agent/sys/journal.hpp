// SPDX-License-Identifier: Apache-2.0
// Runs in systemd's journal, over its native protocol (systemd.io, JOURNAL_NATIVE_PROTOCOL): one datagram per entry.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rdmastate {

/// What an entry is about.
enum class RunEvent : std::uint8_t { begun, applied, undone, unmended, taken_back, confirmed };

/// `journalctl MESSAGE_ID=...` finds them. Fixed for ever; the manual page lists them.
struct RunMessage {
  RunEvent event;
  std::string_view id;  ///< of MESSAGE_ID=, as sd_id128 writes it
  int priority;         ///< of syslog(3)
  std::string_view words;
};
/// What happens to a run, with its MESSAGE_ID (systemd.journal-fields(7)); the ids never change.
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

  /// One entry about a run, with RDMASTATE_RUN and `detail` behind its words. A host without a journal gets none: that
  /// is no failure, and neither is a journal that does not listen.
  void tell(RunEvent event, const std::string& run, const std::string& detail = {}) const;

 private:
  std::string socket_;
};

}  // namespace rdmastate
