// SPDX-License-Identifier: Apache-2.0
// What every implementation of Ifupdown does.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

/// On a host with Debian's ifupdown, with a parent that it does not hold; what it is told stands in a file of its own.
class IfupdownContract : public IpoibContract {
 protected:
  void SetUp() override;
  void TearDown() override;

  Ifupdown& ifupdown() { return *host.ifupdown; }
  void write(const std::string& stanzas);
  bool holds(const std::string& interface);
  bool has_address(const std::string& interface);

  const std::string with_address = "iface " + parent + " inet static\n    address 192.0.2.77/24\n";
};

}  // namespace rdmastate
