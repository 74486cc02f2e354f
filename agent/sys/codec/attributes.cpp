// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/attributes.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace rdmastate::codec {
namespace {

/// What follows the first `size` bytes and their padding to 4 bytes. The last attribute or message may have no padding.
Bytes after(Bytes bytes, std::size_t size) {
  return bytes.subspan(std::min(bytes.size(), (size + 3U) & ~std::size_t{3}));
}

/// A copy of the header that `bytes` begin with. Throws Error where they are shorter; `what` is for the message.
template <class Header>
Header peek(Bytes bytes, std::string_view what) {
  Header header{};
  if (bytes.size() < sizeof header) detail::too_short(what, bytes.size(), sizeof header);
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

/// Throws Error where a length that the kernel says is not from `least` to `most`.
void check_length(std::string_view what, std::size_t says, std::size_t least, std::size_t most) {
  if (says < least || says > most)
    throw Error("the kernel's answer is broken: " + std::string(what) + " says that it has " + std::to_string(says) +
                " bytes where " + std::to_string(least) + " to " + std::to_string(most) + " are possible");
}

}  // namespace

void detail::too_short(std::string_view what, std::size_t got, std::size_t wanted) {
  throw Error("the kernel's answer is broken: " + std::string(what) + " has " + std::to_string(got) + " bytes, not " +
              std::to_string(wanted));
}

void detail::copy_exactly(Bytes from, void* to, std::size_t size, std::string_view what) {
  if (from.size() != size) too_short(what, from.size(), size);
  std::memcpy(to, from.data(), size);
}

void for_each(Bytes bytes, const std::function<void(const Attribute&)>& visit) {
  while (!bytes.empty()) {
    const auto header = peek<nlattr>(bytes, "an attribute");
    check_length("an attribute", header.nla_len, sizeof header, bytes.size());
    visit({static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK),
           bytes.subspan(sizeof header, header.nla_len - sizeof header)});
    bytes = after(bytes, header.nla_len);
  }
}

std::optional<Attribute> find(Bytes bytes, std::uint16_t type) {
  std::optional<Attribute> found;
  for_each(bytes, [&](const Attribute& attribute) {
    if (attribute.type == type) found = attribute;
  });
  return found;
}

std::string text(const Attribute& attribute) {
  const auto* data = reinterpret_cast<const char*>(attribute.payload.data());
  const std::string_view whole(data, attribute.payload.size());
  return std::string(whole.substr(0, whole.find('\0')));
}

void for_each_message(Bytes datagram, const std::function<bool(const Received&)>& visit) {
  while (!datagram.empty()) {
    const auto header = peek<nlmsghdr>(datagram, "a message");
    check_length("a message", header.nlmsg_len, sizeof header, datagram.size());
    if (!visit({header, datagram.subspan(sizeof header, header.nlmsg_len - sizeof header)})) return;
    datagram = after(datagram, header.nlmsg_len);
  }
}

/// NLMSG_ERROR: errno, the request's header (its payload too unless NLM_F_CAPPED), then attributes.
/// NLMSG_DONE: errno, then attributes. Attributes are there with NLM_F_ACK_TLVS.
Answer answer_from(const Received& message) {
  Bytes payload = message.payload;
  Answer answer;
  if (payload.empty() && message.header.nlmsg_type == NLMSG_DONE) return answer;
  const auto error = take_header<std::int32_t>(payload);
  // The kernel sends an errno as 0 or as -1 to -4095 (MAX_ERRNO). For a positive number check_length() gets one that it
  // refuses.
  check_length("an error number", static_cast<std::size_t>(error <= 0 ? -std::int64_t{error} : 1U << 31U), 0, 4095);
  answer.error = -error;
  if (message.header.nlmsg_type == NLMSG_ERROR) {
    const auto request = peek<nlmsghdr>(payload, "an error");
    const bool capped = (message.header.nlmsg_flags & NLM_F_CAPPED) != 0;
    payload = after(payload, capped ? sizeof request : request.nlmsg_len);
  }
  if ((message.header.nlmsg_flags & NLM_F_ACK_TLVS) == 0) return answer;
  if (const auto words = find(payload, NLMSGERR_ATTR_MSG)) answer.explains = text(*words);
  return answer;
}

Message::Message(std::uint16_t type, unsigned flags) {
  nlmsghdr header{};
  header.nlmsg_type = type;
  header.nlmsg_flags = static_cast<std::uint16_t>(flags | NLM_F_REQUEST);
  bytes_.reserve(256);
  append(&header, sizeof header);
}

Message& Message::append(const void* data, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + size);
  bytes_.resize((bytes_.size() + 3U) & ~std::size_t{3});
  return *this;
}

Message& Message::put(std::uint16_t type, Bytes payload) {
  nlattr header{};
  if (payload.size() > UINT16_MAX - sizeof header) throw Error("an attribute of more than 64 KiB cannot be sent");
  header.nla_type = type;
  header.nla_len = static_cast<std::uint16_t>(sizeof header + payload.size());
  append(&header, sizeof header);
  return append(payload.data(), payload.size());
}

Message& Message::put_text(std::uint16_t type, std::string_view value) {
  const std::string terminated(value);
  return put(type, std::as_bytes(std::span(terminated.c_str(), terminated.size() + 1)));
}

Message& Message::nest(std::uint16_t type, const std::function<void(Message&)>& fill) {
  const std::size_t start = bytes_.size();
  put(static_cast<std::uint16_t>(type | NLA_F_NESTED), {});
  fill(*this);
  const std::size_t size = bytes_.size() - start;
  if (size > UINT16_MAX) throw Error("an attribute of more than 64 KiB cannot be sent");
  const auto length = static_cast<std::uint16_t>(size);
  std::memcpy(bytes_.data() + start + offsetof(nlattr, nla_len), &length, sizeof length);
  return *this;
}

Bytes Message::finish(std::uint32_t sequence) {
  const auto length = static_cast<std::uint32_t>(bytes_.size());
  std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_len), &length, sizeof length);
  std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_seq), &sequence, sizeof sequence);
  return bytes_;
}

bool Message::is_dump() const {
  nlmsghdr header{};
  std::memcpy(&header, bytes_.data(), sizeof header);
  return (header.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
}

}  // namespace rdmastate::codec
