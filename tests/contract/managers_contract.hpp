// SPDX-License-Identifier: Apache-2.0
// What every implementation of NetworkManager does with profiles of an IPoIB parent; the host is the one of
// links_contract.hpp, with NetworkManager running, which leaves the parent to us.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

class NetworkManagerContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;

  NetworkManager& nm() { return *host.networkmanager; }
  NmState look() { return nm().look().value(); }
  /// Writes a profile of the parent; `digest` is what it says of itself.
  void write(const std::string& digest, std::uint32_t mode = 0600, const std::string& text = {});
  /// The first sections of a profile of the parent.
  std::string head() const;
  bool is_refused(const std::function<void()>& work);

  const std::string path = "/etc/NetworkManager/system-connections/rct.nmconnection";
  const std::string uuid = "5d5c1b1e-7f0a-5c0e-9b52-3c1f4d2a9e01";
};

}  // namespace rdmastate
