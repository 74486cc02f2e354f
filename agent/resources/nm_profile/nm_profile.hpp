// SPDX-License-Identifier: Apache-2.0
// Kind `nm_profile`: a NetworkManager keyfile, that NetworkManager has loaded it as it is, and that the interface runs
// it. Key: the file's path. Durable; where NetworkManager does not run, it is only a file.
#pragma once

#include "resources/file/file.hpp"

namespace rdmastate {

/// The file, and what NetworkManager has made of it. The members are nullopt where NetworkManager does not run, and in
/// a state of a step that leaves them alone.
struct NmProfileState : FileState {
  std::optional<bool> loaded;  ///< NetworkManager holds what the file says
  std::optional<std::string>
      active;                   ///< UUID of the profile that the interface runs; no_profile or no_carrier for none
  std::optional<bool> applied;  ///< what it runs is what the file says
  bool operator==(const NmProfileState&) const = default;
};

/// The value of `active` of an interface that runs no profile.
inline constexpr std::string_view no_profile = "none";
/// The same where the profile needs a carrier and the interface has none: NetworkManager let it go, and activates it by
/// itself when the carrier is back.
inline constexpr std::string_view no_carrier = "no carrier";

template <>
struct Fields<NmProfileState> {
  static constexpr std::string_view name = "nm_profile";
  static constexpr std::string_view doc = "A NetworkManager profile.";
  static constexpr auto table = Table{
      Field{"type", &FileState::type, "What it is.", {.required = true}},
      Field{"mode", &FileState::mode, "Permission bits."},
      Field{"uid", &FileState::uid, "The owner's number."},
      Field{"gid", &FileState::gid, "The group's number."},
      Field{"content", &FileState::content, "Its bytes."},
      Field{"xattrs", &FileState::xattrs, "Extended attributes."},
      Field{"loaded", &NmProfileState::loaded, "NetworkManager has loaded the file as it is.", {.runtime = true}},
      Field{"active",
            &NmProfileState::active,
            "The UUID of the profile that the interface runs; none, or no carrier where it waits for one.",
            {.runtime = true}},
      Field{"applied", &NmProfileState::applied, "The interface runs what the file says.", {.runtime = true}},
  };
};

extern const Kind nm_profile_kind;

/// The path of rdmastate's profile for an interface.
std::string nm_profile_path(const std::string& interface);

/// What a profile's text says of itself and of its interface.
struct NmProfileText {
  std::string interface;
  std::string uuid;
  std::string digest;  ///< the value of nm_digest_key; empty: rdmastate did not write the text
  std::string parent;  ///< the name of a child's parent; empty for a port's own interface
  std::string pkey;    ///< as NetworkManager writes it: decimal; empty: the profile is of no partition
  std::string bond;    ///< what the interface is a port of: its name or the UUID of its profile; empty: of nothing
  std::string type;    ///< "infiniband", "bond"
  bool is_bond() const { return type == "bond"; }
};
/// Reads the file's text; empty members where the keyfile does not have them.
NmProfileText read_nm_profile(const FileState& file);

/// A profile as a spec wants it: the file, loaded and active.
NmProfileState wanted_nm_profile(std::string content);
/// The same, where the caller knows the UUID in `content`, so that the text need not be read.
NmProfileState wanted_nm_profile(std::string content, std::string uuid);
/// The kind's gap: pure.
Gap nm_profile_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);
/// The kind's loses(): which addresses and routes a step takes off the interface, or that it takes the interface down.
Loss nm_profile_loses(const Scene& scene, const std::string& key, const State* from, const State* to);
/// What is left of a step that may not touch the interface: the file, and that NetworkManager has loaded it. nullopt:
/// both are as wanted already.
std::optional<State> nm_profile_still(const State* from, const State& to);
/// Whether the interface stays up where it comes to run `to`: it runs the profile of `from` as the file says, and
/// NetworkManager can bring the change to it (Device.Reapply). Where it runs an older version of the profile, nobody
/// knows what that version says: NetworkManager activates the profile anew, which takes the interface down.
bool stays_up(const NmProfileState* from, const NmProfileState& to);

}  // namespace rdmastate
