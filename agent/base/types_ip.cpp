// SPDX-License-Identifier: Apache-2.0
// Reads and prints IP addresses, interface addresses and networks.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "base/types.hpp"

namespace rdmastate {
namespace {

std::optional<IpAddress> parse_address(std::string_view text) {
  const std::string copy(text);
  IpAddress address;
  if (copy.find('\0') != std::string::npos) return std::nullopt;
  address.family = copy.find(':') == std::string::npos ? Family::v4 : Family::v6;
  const int family = address.family == Family::v4 ? AF_INET : AF_INET6;
  if (inet_pton(family, copy.c_str(), address.bytes.data()) != 1) return std::nullopt;
  return address;
}

unsigned bits_of(const IpAddress& address) { return static_cast<unsigned>(address.size()) * 8; }

// The address without the bits behind its first `length`. Of each byte, 0xff00 >> kept has ones in the bits that stay.
IpAddress masked(IpAddress address, unsigned length) {
  for (unsigned i = 0; i < address.size(); ++i) {
    const unsigned kept = length > i * 8 ? std::min(length - i * 8, 8U) : 0;
    address.bytes[i] = static_cast<std::uint8_t>(address.bytes[i] & (0xff00U >> kept));
  }
  return address;
}

// 24 for 255.255.255.0; nullopt for what is no netmask.
std::optional<unsigned> length_of_mask(std::string_view text) {
  const auto mask = parse_address(text);
  if (!mask || mask->family != Family::v4) return std::nullopt;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits = bits << 8U | mask->bytes[i];
  const auto ones = static_cast<unsigned>(std::countl_one(bits));
  if (ones < 32 && bits << ones != 0) return std::nullopt;
  return ones;
}

/// What IpInterface and IpNetwork have in common: an address with its prefix length.
struct Prefixed {
  IpAddress address;
  std::uint8_t length = 0;
};

std::string join(const IpAddress& address, unsigned length) {
  return Text<IpAddress>::print(address) + "/" + std::to_string(length);
}

// The hint shows a usual length as an example, since only the user knows the right one.
Complaint no_length(std::string_view wanted, const Scalar& scalar, const IpAddress& address) {
  const unsigned usual = address.family == Family::v4 ? 24 : 64;
  return unexpected(wanted, scalar, "has no prefix length", fmt::format("write it as in {}", join(address, usual)));
}

std::optional<Complaint> read_length(std::string_view wanted, const Scalar& scalar, std::string_view text,
                                     Prefixed& out) {
  const unsigned most = bits_of(out.address);
  if (const auto length = length_of_mask(text); length && out.address.family == Family::v4)
    return unexpected(wanted, scalar, "has a netmask", fmt::format("write {}", join(out.address, *length)));
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out.length);
  const bool number =
      failure == std::errc{} && end == text.data() + text.size() && (text.size() == 1 || text[0] != '0');
  if (number && out.length <= most) return std::nullopt;
  return unexpected(wanted, scalar, fmt::format("has no prefix length from 0 to {} after the /", most));
}

std::optional<Complaint> read_prefixed(std::string_view wanted, const Scalar& scalar, Prefixed& out) {
  const std::size_t slash = scalar.text.find('/');
  const auto address = parse_address(scalar.text.substr(0, slash));
  if (!address) return unexpected(wanted, scalar);
  out.address = *address;
  if (slash == std::string_view::npos) return no_length(wanted, scalar, *address);
  return read_length(wanted, scalar, scalar.text.substr(slash + 1), out);
}

constexpr std::string_view prefixed_schema = R"({"type":"string","pattern":"^[0-9a-fA-F.:]+/[0-9]{1,3}$"})";

}  // namespace

IpNetwork network_of(const IpInterface& address) { return {masked(address.address, address.length), address.length}; }

bool contains(const IpNetwork& network, const IpAddress& address) {
  return network.address.family == address.family && masked(address, network.length) == network.address;
}

std::string Text<IpAddress>::schema() { return R"({"type":"string","pattern":"^[0-9a-fA-F.:]+$"})"; }

std::optional<Complaint> Text<IpAddress>::read(const Scalar& scalar, IpAddress& out) {
  const std::size_t slash = scalar.text.find('/');
  const auto address = parse_address(scalar.text.substr(0, slash));
  if (!address) return unexpected(wanted, scalar);
  if (slash != std::string_view::npos)
    return unexpected(wanted, scalar, "has a prefix length; one address is wanted",
                      fmt::format("write {}", print(*address)));
  out = *address;
  return std::nullopt;
}

std::string Text<IpAddress>::print(const IpAddress& value) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (value.family == Family::v6) {
    inet_ntop(AF_INET6, value.bytes.data(), text.data(), text.size());
    return text.data();
  }
  char* end = text.data();
  for (std::size_t i = 0; i < 4; ++i) {
    if (i != 0) *end++ = '.';
    end = std::to_chars(end, text.data() + text.size(), static_cast<unsigned>(value.bytes[i])).ptr;
  }
  return {text.data(), end};
}

std::string Text<IpInterface>::schema() { return std::string(prefixed_schema); }

std::optional<Complaint> Text<IpInterface>::read(const Scalar& scalar, IpInterface& out) {
  Prefixed value;
  if (auto complaint = read_prefixed(wanted, scalar, value)) return complaint;
  out = {value.address, value.length};
  return std::nullopt;
}

std::string Text<IpInterface>::print(const IpInterface& value) { return join(value.address, value.length); }

std::string Text<IpNetwork>::schema() { return std::string(prefixed_schema); }

std::optional<Complaint> Text<IpNetwork>::read(const Scalar& scalar, IpNetwork& out) {
  Prefixed value;
  if (auto complaint = read_prefixed(wanted, scalar, value)) return complaint;
  const IpNetwork network{masked(value.address, value.length), value.length};
  if (network.address != value.address)
    return unexpected(wanted, scalar, fmt::format("has bits set after its first {}", value.length),
                      fmt::format("write {}", print(network)));
  out = network;
  return std::nullopt;
}

std::string Text<IpNetwork>::print(const IpNetwork& value) { return join(value.address, value.length); }

}  // namespace rdmastate
