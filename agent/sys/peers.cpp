// SPDX-License-Identifier: Apache-2.0
#include "sys/peers.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>

#include "base/error.hpp"
#include "base/handle.hpp"

namespace rdmastate {
namespace {

using std::chrono::milliseconds;
using Time = std::chrono::steady_clock::time_point;
using Addresses = Handle<addrinfo, &::freeaddrinfo>;

// The time when the patience is over.
Time in(milliseconds patience) { return std::chrono::steady_clock::now() + patience; }

// Whether `what` can be done with the socket before the time is over.
bool ready(const UniqueFd& socket, short what, Time end) {
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd one{socket.get(), what, 0};
    const int count = ::poll(&one, 1, left <= 0 ? 0 : static_cast<int>(left));
    if (count > 0) return true;
    if (count == 0) return false;
    if (errno != EINTR) throw SystemError("waiting for the peer", errno);
  }
}

std::string shown(const PeerPlace& place) { return fmt::format("{} port {}", place.address, place.port); }

// The addresses of a place; `flags` are AI_* of getaddrinfo(3). Throws Error where there is none.
Addresses addresses_of(const PeerPlace& place, int flags, const std::string& doing) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(place.address.c_str(), std::to_string(place.port).c_str(), &wanted, &found);
  if (failed == EAI_SYSTEM) throw SystemError(doing, errno);
  if (failed != 0) throw Error(fmt::format("{}: {}", doing, ::gai_strerror(failed)));
  return Addresses(found);
}

UniqueFd socket_for(const addrinfo& address) {
  return UniqueFd(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// The address in numbers, "192.0.2.1".
std::string numbers_of(const sockaddr_storage& address, socklen_t size) {
  std::array<char, NI_MAXHOST> text{};
  const int failed = ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, text.data(), text.size(), nullptr,
                                   0, NI_NUMERICHOST);
  return failed == 0 ? text.data() : "an unknown address";
}

// A conversation over a socket that does not block: say() and hear() wait with ready().
class TcpConversation final : public Conversation {
 public:
  TcpConversation(UniqueFd socket, std::string with) : socket_(std::move(socket)), with_(std::move(with)) {}
  std::string with() const override { return with_; }
  void say(const std::string& line) override;
  std::string hear(milliseconds patience) override;

 private:
  static constexpr milliseconds to_take{10000};  ///< how long the peer may let a line lie

  UniqueFd socket_;
  std::string with_;
  std::string heard_;  ///< what came behind the last line: longest + 1 bytes at most, and one read
};

void TcpConversation::say(const std::string& line) {
  const std::string text = line + '\n';
  const Time end = in(to_take);
  for (std::size_t sent = 0; sent < text.size();) {
    const auto count = ::send(socket_.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (count < 0 && errno == EAGAIN) {
      if (!ready(socket_, POLLOUT, end)) throw Error(fmt::format("the peer {} takes no more", with_));
    } else if (errno != EINTR) {
      throw SystemError(fmt::format("writing to the peer {}", with_), errno);
    }
  }
}

std::string TcpConversation::hear(milliseconds patience) {
  const Time end = in(patience);
  std::array<char, 4096> part{};
  for (;;) {
    if (const auto at = heard_.find('\n'); at <= longest) {  // where there is none, npos is more
      std::string line = heard_.substr(0, at);
      heard_.erase(0, at + 1);
      return line;
    }
    if (heard_.size() > longest)
      throw Error(fmt::format("the peer {} sent a line of more than {} bytes: it is no rdmastate", with_, longest));
    if (!ready(socket_, POLLIN, end)) throw Error(fmt::format("the peer {} did not answer in time", with_));
    const auto count = ::recv(socket_.get(), part.data(), part.size(), 0);
    if (count == 0) throw Error(fmt::format("the peer {} closed the connection", with_));
    if (count > 0)
      heard_.append(part.data(), static_cast<std::size_t>(count));
    else if (errno != EAGAIN && errno != EINTR)
      throw SystemError(fmt::format("reading from the peer {}", with_), errno);
  }
}

// Connects a socket that does not block. Returns the errno of connect(2), or 0: it is connected.
int connect_in_time(const UniqueFd& socket, const addrinfo& address, Time end) {
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!ready(socket, POLLOUT, end)) return ETIMEDOUT;
  int result = 0;
  socklen_t size = sizeof result;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &result, &size) == 0 ? result : errno;
}

}  // namespace

std::unique_ptr<Conversation> TcpPeers::await_one(const PeerPlace& place, milliseconds patience) {
  const std::string doing = "listening at " + shown(place);
  const auto found = addresses_of(place, AI_NUMERICHOST | AI_PASSIVE, doing);
  const UniqueFd listener = socket_for(*found);
  if (!listener) throw SystemError(doing, errno);
  const int yes = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(listener.get(), found->ai_addr, found->ai_addrlen) != 0 || ::listen(listener.get(), 1) != 0)
    throw SystemError(doing, errno);
  const Time end = in(patience);
  for (;;) {
    if (!ready(listener, POLLIN, end))
      throw Error(fmt::format("{}: no peer came within {} s", doing,
                              std::chrono::duration_cast<std::chrono::seconds>(patience).count()));
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    UniqueFd peer(::accept4(listener.get(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (peer) return std::make_unique<TcpConversation>(std::move(peer), numbers_of(from, size));
    // ECONNABORTED: it went before it was accepted.
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) throw SystemError(doing, errno);
  }
}

std::unique_ptr<Conversation> TcpPeers::connect(const PeerPlace& place, milliseconds patience) {
  const std::string doing = "connecting to " + shown(place);
  const auto found = addresses_of(place, /*flags=*/0, doing);
  const Time end = in(patience);
  int number = EADDRNOTAVAIL;
  for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
    UniqueFd socket = socket_for(*one);
    number = socket ? connect_in_time(socket, *one, end) : errno;
    if (number != 0) continue;
    sockaddr_storage to{};
    socklen_t size = sizeof to;
    const bool known = ::getpeername(socket.get(), reinterpret_cast<sockaddr*>(&to), &size) == 0;
    return std::make_unique<TcpConversation>(std::move(socket), known ? numbers_of(to, size) : place.address);
  }
  throw SystemError(doing, number);
}

}  // namespace rdmastate
