// SPDX-License-Identifier: Apache-2.0
// Implements Accounts, the interface to users and groups, for a recorded host.
#pragma once

#include "host/accounts.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// Users and groups of the record's /etc/passwd and /etc/group, and of its directory service (LDAP and the like). What
/// each call means is said in host/accounts.hpp.
class RecordedAccounts final : public Accounts {
 public:
  explicit RecordedAccounts(HostModel& model) : model_(model) {}
  bool knows_user(const std::string& name) override;
  bool knows_group(const std::string& name) override;
  bool uses_id(std::uint32_t id) override;
  Directory directory() override { return model_.directory; }
  /// Takes no lock: nobody else writes to a record.
  void locked(const std::function<void()>& work) override { work(); }

 private:
  /// Whether the directory service has the name, which `names` lists. Throws SystemError EACCES where the list is not
  /// complete and lacks the name.
  bool is_in(const std::set<std::string>& names, const std::string& name) const;
  /// Whether the file has a line whose field of that index, counted from 0 between colons, is `text`.
  bool has_line(const std::string& path, std::size_t field, const std::string& text) const;
  HostModel& model_;
};

}  // namespace rdmastate
