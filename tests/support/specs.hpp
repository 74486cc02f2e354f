// SPDX-License-Identifier: Apache-2.0
// Pieces of specs for the guide's host.
#pragma once

#include <string>

namespace rdmastate {

inline const std::string spec_head =
    "version: 1\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib, ib_umad]}\nipoib:\n";
inline const std::string spec_port =
    "  - name: mlx4_ib0\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mode: connected\n    mtu: 65520\n"
    "    ipv4: {method: manual, addresses: [198.51.100.1/28]}\n";
inline const std::string spec_child =
    "  - parent: mlx4_ib0\n    pkey: 0x8002\n"
    "    ipv4: {method: manual, addresses: [198.51.100.33/28], routes: [{to: 203.0.113.0/28, via: 198.51.100.46, metric: 50}]}\n";
inline const std::string spec_two = spec_head + spec_port + spec_child;
inline const std::string spec_one = spec_head + spec_port;
/// As the guide's text prints it.
inline const std::string port_key = "port f452:1403:007b:cba1";
inline const std::string child_key = port_key + " pkey 0x8002";

}  // namespace rdmastate
