// SPDX-License-Identifier: Apache-2.0
// Users and groups of a recorded host.
#pragma once

#include "host/accounts.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// Those of the record's own /etc/passwd and /etc/group, and those of its directory.
class RecordedAccounts final : public Accounts {
 public:
  explicit RecordedAccounts(HostModel& model) : model_(model) {}
  bool knows_user(const std::string& name) override;
  bool knows_group(const std::string& name) override;
  bool uses_id(std::uint32_t id) override;
  Directory directory() override { return model_.directory; }
  /// Nobody else writes a record.
  void locked(const std::function<void()>& work) override { work(); }

 private:
  bool is_in(const std::set<std::string>& names, const std::string& name) const;
  bool has_line(const std::string& path, std::size_t field, const std::string& text) const;
  HostModel& model_;
};

}  // namespace rdmastate
