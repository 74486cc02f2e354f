// SPDX-License-Identifier: Apache-2.0
// What systemd-networkd can be asked and told (org.freedesktop.network1), and what it says of each interface in /run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace rdmastate {

/// One interface as networkd sees it: its state file, which sd-network(3) and networkctl(1) read too.
struct NetworkdLink {
  std::string file;   ///< the .network file it runs; empty for none
  std::string state;  ///< pending, configuring, configured, failed, unmanaged, linger
  bool carrier = false;
  bool operator==(const NetworkdLink&) const = default;
};

/// The directory in which networkd keeps a state file per interface, named by its ifindex.
inline constexpr std::string_view networkd_links = "/run/systemd/netif/links/";
/// The path of an interface's state file.
std::string networkd_link_path(std::uint32_t index);
/// Reads the text of a state file. What it does not say stays empty or false.
NetworkdLink read_networkd_link(std::string_view text);

/// The systemd-networkd of a host. Moving calls throw Error with its answer.
class Networkd {
 public:
  virtual ~Networkd() = default;
  /// Whether it answers on the bus.
  virtual bool runs() = 0;
  /// Reads all its files again, makes the children that a changed .network file names, and configures anew the
  /// interfaces whose .network file is another or has changed. Does not wait for them.
  virtual void reload() = 0;
  /// Configures one interface anew; children of it that are missing are made.
  virtual void reconfigure(std::uint32_t index) = 0;
};

/// PartitionKey= as systemd reads it (safe_atou16: 0x begins a hexadecimal number, 0 an octal one), with the
/// full-member bit, which the kernel sets (ipoib_netlink.c). nullopt: systemd ignores the line, as it does for 0 and
/// 0x8000.
std::optional<PKey> networkd_pkey(const std::string& text);

}  // namespace rdmastate
