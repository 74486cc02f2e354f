// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/sockets_codec.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>

namespace rdmastate::codec {
namespace {

constexpr std::string_view established = "01";  // TCP_ESTABLISHED

template <class Number>
std::optional<Number> number_from(std::string_view text, int base = 10) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The IPv4 address in ::ffff:192.0.2.1; any other address as it is.
IpAddress without_mapping(const IpAddress& address) {
  constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (address.family == Family::v4 || !std::equal(mapped.begin(), mapped.end(), address.bytes.begin())) return address;
  IpAddress plain;  // of IPv4
  std::copy(address.bytes.begin() + mapped.size(), address.bytes.end(), plain.bytes.begin());
  return plain;
}

// The address of "0100007F:0016": each 32 bits of it stand as a number in the host's byte order (get_tcp4_sock,
// "%08X").
std::optional<IpAddress> endpoint_from(std::string_view text) {
  constexpr std::size_t digits = 8;
  text = text.substr(0, text.find(':'));
  IpAddress address;
  address.family = text.size() == digits ? Family::v4 : Family::v6;
  if (text.size() != digits * address.size() / 4) return std::nullopt;
  for (std::size_t word = 0; word < text.size() / digits; ++word) {
    const auto value = number_from<std::uint32_t>(text.substr(word * digits, digits), 16);
    if (!value) return std::nullopt;
    std::memcpy(address.bytes.data() + word * sizeof *value, &*value, sizeof *value);
  }
  return without_mapping(address);
}

// nullopt for a socket in another state, and for a line of another format.
std::optional<SocketLine> socket_from(const std::string& line) {
  // Fields of /proc/net/tcp, counted from 0 (proc(5)).
  constexpr std::size_t local_at = 1;
  constexpr std::size_t remote_at = 2;
  constexpr std::size_t state_at = 3;
  constexpr std::size_t inode_at = 9;
  std::istringstream in(line);
  std::vector<std::string> fields;
  for (std::string field; fields.size() <= inode_at && in >> field;) fields.push_back(field);
  if (fields.size() <= inode_at || fields[state_at] != established) return std::nullopt;
  const auto local = endpoint_from(fields[local_at]);
  const auto remote = endpoint_from(fields[remote_at]);
  const auto inode = number_from<std::uint64_t>(fields[inode_at]);
  if (!local || !remote || !inode) return std::nullopt;
  return SocketLine{*local, *remote, *inode};
}

}  // namespace

// "812 (a (b) c) S 1 ...": a command may hold parentheses and spaces, the fields behind it hold none.
std::optional<ProcessLine> process_from(std::string_view stat) {
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  std::istringstream rest{std::string(stat.substr(close + 1))};
  ProcessLine process;
  std::string state;
  if (!(rest >> state >> process.parent_pid)) return std::nullopt;
  std::string other;
  for (int field = 5; field < 22; ++field) rest >> other;  // starttime is field 22 (proc(5))
  if (!(rest >> process.started)) process.started = 0;
  process.command = std::string(stat.substr(open + 1, close - open - 1));
  return process;
}

std::vector<SocketLine> established_from(std::string_view tcp) {
  std::vector<SocketLine> sockets;
  std::istringstream lines{std::string(tcp)};
  for (std::string line; std::getline(lines, line);)
    if (auto socket = socket_from(line)) sockets.push_back(*socket);
  return sockets;
}

std::optional<std::uint64_t> socket_inode(std::string_view target) {
  constexpr std::string_view head = "socket:[";
  if (!target.starts_with(head) || !target.ends_with(']')) return std::nullopt;
  target.remove_prefix(head.size());
  target.remove_suffix(1);
  return number_from<std::uint64_t>(target);
}

}  // namespace rdmastate::codec
