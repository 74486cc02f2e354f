// SPDX-License-Identifier: Apache-2.0
// The interface to reliable connections (RC) of RDMA ports, by which `doctor --active` sends messages from port to
// port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace rdmastate {

/// What a queue pair is made with.
struct QueuePairPlace {
  std::string device{};
  std::uint32_t port = 1;
  std::uint16_t pkey = 0xffff;          ///< an entry of the port's table, its membership bit included
  std::optional<unsigned> gid_index{};  ///< of the GID that it sends from; nullopt: packets go by LID alone
};

/// The numbers of a queue pair that the other end needs to connect to it.
struct QueuePairEnd {
  std::uint32_t number = 0;  ///< 24 bits
  std::uint32_t psn = 0;     ///< the first packet's sequence number: 24 bits
  bool operator==(const QueuePairEnd&) const = default;
};

/// The way from one end of a connection to the other.
struct RcWay {
  QueuePairEnd far{};              ///< the far end
  std::uint32_t lid = 0;           ///< of the far port; 0 where packets go by GID
  std::optional<IpAddress> gid{};  ///< of the far port; nullopt: by LID alone
  std::uint32_t mtu = 0;           ///< the most bytes of a packet: 256, 512, 1024, 2048 or 4096
};

/// How a send or a receive ended.
struct WorkEnd {
  enum class What : std::uint8_t { send, receive };
  enum class How : std::uint8_t {
    done,
    unanswered,  ///< sent several times, and never acknowledged (IBV_WC_RETRY_EXC_ERR)
    not_ready,   ///< the far end had no receive posted (IBV_WC_RNR_RETRY_EXC_ERR)
    failed,      ///< any other status
  };
  What what = What::send;
  How how = How::done;
  std::string status{};  ///< in libibverbs' words: "transport retry counter exceeded"
  std::string bytes{};   ///< what a receive that is done brought
};

/// One end of a reliable connection. It is made in the state INIT with two receives posted and no others after them, so
/// it receives two messages at most. Everything that it took is released with it. Calls throw SystemError that names
/// the call of libibverbs.
class QueuePair {
 public:
  virtual ~QueuePair() = default;
  /// The numbers that the far end needs.
  virtual QueuePairEnd end() const = 0;
  /// Takes the queue pair to the states RTR and RTS: then it receives and sends. For a RoCE port the kernel looks the
  /// far end's Ethernet address up, for a second at most.
  virtual void connect(const RcWay& way) = 0;
  /// Posts one message of at most QueuePairs::longest bytes (more are cut off); the message before it must have
  /// ended.
  virtual void send(std::string_view bytes) = 0;
  /// The next work that ended; nullopt: none has. Does not wait.
  virtual std::optional<WorkEnd> poll() = 0;
};

/// The queue pairs that this process can make.
class QueuePairs {
 public:
  static constexpr std::size_t longest = 16384;  ///< the most bytes of a message

  virtual ~QueuePairs() = default;
  /// The MTU in bytes that the port has now, as RcWay::mtu has it (4096 of an Omni-Path port that has more). Throws
  /// Error where libibverbs is not there or does not know the device.
  virtual std::uint32_t active_mtu(const std::string& device, std::uint32_t port) = 0;
  /// Throws Error as active_mtu() does; EINVAL: the port has no such P_Key; ENOMEM: also the limit of locked memory.
  virtual std::unique_ptr<QueuePair> make(const QueuePairPlace& place) = 0;
};

}  // namespace rdmastate
