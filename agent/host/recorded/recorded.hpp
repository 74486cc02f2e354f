// SPDX-License-Identifier: Apache-2.0
// A host that is a value, for --host and for tests: loaded from a record or written by hand, as strict as the kernel,
// and saved again.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// Owns a model and the interfaces to it. "Moving calls" are those that change something. Nothing here makes a system
/// call; time passes only when a caller sleeps.
class RecordedHost {
 public:
  explicit RecordedHost(HostModel model, std::string description = "recorded host");
  /// From a record's text; `name` is the file's, for messages and the description.
  static RecordedHost from_json(std::string_view json, const std::string& name);
  ~RecordedHost();
  RecordedHost(RecordedHost&&) noexcept;
  RecordedHost& operator=(RecordedHost&&) = delete;

  /// The interfaces; valid as long as this object, wherever it was moved to.
  Host host();
  std::string to_json() const { return write_host_model(model()); }

  /// The host as it is now; valid as long as this object.
  const HostModel& model() const;
  /// For tests that play administrator, subnet manager or another program.
  HostModel& model();
  /// To be called after a change of ports or P_Key tables: interfaces gain or lose carrier.
  void fabric_changed();

  /// The n-th moving call from now (1 is the next), of whichever interface, fails with the errno `number`: without
  /// effect, or after it took effect. A new order takes the place of the one before, and each is carried out once. A
  /// call that the kernel would refuse counts too: ordered `before`, it fails with `number` all the same; ordered
  /// `after`, with its own errno.
  void fail_call(std::size_t n, int number, When when);
  /// The n-th moving call from now throws OrderedCrash, as if the process had died there.
  void crash_at(std::size_t n, When when);
  void clear_orders();

  /// Every moving call, those that failed too, in words, in order: "creating ib0.8002 on ib0 with P_Key 0x8002".
  const std::vector<std::string>& calls() const;
  std::size_t moves() const { return calls().size(); }
  const ReadCounts& reads() const;
  void reset_reads();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rdmastate
