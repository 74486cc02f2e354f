// SPDX-License-Identifier: Apache-2.0
// A netlink socket: sends requests, reads answers, and repeats dumps until they are whole. sys/codec says what the
// bytes mean.
#pragma once

#include <netlink/socket.h>

#include <functional>

#include "base/error.hpp"
#include "base/handle.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate {

/// One protocol's socket, opened on first use. Its network namespace is the one of the thread that uses it first.
class NetlinkSocket {
 public:
  /// `protocol` is NETLINK_ROUTE, NETLINK_RDMA or NETLINK_GENERIC.
  explicit NetlinkSocket(int protocol) : protocol_(protocol) {}

  // In all of these `doing` is what an error says was being done: "listing routes".

  /// Called with the type and the payload of each message of an answer. The payload is valid during the call alone.
  using Visit = std::function<void(std::uint16_t type, codec::Bytes payload)>;

  /// Sends a request that the kernel only acknowledges. Throws SystemError with the kernel's errno and error text.
  void request(codec::Message message, const std::string& doing);
  /// Sends a request that is answered by one message. A refusal throws SystemError.
  void get(codec::Message message, const std::string& doing, const Visit& visit);
  /// Sends a dump request, and again where the kernel says that its table changed during the dump (NLM_F_DUMP_INTR) or
  /// the socket overflowed (ENOBUFS). `restart` is called before each attempt: the caller forgets what it was given.
  /// A refusal throws SystemError; after 50 attempts Error is thrown.
  void dump(codec::Message message, const std::string& doing, const std::function<void()>& restart, const Visit& visit);

 private:
  using Socket = Handle<nl_sock, &nl_socket_free>;
  struct Outcome {
    bool interrupted = false;  ///< the table changed meanwhile (NLM_F_DUMP_INTR)
    codec::Answer answer;
  };

  void open(const std::string& doing);
  void send(codec::Message& message, const std::string& doing);
  /// Sends the request and reads its answer. True: the answer is not whole, and the request is to be made again.
  bool exchange(codec::Message& message, const std::string& doing, const Visit& visit);
  /// Reads the whole answer to the request that was sent last. `multipart`: it is a dump, which ends with NLMSG_DONE.
  Outcome receive(bool multipart, const std::string& doing, const Visit& visit);
  /// Takes one message of an answer; true: it was the last.
  bool take(const codec::Received& message, bool multipart, Outcome& outcome, const Visit& visit) const;

  int protocol_;
  std::uint32_t sequence_ = 0;
  Socket socket_;
};

}  // namespace rdmastate
