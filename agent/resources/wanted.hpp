// SPDX-License-Identifier: Apache-2.0
// What sections ask for: resources with their wanted states and their twins.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "resources/kind.hpp"

namespace rdmastate {

/// How a durable resource holds the state that a volatile one shall have at the next boot.
enum class TwinForm : std::uint8_t {
  whole_file,  ///< the file is about this resource alone: as spec when the file is
  line,  ///< one line of the file says so: the resource's key (modules-load.d), or the twin's own line (modprobe.d)
  boot_entry,  ///< an entry of boot.json with the resource's kind and key
};

/// The durable resource that makes a volatile one true at the next boot.
struct Twin {
  Ref file;
  TwinForm form = TwinForm::whole_file;
  std::vector<std::string> fields;  ///< the fields it covers; empty: all that no other twin names
  std::string line = {};            ///< of form `line`: which one, where it is not the key
};

/// The section of the spec that a path is in: "ipoib" of "ipoib[1].ipv4"; "" of none.
inline std::string section_of(const std::string& path) { return path.substr(0, path.find_first_of(".[")); }

/// What a foreign file becomes when --adopt takes it over.
struct TakenOver {
  State state;
  bool keeps_theirs = false;              ///< its own bytes, with what the spec says laid over them: changed, not made
  std::vector<std::string> against = {};  ///< sentences: what of it the spec contradicts
};

/// One resource that a spec asks for.
struct Wanted {
  const Kind* kind = nullptr;
  std::string key;                      ///< as the spec selects it; resolve() gives the host's name for it
  std::optional<State> state;           ///< nullopt: it shall not be there
  std::string path;                     ///< where the spec says so: "ipoib[1]"; empty for what follows from the whole
  std::string awaited_from;             ///< "NetworkManager": who moves it; empty: we do
  std::vector<Twin> twins;              ///< empty for what is durable itself
  bool optional = false;                ///< what is not there to be had is no difference
  std::vector<std::string> unmet = {};  ///< sentences: what is expected of it and cannot be moved
  /// Of what is awaited: until when, as a sentence, where its owner reads its files at a boot or when it is told to;
  /// empty: it comes by itself.
  std::string waits = {};
  /// What its twins can say of it, where that is less than `state`: of what can never be they say nothing.
  std::optional<State> at_boot = {};
  /// Of a file: what a foreign one becomes, or one that was taken over before. Null: `state`, whatever was
  /// there.
  std::function<TakenOver(const State& theirs)> take_over = {};
  /// Where it is not there yet: the key of the foreign one that is out of force once it is. With --adopt `take_over` is
  /// asked with that one's state, so that ours begins as a copy of it.
  std::string begins_as = {};
};

/// What of others' configuration is out of force with what is wanted.
struct Displaced {
  std::vector<Ref> by;   ///< what is wanted that does it: the first of these that has a step
  std::string sentence;  ///< "routing_engine ftree of /etc/rdma/opensm.conf"
};

/// A wanted resource, or some of its fields, that this host can never have: what is blocked whatever comes.
struct Impossible {
  const Kind* kind = nullptr;
  std::string key;                       ///< as the spec selects it
  std::string path;                      ///< where the spec says so
  std::vector<std::string_view> fields;  ///< of the wanted state; empty: all of it
};

/// A file that configures something that the spec names and does not write that file for. Whose it is, the ledger
/// knows.
struct Claimant {
  Claim claim;
  const Kind* kind = nullptr;               ///< which removes it
  std::string_view what = "the interface";  ///< what of it stands in the spec's way
  bool holds_more = false;                  ///< it is about more than that: never taken over
  bool purged = false;                      ///< the spec says that nothing of the kind stays, whoever made it
  std::string made_from = {};               ///< the file that a program makes it from, and that it goes with
  std::string could_be = {};  ///< the key of the wanted file that it could stay as, with ours laid over it
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
  std::vector<std::string_view> left = {};  ///< kinds that the spec leaves to somebody else, whatever goes
  /// Durable resources that stay as they are, written by us or not: they would ask for what is impossible.
  std::vector<Ref> kept = {};

  Wanted& add(Wanted one) { return wanted.emplace_back(std::move(one)); }
};

}  // namespace rdmastate
