// SPDX-License-Identifier: Apache-2.0
// Reads rules of nftables (nft(8)) far enough to tell whether they let packets to a UDP port in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rdmastate::doctor {

/// A base chain of nftables.
struct NftChain {
  std::string table;  ///< with its family: "inet filter"
  std::string name;
  bool operator==(const NftChain&) const = default;
};

/// A chain of the hook `input` that surely drops a connection's first packet to this UDP port over IPv4. The text is a
/// file for `nft -f`, with what it includes in place. nullopt: there is none, or a rule or command says more than is
/// understood here: one that accepts by address or interface, asks another chain, or has a variable or a named set.
std::optional<NftChain> chain_that_drops(std::string_view text, std::uint16_t port);

}  // namespace rdmastate::doctor
