// SPDX-License-Identifier: Apache-2.0
// What every implementation of Rdma and Links does with virtual functions: of the first device that has an InfiniBand
// port with an interface, and can have two; fact 22.
#pragma once

#include "links_contract.hpp"

namespace rdmastate {

/// Needs such a device; leaves it without virtual functions and with autoprobe.
class SriovContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;
  Rdma& rdma() { return *host.rdma; }
  Sriov sriov() { return rdma().sriov(pci).value(); }
  VirtualFunction function(std::size_t number) { return sriov().functions.at(number); }
  int refusal_of(std::uint32_t count) {
    return errno_of([&] { rdma().set_vf_count(pci, count); });
  }
  /// The RDMA device of a virtual function; nullopt: it has none.
  std::optional<RdmaDevice> device(const VirtualFunction& of);

  std::string pci;   ///< of the physical function; empty: there is none
  std::string name;  ///< of the interface by which virtual functions are told
};

}  // namespace rdmastate
