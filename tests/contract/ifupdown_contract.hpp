// SPDX-License-Identifier: Apache-2.0
// What every implementation of Ifupdown does.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

/// Needs Debian's ifupdown, and an IPoIB port's interface (`parent`) that ifupdown does not hold, that is, that is not
/// in its ifstate file. The cases write stanzas to /etc/network/interfaces.d/rdmastate-contract.
class IfupdownContract : public IpoibContract {
 protected:
  void SetUp() override;
  void TearDown() override;

  Ifupdown& ifupdown() { return *host.ifupdown; }
  void write(const std::string& stanzas);    ///< replaces the text of that file
  bool holds(const std::string& interface);  ///< whether ifupdown's ifstate file names it
  bool has_address(const std::string& interface);

  const std::string with_address = "iface " + parent + " inet static\n    address 192.0.2.77/24\n";
};

}  // namespace rdmastate
