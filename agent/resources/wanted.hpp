// SPDX-License-Identifier: Apache-2.0
// What sections ask for: resources with their wanted states and their twins, and what they say of foreign files. Wanted
// is one resource, Desired all that one spec asks for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "resources/kind.hpp"

namespace rdmastate {

/// How a durable resource holds the state that a volatile one shall have at the next boot.
enum class TwinForm : std::uint8_t {
  whole_file,  ///< the whole file or entry is about this resource: the twin is in sync when that is
  line,  ///< one line of the file says so: the resource's key (modules-load.d), or the twin's own line (modprobe.d)
  boot_entry,  ///< an entry of boot.json with the resource's kind and key
};

/// The durable resource that makes a volatile one true at the next boot.
struct Twin {
  Ref file;
  TwinForm form = TwinForm::whole_file;
  std::vector<std::string> fields = {};  ///< the fields that it brings; empty: all that no other twin has
  std::string line = {};                 ///< of form `line`: the line of the file; empty: the resource's key
};

/// The section of the spec that a path is in: "ipoib" of "ipoib[1].ipv4"; "" of none.
inline std::string section_of(const std::string& path) { return path.substr(0, path.find_first_of(".[")); }

/// What a foreign file becomes when --adopt takes it over.
struct TakenOver {
  State state;
  /// `state` is the foreign file with what the spec says laid over it, so the ledger counts it as changed, not as made.
  bool keeps_theirs = false;
  /// Sentences: what in the foreign file contradicts the spec. Each is a refusal of the plan.
  std::vector<std::string> against = {};
};

/// One resource that a spec asks for.
struct Wanted {
  const Kind* kind = nullptr;
  std::string key;                ///< as the spec selects it; a plan replaces it by what Kind::resolve gives
  std::optional<State> state;     ///< nullopt: it has to be absent
  std::string path = {};          ///< in the spec: "ipoib[1]"; empty: the resource follows from the whole spec
  std::string awaited_from = {};  ///< its owner: "NetworkManager"; empty: rdmastate moves it
  /// Empty for what is durable itself. Of what is awaited the last one is the file that its owner reads.
  std::vector<Twin> twins = {};
  bool optional = false;                ///< the spec allows it to be missing: then it counts as no difference
  std::vector<std::string> unmet = {};  ///< sentences: how it differs from `expect`, which no step can change
  /// Of what is awaited, a sentence: what has to happen before the owner makes it (a boot, netplan apply); empty:
  /// nothing has to.
  std::string waits = {};
  /// Of what is awaited: fields that this owner has no key for, so rdmastate sets them (Kind::ours).
  std::vector<std::string_view> unset_by_owner = {};
  /// The state that its twins bring, where that is less than `state`: without what this host can never have.
  std::optional<State> at_boot = {};
  /// Of a file: makes the new state of a foreign file (`theirs`), or of one that was taken over before. Null: `state`.
  std::function<TakenOver(const State& theirs)> take_over = {};
  /// Of a file that is not there yet: the key of a foreign file that has no effect any more once this file is there.
  /// With --adopt `take_over` gets the foreign file's state, so that rdmastate's file begins as a copy of it.
  std::string begins_as = {};
};

/// Foreign configuration that has no effect any more once what is wanted is there: what Section::displaces answers. A
/// plan refuses it without an option.
struct Displaced {
  std::vector<Ref> by;   ///< the wanted resources that displace it: the first with a step counts
  std::string sentence;  ///< "routing_engine ftree of /etc/rdma/opensm.conf"
};

/// A wanted resource, or some of its fields, that this host can never have (Gap::never). Once a plan has found some,
/// the spec is expanded anew without them (spec/desire.hpp).
struct Impossible {
  const Kind* kind = nullptr;
  std::string key;                       ///< as the spec selects it
  std::string path;                      ///< where the spec says so
  std::vector<std::string_view> fields;  ///< of the wanted state; empty: all of it
};

/// A file that the spec does not write, and that configures something that the spec names: an interface, an export. The
/// ledger says whether the file is foreign.
struct Claimant {
  Claim claim;
  const Kind* kind = nullptr;               ///< the kind that removes the file
  std::string_view what = "the interface";  ///< what the file configures, for messages: "take the interface out of it"
  bool holds_more = false;                  ///< the file is about other things too: it is never taken over
  bool purged = false;                      ///< the spec says that nothing of the kind stays, whoever made it
  std::string made_from = {};  ///< path of rdmastate's file that a program generates it from: both go; empty: none
  std::string could_be = {};   ///< key of the wanted file that can begin as a copy of it (--adopt); empty: none
};

/// Everything a spec asks of a host.
struct Desired {
  bool adopting = false;            ///< told to the sections: --adopt keeps what others configured, where it can
  std::string backend;              ///< the back end that was chosen
  std::string backend_reason = {};  ///< why, where the host decided it; empty where the spec did
  std::vector<Wanted> wanted;
  std::vector<std::string> interfaces;      ///< names to expect: what a Snapshot may ask for one by one
  std::vector<Claimant> claimants;          ///< files that configure the same interfaces, mounts, keys
  std::vector<const Kind*> purged = {};     ///< kinds of which nothing stays that is not wanted, whoever made it
  std::vector<std::string_view> left = {};  ///< kinds that the spec leaves to another program
  /// Durable resources that are neither written nor removed, since they would ask for what this host can never have.
  std::vector<Ref> kept = {};

  /// Adds a resource, and the interface that it asks about.
  Wanted& add(Wanted resource) {
    if (resource.state)
      if (std::string name = resource.kind->interface(*resource.state); !name.empty())
        interfaces.push_back(std::move(name));
    return wanted.emplace_back(std::move(resource));
  }
};

}  // namespace rdmastate
