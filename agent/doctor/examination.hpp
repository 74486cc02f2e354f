// SPDX-License-Identifier: Apache-2.0
// One pass of all checks over a host: checks read the host through an Examination and add their findings to it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "doctor/check.hpp"
#include "doctor/counters.hpp"
#include "host/facts.hpp"
#include "host/snapshot.hpp"

namespace rdmastate::doctor {

/// The result of one pass: what was found, and what could not be seen.
struct Diagnosis {
  std::vector<Finding> findings;      ///< worst first, then by id and subject
  std::vector<Unlooked> unlooked;     ///< by id
  std::set<std::string_view> looked;  ///< ids of the checks that looked; the others judge nothing
  Counters counters;                  ///< of this look: a later look compares its own with them (--since)

  /// How many findings are of this severity.
  std::size_t count(Severity severity) const;
};

/// Sorts findings, and what was unseen, into the order in which they are told.
void sort(Diagnosis& diagnosis);

/// One pass of all checks over a host that runs, or a record of one.
class Examination {
 public:
  /// `earlier`: the counters of an earlier look, for checks that need two; null: there was none.
  Examination(const Snapshot& seen, const Facts& known, const Counters* earlier = nullptr)
      : snapshot(seen), facts(known), before(earlier) {}

  const Snapshot& snapshot;
  const Facts& facts;
  const Counters* before;
  Counters counters;  ///< of this look

  /// Lets every check look; a refusal that a check does not expect is noted as unseen. Call it once: it gives its
  /// diagnosis away.
  Diagnosis all();

  // --- For checks. Where the host refuses to tell, those down to is_file() note that as unseen, and answer as if
  // nothing were there.
  /// A file's text, read once, without blanks and newlines at its end. nullopt: it is not there, or its driver has
  /// nothing to show in it at the moment, such as the speed of a link that is down.
  std::optional<std::string> text(const std::string& path);
  /// The number that the text begins with, in decimal digits; nullopt: it begins with none, or there is no text.
  std::optional<std::uint64_t> number(const std::string& path);
  /// A directory's names; none where it is not there.
  std::vector<std::string> names(const std::string& directory);
  /// Whether anything stands at the path.
  bool exists(const std::string& path);
  /// Whether a regular file stands at the path; false for a symbolic link, even to a regular file.
  bool is_file(const std::string& path);

  /// Adds a finding of the check that looks (so only within all()), with the severity in the check's table; the caller
  /// may lower it. The reference is valid until the next finding is added.
  Finding& found(Subject subject, std::string symptom, std::string cause, std::string fix,
                 std::vector<Evidence> evidence = {});
  /// Notes, once, that the check that looks could not see `where`; nothing where no check looks, as for --env.
  void unseen(const std::string& where, const std::string& reason);

  /// The interface of a port: of InfiniBand its IPoIB parent, of Ethernet its network device; nullptr: the port has
  /// none, or none that the snapshot shows.
  const Link* interface_of(const RdmaDevice& device, const RdmaPort& port);
  /// Whether it is an RNIC (node type 4), which has no RoCE.
  bool speaks_iwarp(const RdmaDevice& device);
  /// Whether systemd answers on the bus; where it does not, that is noted as unseen.
  bool has_systemd();
  /// Whether the module is loaded or built in.
  bool has_module(const char* name) const;

 private:
  template <class Work>
  auto asking(const std::string& where, Work&& work) -> decltype(work());

  bool can_look(const Check& check) const;

  Diagnosis diagnosis_;
  std::map<std::string, std::optional<std::string>> texts_;
  std::map<std::pair<std::string, std::uint32_t>, std::string> netdevs_;
  const Check* check_ = nullptr;
};

/// "mlx5_0/1"
Subject subject_of(const RdmaDevice& device, const RdmaPort& port);
/// Its directory in sysfs, with a slash at its end.
std::string sysfs_of(const RdmaDevice& device);
std::string sysfs_of(const RdmaDevice& device, const RdmaPort& port);

}  // namespace rdmastate::doctor
