// SPDX-License-Identifier: Apache-2.0
// Netlink's framing as bytes <-> values: messages, and the attributes within them. Pure: no socket.
#pragma once

#include <linux/netlink.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rdmastate::codec {

/// A view of bytes: their owner must outlive it.
using Bytes = std::span<const std::byte>;

/// One attribute; `type` without the nested and byte-order flags. A view: the message must outlive it.
struct Attribute {
  std::uint16_t type = 0;
  Bytes payload;
};

/// Calls `visit` for each attribute in `bytes`; the caller ignores types that it does not know. Throws Error when an
/// attribute is shorter than its header or longer than what holds it.
void for_each(Bytes bytes, const std::function<void(const Attribute&)>& visit);
/// The last attribute of that type, which is the one that the kernel's own parser takes; nullopt: there is none.
std::optional<Attribute> find(Bytes bytes, std::uint16_t type);

namespace detail {
/// Copies `from`, and throws as too_short() where it has not exactly `size` bytes. `what` is for the message.
void copy_exactly(Bytes from, void* to, std::size_t size, std::string_view what);
/// Throws Error: the kernel's answer is broken, since `what` has `got` bytes and not `wanted`.
[[noreturn]] void too_short(std::string_view what, std::size_t got, std::size_t wanted);
}  // namespace detail

/// A number in host order. Throws Error unless the payload has exactly its size.
template <class T>
T number(const Attribute& attribute) {
  static_assert(std::is_integral_v<T>);
  T value{};
  detail::copy_exactly(attribute.payload, &value, sizeof value, "a number");
  return value;
}
/// Text up to its first NUL.
std::string text(const Attribute& attribute);

/// Takes the fixed header (struct ifinfomsg, rtmsg, ...) off `payload`: the attributes behind it stay there. Throws
/// Error where `payload` is shorter than the header.
template <class Header>
Header take_header(Bytes& payload) {
  static_assert(std::is_trivially_copyable_v<Header>);
  Header header{};
  if (payload.size() < sizeof header) detail::too_short("a message", payload.size(), sizeof header);
  std::memcpy(&header, payload.data(), sizeof header);
  payload = payload.subspan(std::min(payload.size(), std::size_t{NLMSG_ALIGN(sizeof header)}));
  return header;
}

/// One message out of what a socket received.
struct Received {
  nlmsghdr header{};
  Bytes payload;
};
/// Calls `visit` for each message until it returns false. Throws Error on a broken frame.
void for_each_message(Bytes datagram, const std::function<bool(const Received&)>& visit);

/// What the kernel answered to a request: NLMSG_ERROR's payload, or NLMSG_DONE's.
struct Answer {
  int error = 0;         ///< errno, positive; 0 is done
  std::string explains;  ///< the kernel's text (extended acknowledgement); may be empty
};
/// Reads NLMSG_ERROR and NLMSG_DONE with their extended acknowledgement. Throws Error where the message is malformed.
Answer answer_from(const Received& message);

/// A request being built: put() and its like append attributes, finish() gives the bytes to send.
class Message {
 public:
  /// NLM_F_REQUEST is added.
  Message(std::uint16_t type, unsigned flags);

  /// Appends the fixed header (struct ifinfomsg, rtmsg, ...), which stands before all attributes.
  template <class Header>
  Message& header(const Header& header) {
    static_assert(std::is_trivially_copyable_v<Header>);
    return append(&header, sizeof header);
  }
  /// Appends an attribute. Throws Error where it is longer than its 16-bit length can say.
  Message& put(std::uint16_t type, Bytes payload);
  template <class T>
  Message& put_number(std::uint16_t type, T value) {
    static_assert(std::is_integral_v<T>);
    return put(type, std::as_bytes(std::span(&value, 1)));
  }
  Message& put_text(std::uint16_t type, std::string_view value);  ///< with its NUL
  /// Appends an attribute, with NLA_F_NESTED, that holds the attributes which `fill` adds. Throws as put() does.
  Message& nest(std::uint16_t type, const std::function<void(Message&)>& fill);

  /// The finished bytes, which the message keeps. The answer carries `sequence` too, so that a stale answer is
  /// recognised.
  Bytes finish(std::uint32_t sequence);
  /// Whether the request asks for a dump: an answer of several messages, with NLMSG_DONE at the end.
  bool is_dump() const;

 private:
  /// Appends bytes, and zeros up to a multiple of 4.
  Message& append(const void* data, std::size_t size);

  std::vector<std::byte> bytes_;
};

}  // namespace rdmastate::codec
