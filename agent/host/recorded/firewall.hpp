// SPDX-License-Identifier: Apache-2.0
// Implements Firewall, the interface to firewalld, for a recorded host; reads and writes its zones in a record.
#pragma once

#include "base/json.hpp"
#include "host/firewall.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

class JsonObject;

/// firewalld as far as a record knows it: what its zones let in, in both stores. It does not write the zones' files.
class RecordedFirewall final : public Firewall {
 public:
  RecordedFirewall(HostModel& model, CallLog& log) : model_(model), log_(log) {}
  bool runs() override;
  std::vector<std::string> zones(FirewallStore store) override;
  std::optional<FirewallZone> zone(FirewallStore store, const std::string& name) override;
  void open(FirewallStore store, const std::string& zone, const FirewallPorts& port) override;
  void close(FirewallStore store, const std::string& zone, const FirewallPorts& port) override;

 private:
  /// Throws Error, which begins with `doing`, where firewalld does not run.
  RecordedFirewalld& firewalld(const std::string& doing);
  /// Throws as firewalld() does, and where there is no such zone.
  FirewallZone& find(FirewallStore store, const std::string& name, const std::string& doing);

  HostModel& model_;
  CallLog& log_;
};

/// From the record's object "firewall", and back. Throws Error with the place of what is wrong.
RecordedFirewalld read_firewall(JsonObject& in);
Json firewall_json(const RecordedFirewalld& firewall);

}  // namespace rdmastate
