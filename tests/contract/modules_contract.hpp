// SPDX-License-Identifier: Apache-2.0
// What every implementation of Modules does with ib_ipoib, ib_core and a module that does not exist; the host is the
// one of links_contract.hpp.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

class ModulesContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;
  Modules& modules() { return *host.modules; }
  std::size_t ipoib_parents();
};

}  // namespace rdmastate
