// SPDX-License-Identifier: Apache-2.0
// Users and groups of the live host.
#pragma once

#include "host/accounts.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// Asks the C library's name services (nsswitch.conf(5)), whose plugins it loads at the first question. locked() holds
/// the lock of lckpwdf(3), /etc/.pwd.lock, and throws Error where another process has held it for 15 seconds.
/// Contract: host/accounts.hpp.
class NameServices final : public Accounts {
 public:
  /// `root` must be the live one and outlive this object.
  explicit NameServices(const Root& root) : root_(root) {}
  bool knows_user(const std::string& name) override;
  bool knows_group(const std::string& name) override;
  bool uses_id(std::uint32_t id) override;
  Directory directory() override;
  void locked(const std::function<void()>& work) override;

 private:
  const Root& root_;
};

}  // namespace rdmastate
