// SPDX-License-Identifier: Apache-2.0
// What NetworkManager can be asked and told: its own terms (org.freedesktop.NetworkManager), over D-Bus when live.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// A profile that NetworkManager has loaded.
struct NmProfile {
  std::string uuid{};
  std::string path{};    ///< the file it is from; empty: in memory alone
  std::string digest{};  ///< nm_digest_key of its [user] section: what rdmastate's files say of themselves
  bool unsaved = false;  ///< changed since it was read from its file
  bool operator==(const NmProfile&) const = default;
};

/// A device that has a profile active, or is just getting one.
struct NmDevice {
  std::string interface {};
  std::string uuid{};     ///< of the active profile
  std::string digest{};   ///< as in NmProfile, of the settings that were applied
  bool activated = true;  ///< false: under way
  bool operator==(const NmDevice&) const = default;
};

/// What NetworkManager holds: a snapshot, asked for with look(). The pointers belong to it; nullptr: there is none.
struct NmState {
  std::vector<NmProfile> profiles{};
  std::vector<NmDevice> devices{};  ///< only those with a profile
  bool operator==(const NmState&) const = default;

  /// By the path of its file, by its UUID, by its interface; nullptr where there is none.
  const NmProfile* from_file(std::string_view path) const;
  const NmProfile* profile(std::string_view uuid) const;
  const NmDevice* device(std::string_view interface) const;
};

/// The key of nm-setting-user(5) under which a keyfile of rdmastate carries the digest of its own text: NetworkManager
/// tells it of what it has loaded and of what it has applied, so both can be compared with the file.
inline constexpr std::string_view nm_digest_key = "rdmastate.digest";

/// The NetworkManager of a host (org.freedesktop.NetworkManager). Moving calls throw SystemError or Error with its
/// answer.
class NetworkManager {
 public:
  virtual ~NetworkManager() = default;
  /// nullopt: it does not run.
  virtual std::optional<NmState> look() = 0;
  /// Makes it read this file again; what is no longer there is forgotten, and whatever it made goes. Throws Error when
  /// it takes no profile from the file.
  virtual void load(const std::string& path) = 0;
  /// Activates a loaded profile and waits until it is active. Throws Error with NetworkManager's reason.
  virtual void activate(const std::string& uuid, const std::string& interface) = 0;
  /// Brings an active profile's changes to its interface without taking it down; what others added there stays. False:
  /// these changes need an activation.
  virtual bool reapply(const std::string& interface) = 0;
  /// Takes the active profile off an interface and waits until it is off. A child that it made goes with it.
  virtual void deactivate(const std::string& interface) = 0;
};

}  // namespace rdmastate
