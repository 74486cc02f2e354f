// SPDX-License-Identifier: Apache-2.0
// What every implementation of Rdma does with soft devices over the spare link of links_contract.hpp, next to which
// "SPARE.5" is a VLAN and "SPARE.x" an Ethernet link that a case removes; facts 9, 10, 11 and 18 of that list.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

class RdmaContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;
  Rdma& rdma() { return *host.rdma; }
  int refusal_of(const SoftDevice& wanted) {
    return errno_of([&] { rdma().add(wanted); });
  }
  /// Null when there is no device of that name.
  const RdmaDevice* device(const std::string& name);
  std::vector<SoftDevice> ours();

  std::string spare = bed->spare_link();

 private:
  std::vector<RdmaDevice> devices_;
};

}  // namespace rdmastate
