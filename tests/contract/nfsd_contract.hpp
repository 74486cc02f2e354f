// SPDX-License-Identifier: Apache-2.0
// What every implementation of Nfsd does while the server runs.
#pragma once

#include <gtest/gtest.h>

#include "links_contract.hpp"

namespace rdmastate {

/// On a host whose NFS server runs. The listener that it gets stays until the server stops.
class NfsdContract : public LinksContract {
 protected:
  void SetUp() override;

  Nfsd& nfsd() { return *host.nfsd; }
};

}  // namespace rdmastate
