// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/mounts_codec.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace rdmastate::codec {
namespace {

// nullopt for what is no address, and for 0.0.0.0 and ::, which stand where there is none.
std::optional<IpAddress> address_from(std::string_view text) {
  IpAddress address;
  text = text.substr(0, text.find('%'));  // the interface of a link-local address
  if (text.empty() || Text<IpAddress>::read({text, /*plain=*/true}, address)) return std::nullopt;
  if (address == IpAddress{address.family, {}}) return std::nullopt;
  return address;
}

// Where the address of the server stands: in an option, or in the source.
struct NetworkType {
  std::string_view name;
  std::string_view server;  ///< the option's key; empty: the source
};
constexpr std::array<NetworkType, 7> network_types{
    {{"nfs", "addr"}, {"nfs4", "addr"}, {"cifs", "addr"}, {"smb3", "addr"}, {"ceph", ""}, {"lustre", ""}, {"9p", ""}}};

// By the options of NFS ("proto=rdma"), of CIFS ("rdma") and of 9p ("trans=rdma"), or by Lustre's source ("@o2ib").
bool is_rdma(const MountLine& mount) {
  return option_of(mount.options, "proto").starts_with("rdma") || has_option(mount.options, "rdma") ||
         has_option(mount.options, "trans=rdma") || mount.source.find("@o2ib") != std::string::npos;
}

}  // namespace

std::vector<IpAddress> addresses_in(std::string_view text) {
  std::vector<IpAddress> found;
  const auto take = [&](std::string_view piece) {
    if (const auto address = address_from(piece)) found.push_back(*address);
  };
  text = text.substr(0, text.find('/'));
  // A piece ends at a separator, or, in brackets (IPv6), at ']'.
  while (!text.empty()) {
    const bool is_bracketed = text.front() == '[';
    const std::size_t end = std::min(is_bracketed ? text.find(']') : text.find_first_of(",:@["), text.size());
    take(text.substr(is_bracketed ? 1 : 0, end - (is_bracketed ? 1 : 0)));
    const bool opens = !is_bracketed && end < text.size() && text[end] == '[';
    text.remove_prefix(std::min(opens ? end : end + 1, text.size()));
  }
  return found;
}

std::optional<Connection> connection_of(const MountLine& mount) {
  const auto type = std::find_if(network_types.begin(), network_types.end(),
                                 [&](const NetworkType& one) { return one.name == mount.type; });
  if (type == network_types.end()) return std::nullopt;
  Connection connection;
  connection.name = mount.target;
  connection.type = mount.type;
  connection.source = mount.source;
  connection.rdma = is_rdma(mount);
  connection.carries = {mount.target};
  if (type->server.empty()) {
    connection.remotes = addresses_in(mount.source);
  } else if (const auto server = address_from(option_of(mount.options, type->server))) {
    connection.remotes = {*server};
  }
  connection.local = address_from(option_of(mount.options, "clientaddr"));
  if (!connection.local) connection.local = address_from(option_of(mount.options, "srcaddr"));
  if (connection.remotes.empty() && !connection.local) return std::nullopt;  // 9p over virtio, for one
  return connection;
}

}  // namespace rdmastate::codec
