// SPDX-License-Identifier: Apache-2.0
// The interface to another host over TCP, on which a second rdmastate runs (`doctor --peer` and `--listen`): one
// conversation of lines, each bounded in length and time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace rdmastate {

/// A connection with one peer. What it says is not trusted.
class Conversation {
 public:
  static constexpr std::size_t longest = 65536;  ///< the most bytes of a line, its newline not counted

  virtual ~Conversation() = default;
  /// The peer's address, in numbers.
  virtual std::string with() const = 0;
  /// Sends a line of at most `longest` bytes, which has no newline in it. Throws Error where the peer is gone, or has
  /// not taken all of the line after 10 s.
  virtual void say(const std::string& line) = 0;
  /// The next line, without its newline. Throws Error for one that is longer than `longest`, where the peer has closed
  /// the connection, and where the line is not whole after `patience`.
  virtual std::string hear(std::chrono::milliseconds patience) = 0;
};

/// Where a conversation takes place.
struct PeerPlace {
  std::string address{};  ///< to listen: an address of this host in numbers; to connect: an address or a name
  std::uint16_t port = 0;
};

/// How a conversation begins.
class Peers {
 public:
  virtual ~Peers() = default;
  /// Listens until the first peer has connected, and then no more: whoever comes later is refused. Throws Error where
  /// the address cannot be listened at, and where nobody came in time.
  virtual std::unique_ptr<Conversation> await_one(const PeerPlace& place, std::chrono::milliseconds patience) = 0;
  /// Throws Error where the name is not known, the peer refuses, or does not answer in time. `patience` does not limit
  /// the look-up of a name: the resolver has its own limits (resolv.conf(5)).
  virtual std::unique_ptr<Conversation> connect(const PeerPlace& place, std::chrono::milliseconds patience) = 0;
};

}  // namespace rdmastate
