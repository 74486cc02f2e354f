// SPDX-License-Identifier: Apache-2.0
#include "sys/netlink.hpp"

#include <linux/netlink.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>

#include "sys/root.hpp"

namespace rdmastate {
namespace {

/// The buffer for one packet, in bytes. The kernel fills a dump's packets up to the reader's buffer, with 32 KiB at
/// most; a single message of rdmastate is far smaller.
constexpr std::size_t packet_size = 64U << 10U;
constexpr int queue_size = 1 << 20;  // of the socket's receive buffer, in bytes
/// A table that changes during every one of these dumps is changed without pause by another program: each attempt takes
/// tens of milliseconds.
constexpr int dump_attempts = 50;

using Packet = Handle<unsigned char, &std::free>;

/// An option that an older kernel lacks (ENOPROTOOPT) is no failure: only error texts and the filters of dumps are
/// missing then, and the callers of dump() filter again.
void set_option(nl_sock* socket, int option) {
  const int on = 1;
  ::setsockopt(nl_socket_get_fd(socket), SOL_NETLINK, option, &on, sizeof on);
}

}  // namespace

void NetlinkSocket::open(const std::string& doing) {
  if (socket_) return;
  Socket fresh{nl_socket_alloc()};
  if (!fresh) throw SystemError(doing, ENOMEM);
  errno = 0;
  if (const int failed = nl_connect(fresh.get(), protocol_); failed < 0) {
    if (errno != 0) throw SystemError(doing + ": opening a netlink socket", errno);
    throw Error(doing + ": opening a netlink socket: " + nl_geterror(failed));
  }
  nl_socket_set_buffer_size(fresh.get(), queue_size, 0);
  nl_socket_set_msg_buf_size(fresh.get(), packet_size);
  nl_socket_disable_msg_peek(fresh.get());  // the buffer is large enough: no second system call asks for the size
  for (const int option : {NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK}) set_option(fresh.get(), option);
  socket_ = std::move(fresh);
}

void NetlinkSocket::send(codec::Message& message, const std::string& doing) {
  open(doing);
  const codec::Bytes bytes = message.finish(++sequence_);
  const int fd = nl_socket_get_fd(socket_.get());
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  const auto* to = reinterpret_cast<const sockaddr*>(&kernel);
  if (uninterrupted([&] { return ::sendto(fd, bytes.data(), bytes.size(), 0, to, sizeof kernel); }) < 0)
    throw SystemError(doing + ": sending the request", errno);
}

/// A message with another sequence number is left over from an earlier request and is skipped.
bool NetlinkSocket::take(const codec::Received& message, bool multipart, Outcome& outcome, const Visit& visit) const {
  const nlmsghdr& header = message.header;
  if (header.nlmsg_seq != sequence_) return false;
  outcome.interrupted = outcome.interrupted || (header.nlmsg_flags & NLM_F_DUMP_INTR) != 0;
  if (header.nlmsg_type == NLMSG_ERROR || header.nlmsg_type == NLMSG_DONE) {
    outcome.answer = codec::answer_from(message);
    return true;
  }
  if (header.nlmsg_type < NLMSG_MIN_TYPE) return false;
  if (!outcome.interrupted) visit(header.nlmsg_type, message.payload);
  return !multipart && (header.nlmsg_flags & NLM_F_MULTI) == 0;
}

NetlinkSocket::Outcome NetlinkSocket::receive(bool multipart, const std::string& doing, const Visit& visit) {
  Outcome outcome;
  for (bool complete = false; !complete;) {
    sockaddr_nl from{};
    unsigned char* raw = nullptr;
    errno = 0;
    const int size = nl_recv(socket_.get(), &from, &raw, nullptr);
    const int number = errno;
    const Packet packet{size > 0 ? raw : nullptr};
    if (size <= 0 && number != 0) throw SystemError(doing + ": reading the kernel's answer", number);
    if (size <= 0) throw Error(doing + ": reading the kernel's answer: " + nl_geterror(size));
    if (from.nl_pid != 0) continue;  // not from the kernel
    const codec::Bytes datagram = std::as_bytes(std::span(packet.get(), static_cast<std::size_t>(size)));
    codec::for_each_message(datagram, [&](const codec::Received& message) {
      complete = take(message, multipart, outcome, visit);
      return !complete;
    });
  }
  return outcome;
}

/// A refusal leaves the socket usable; after any other failure the rest of an answer may still come, so the socket is
/// closed.
bool NetlinkSocket::exchange(codec::Message& message, const std::string& doing, const Visit& visit) {
  Outcome outcome;
  try {
    send(message, doing);
    outcome = receive(message.is_dump(), doing, visit);
  } catch (const SystemError& error) {
    socket_.reset();
    if (error.number() == ENOBUFS && message.is_dump()) return true;
    throw;
  } catch (...) {
    socket_.reset();
    throw;
  }
  if (outcome.answer.error != 0) throw SystemError(doing, outcome.answer.error, outcome.answer.explains);
  return outcome.interrupted;
}

void NetlinkSocket::request(codec::Message message, const std::string& doing) {
  exchange(message, doing, [](std::uint16_t, codec::Bytes) {});
}

void NetlinkSocket::get(codec::Message message, const std::string& doing, const Visit& visit) {
  exchange(message, doing, visit);
}

void NetlinkSocket::dump(codec::Message message, const std::string& doing, const std::function<void()>& restart,
                         const Visit& visit) {
  for (int attempt = 0; attempt < dump_attempts; ++attempt) {
    restart();
    if (!exchange(message, doing, visit)) return;
  }
  throw Error(doing + ": the kernel's table changed during each of " + std::to_string(dump_attempts) +
              " attempts to read it: something else is changing interfaces without pause");
}

}  // namespace rdmastate
