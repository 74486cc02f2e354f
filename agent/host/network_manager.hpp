// SPDX-License-Identifier: Apache-2.0
// The interface to NetworkManager, in the terms of its D-Bus API (org.freedesktop.NetworkManager): the profiles that it
// has loaded, the devices that have one active, and calls that load, activate, reapply and deactivate.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

namespace ini {
class File;
}

/// A profile that NetworkManager has loaded.
struct NmProfile {
  std::string uuid{};
  std::string path{};    ///< of its file; empty: it is in memory alone
  std::string digest{};  ///< the value of nm_digest_key in its [user] section; empty: rdmastate did not write it
  bool unsaved = false;  ///< changed since it was read from its file
  bool operator==(const NmProfile&) const = default;
};

/// A device that has a profile active, or is just getting one.
struct NmDevice {
  std::string interface {};  ///< its name
  std::string uuid{};        ///< of the active profile
  std::string digest{};   ///< as NmProfile::digest, of what it runs; a live host has it of InfiniBand and bonds alone
  bool activated = true;  ///< false: the activation is under way
  bool operator==(const NmDevice&) const = default;
};

/// What NetworkManager holds, at the time of look(). Pointers into it live as long as it does.
struct NmState {
  std::vector<NmProfile> profiles{};
  std::vector<NmDevice> devices{};  ///< only those with a profile
  bool operator==(const NmState&) const = default;

  /// By the path of its file, by its UUID, by its interface; nullptr where there is none.
  const NmProfile* from_file(std::string_view path) const;
  const NmProfile* profile(std::string_view uuid) const;
  const NmDevice* device(std::string_view interface) const;
};

/// The key of nm-setting-user(5) under which a keyfile of rdmastate carries the digest of its own text. NetworkManager
/// reports the value of the profile that it has loaded and of the settings that it has applied: rdmastate compares both
/// with the file.
inline constexpr std::string_view nm_digest_key = "rdmastate.digest";

/// Whether NetworkManager cannot activate the profile of this keyfile on an interface without carrier. It needs none
/// for the port of a bond, without IP, and where a static IPv4 address is enough (connection_requires_carrier in
/// nm-device.c); an IPv6 address alone is not, since duplicate address detection waits for the carrier. A bond waits
/// for its ports instead.
bool needs_carrier(const ini::File& keyfile);

/// The NetworkManager of a host (org.freedesktop.NetworkManager). Calls that change something throw Error with
/// NetworkManager's message, or SystemError where the D-Bus call itself fails.
class NetworkManager {
 public:
  virtual ~NetworkManager() = default;
  /// nullopt: it does not run.
  virtual std::optional<NmState> look() = 0;
  /// Makes NetworkManager read this file again. Where the file is gone, NetworkManager drops its profile and deletes
  /// the interfaces that the profile made. Throws Error where the file is there and NetworkManager takes no profile
  /// from it.
  virtual void load(const std::string& path) = 0;
  /// Activates a loaded profile and waits until it is active, for 90 s at most: of a bond until it takes ports, of a
  /// bond's port until the bond is active too. Throws Error with NetworkManager's reason.
  virtual void activate(const std::string& uuid, const std::string& interface) = 0;
  /// Brings an active profile's changes to its interface without taking it down; what others added there stays. False:
  /// these changes need an activation, or no profile is active there.
  virtual bool reapply(const std::string& interface) = 0;
  /// Takes the active profile off an interface and waits until it is off, for 90 s at most. A child that it made goes
  /// with it. Nothing where no profile is active there.
  virtual void deactivate(const std::string& interface) = 0;
};

}  // namespace rdmastate
