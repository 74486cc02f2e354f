// SPDX-License-Identifier: Apache-2.0
// The interface to systemd-networkd (org.freedesktop.network1), and readers of the state file that networkd keeps in
// /run for each interface, and of a P_Key in its files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace rdmastate {

/// One interface as networkd sees it: its state file, which sd-network(3) and networkctl(1) read too.
struct NetworkdLink {
  std::string file;      ///< NETWORK_FILE: the path of the .network file that configures it; empty: none does
  std::string state;     ///< ADMIN_STATE: pending, configuring, configured, failed, unmanaged, linger
  bool carrier = false;  ///< CARRIER_STATE is carrier or degraded-carrier
  bool operator==(const NetworkdLink&) const = default;
};

/// The directory in which networkd keeps a state file per interface, named by its ifindex.
inline constexpr std::string_view networkd_links = "/run/systemd/netif/links/";
/// The path of an interface's state file.
std::string networkd_link_path(std::uint32_t index);
/// Reads the text of a state file. What it does not say stays empty or false.
NetworkdLink read_networkd_link(std::string_view text);

/// The systemd-networkd of a host. reload() and reconfigure() throw Error with networkd's answer.
class Networkd {
 public:
  virtual ~Networkd() = default;
  /// Whether it answers on the bus.
  virtual bool runs() = 0;
  /// Reads all its files again, makes the children that a changed .network file names, and configures anew the
  /// interfaces whose .network file is another or has changed. Does not wait for them.
  virtual void reload() = 0;
  /// Configures the interface of this ifindex anew, and makes its children that are missing. Does not wait.
  virtual void reconfigure(std::uint32_t index) = 0;
};

/// PartitionKey= as systemd reads it (safe_atou16: 0x begins a hexadecimal number, 0 an octal one), with the
/// full-member bit, which the kernel sets (ipoib_netlink.c). nullopt: systemd ignores the line, as it does for 0 and
/// 0x8000.
std::optional<PKey> networkd_pkey(const std::string& text);

}  // namespace rdmastate
