// SPDX-License-Identifier: Apache-2.0
// Implements Units, the interface to systemd's units, for a recorded host; reads and writes them.
#pragma once

#include "base/json.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"
#include "host/units.hpp"

namespace rdmastate {

class JsonObject;

/// systemd as far as a record knows it: the units that have files, which of them are active, and how much memory their
/// main processes may pin, by those files. What a unit does is modelled only for nfs-server.service (nfsd.hpp) and
/// mounts (mounts.hpp).
class RecordedUnits final : public Units {
 public:
  RecordedUnits(HostModel& model, CallLog& log) : model_(model), log_(log) {}
  bool answers() override;
  std::optional<UnitLook> look(const std::string& unit) override;
  std::vector<std::string> services() override;
  void start(const std::string& unit) override;
  void stop(const std::string& unit) override;
  void restart(const std::string& unit) override;
  void reread(const std::string& unit) override;
  void hang_up(const std::string& unit) override;
  void reload() override;

 private:
  /// Throws Error, which begins with `doing`, where systemd does not answer.
  RecordedSystemd& systemd(const std::string& doing);
  /// Throws Error where systemd does not answer, or has no such unit.
  void check(const std::string& unit, const std::string& doing);
  /// begin() makes a unit active with what follows from that, end() inactive; each does nothing where it is so already.
  void begin(const std::string& unit);
  void end(const std::string& unit);
  /// Whether the unit's files have changed since systemd read them.
  bool has_changed(const std::string& unit);

  HostModel& model_;
  CallLog& log_;
  std::map<std::string, std::string> read_;  ///< by unit that was looked at: the text of its files as systemd read them
};

/// Whether systemd finds a file of this unit, or of the template that it is an instance of, that does not mask it.
bool has_unit(const HostModel& model, const std::string& unit);

/// Reads "units" of the record's object "systemd" into `read`, and writes it.
void read_units(JsonObject& systemd, RecordedSystemd& read);
Json units_json(const RecordedSystemd& systemd);
/// The same without process numbers and needs_reload.
Json units_without_numbers(const RecordedSystemd& systemd);

}  // namespace rdmastate
