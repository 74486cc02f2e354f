// SPDX-License-Identifier: Apache-2.0
#include "sys/journal.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "base/handle.hpp"

namespace rdmastate {
namespace {

// Appends a field in the protocol's form for values that may hold newlines: the length stands before the value, in 8
// bytes, little-endian.
void append(std::string& datagram, std::string_view name, std::string_view value) {
  datagram.append(name).append(1, '\n');
  for (unsigned i = 0; i < 8; ++i) datagram.push_back(static_cast<char>(value.size() >> 8U * i & 0xffU));
  datagram.append(value).append(1, '\n');
}

const RunMessage& message_of(RunEvent event) {
  for (const auto& one : run_messages)
    if (one.event == event) return one;
  return run_messages.front();
}

}  // namespace

void Journal::tell(RunEvent event, const std::string& run, const std::string& detail) const {
  const RunMessage& message = message_of(event);
  std::string datagram;
  append(datagram, "MESSAGE", fmt::format("run {} {}{}{}", run, message.words, detail.empty() ? "" : ": ", detail));
  append(datagram, "MESSAGE_ID", message.id);
  append(datagram, "PRIORITY", std::to_string(message.priority));
  append(datagram, "SYSLOG_IDENTIFIER", "rdmastate");
  append(datagram, "RDMASTATE_RUN", run);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() >= sizeof(address.sun_path)) return;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  const UniqueFd fd{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (fd)
    static_cast<void>(::sendto(fd.get(), datagram.data(), datagram.size(), MSG_NOSIGNAL,
                               reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
}

}  // namespace rdmastate
