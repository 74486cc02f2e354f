// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/nfsd_codec.hpp"

#include <algorithm>

#include "base/lines.hpp"
#include "base/text.hpp"

namespace rdmastate::codec {
namespace {

// The kernel (seq_quote_mem()) writes a value in quotes, with special characters as octal escapes, which stay as they
// are.
std::string unquoted(std::string_view value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
  return std::string(value);
}

}  // namespace

std::optional<NfsListener> listener_from(std::string_view line) {
  const std::size_t blank = line.find(' ');
  NfsListener listener;
  if (blank == 0 || blank == std::string_view::npos) return std::nullopt;
  listener.transport = std::string(line.substr(0, blank));
  if (Text<std::uint32_t>::read({line.substr(blank + 1), /*plain=*/true}, listener.port)) return std::nullopt;
  return listener;
}

std::vector<NfsListener> listeners_from(std::string_view portlist) {
  std::vector<NfsListener> listeners;
  for_lines(portlist, [&](std::string_view line) {
    auto listener = listener_from(trimmed(line));
    if (listener && std::find(listeners.begin(), listeners.end(), *listener) == listeners.end())
      listeners.push_back(std::move(*listener));
  });
  return listeners;
}

std::optional<NfsdClient> client_from(std::string_view info) {
  NfsdClient client;
  for_lines(info, [&](std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return;
    if (line.substr(0, colon) == "address") client.address = unquoted(trimmed(line.substr(colon + 2)));
    if (line.substr(0, colon) == "name") client.name = unquoted(trimmed(line.substr(colon + 2)));
  });
  return client.address.empty() ? std::nullopt : std::optional(std::move(client));
}

}  // namespace rdmastate::codec
