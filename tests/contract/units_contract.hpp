// SPDX-License-Identifier: Apache-2.0
// What every implementation of Units does with a service of its own.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

/// On a host where systemd answers; the service sleeps, and goes with the next boot.
class UnitsContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;

  Units& units() { return *host.units; }
  UnitLook look() { return units().look(unit).value(); }
  void write(const std::string& path, const std::string& text);

  const std::string unit = "rdmastate-contract.service";
  const std::string file = "/run/systemd/system/" + unit;
  const std::string folder = file + ".d";
};

}  // namespace rdmastate
