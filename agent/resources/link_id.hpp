// SPDX-License-Identifier: Apache-2.0
// How a resource names an IPoIB interface: by its port's GUID, which stays when the interface is renamed, or by a
// present name until resolve() finds the GUID. A bond of such interfaces has its name alone.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// A port's own IPoIB interface, or with `pkey` its child in that partition. One of the three selectors is set:
/// the port GUID; an RDMA device's present name and port number; or the interface's present name. Or a bond, by its
/// name. Text: "port f452:1403:007b:cba1", "device mlx4_1 port 1", "name ib0", each with " pkey 0x8002" for a child;
/// "bond bond0".
struct LinkId {
  Guid guid;                 ///< of the port; 0: not set
  std::string device;        ///< an RDMA device's present name; empty: not set
  std::uint32_t port = 0;    ///< the number of a port of `device`
  std::string name;          ///< the port's own interface by its present name, also where `pkey` means a child of it
  std::optional<PKey> pkey;  ///< of a child; nullopt: the port's own interface is meant
  std::string bond;          ///< the name of a bond, which has none of the others; empty: an IPoIB interface is meant
  auto operator<=>(const LinkId&) const = default;

  /// The port's own interface.
  LinkId parent() const {
    LinkId id = *this;
    id.pkey.reset();
    return id;
  }
};

template <>
struct Text<LinkId> {
  static constexpr std::string_view wanted = "an interface's identity such as port f452:1403:007b:cba1 pkey 0x8002";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, LinkId& out);
  static std::string print(const LinkId& id);
};

/// Reads the text of a LinkId, from a key of the ledger, a run or a saved plan. Throws an Error that quotes `text`
/// where it is none.
LinkId link_id_from(std::string_view text);

/// The same interface by its port GUID where the host knows it, else `id` as it is.
LinkId resolve(const Snapshot& snapshot, const LinkId& id);
/// Whether resolve() would return the identity at the beginning of `key` unchanged: it is a port's GUID already, or the
/// host is a tree.
inline bool is_resolved(const Snapshot& snapshot, std::string_view key) {
  return snapshot.is_tree() || key.starts_with("port ") || key.starts_with("bond ");
}
/// The identity of a bond.
LinkId bond_id(std::string name);
/// The name of the kind that makes the interface: what an address or a route on it needs.
std::string_view kind_of_link(const LinkId& id);
/// The interface, or nullptr. A tree has none.
const Link* find_link(const Snapshot& snapshot, const LinkId& id);

}  // namespace rdmastate
