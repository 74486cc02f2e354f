// SPDX-License-Identifier: Apache-2.0
// Reads the texts of /proc/fs/nfsd: the listeners and the clients of the NFS server.
#pragma once

#include <optional>
#include <string_view>

#include "host/nfsd.hpp"

namespace rdmastate::codec {

/// From portlist, which has "rdma 20049" once for each address family (svc_xprt_names). Each listener is given once;
/// lines of another format are skipped.
std::vector<NfsListener> listeners_from(std::string_view portlist);
/// From "rdma 20049", a line of portlist or a resource's key; nullopt for anything else.
std::optional<NfsListener> listener_from(std::string_view line);
/// From clients/N/info (client_info_show): `address: "198.51.100.7:722"`, `name: "Linux NFSv4.2 node2"`. nullopt
/// without an address.
std::optional<NfsdClient> client_from(std::string_view info);

}  // namespace rdmastate::codec
