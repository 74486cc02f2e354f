// SPDX-License-Identifier: Apache-2.0
// Tables say which keys of networkd's files stand for which fields. Printing a file (text), reading one (`take`) and
// laying a spec over a foreign one (network_over, netdev_over: its values replaced, all other lines kept) use them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ini_edit.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// What a file is to say of one interface: what `print` takes.
struct NetworkdSaid {
  const IpoibRecord& record;
  const std::vector<std::string>& children;  ///< of a port: the names of its children (IPoIB=)
  std::string_view bond = {};                ///< the bond that it is a port of: then it has no addresses
  bool is_primary = false;                   ///< it is that bond's primary
};

/// NetworkdKey::take calls it with the field that it has filled ("ipv4.dns"): adopt notes the field's source.
using NetworkdCame = std::function<void(const std::string& field)>;

/// A key of a .network or .netdev file, and the field of the record that it stands for.
struct NetworkdKey {
  std::string_view section;
  std::string_view key;
  std::string_view field;  ///< of the record, where the key stands for that one alone; else empty
  /// The key's values. The file gets one line for each that is not empty.
  std::vector<std::string> (*print)(const NetworkdSaid&);
  /// Reads the key's value into the record. Where `field` is empty, it calls NetworkdCame itself; else its caller notes
  /// `field`. Null, which only a row without a `field` may have: other
  /// code reads the key, or nothing does.
  void (*take)(const std::string&, IpoibRecord&, const NetworkdCame&);
};

/// The keys of a .network file (systemd.network(5)), in the order in which rdmastate writes them.
std::span<const NetworkdKey> network_keys();
/// The keys of a child's .netdev file (systemd.netdev(5)).
std::span<const NetworkdKey> netdev_keys();

/// Reports a child that the host's systemd-networkd cannot make: Kind=ipoib came with systemd 250.
void check_networkd_child(const Facts& facts, const Profile& child, Report& report);

/// The settings of a port's interface that no key of its .network file stands for: systemd 250 to 262 have [IPoIB] in
/// .netdev files alone ("Unknown section 'IPoIB'" of a .network file), and a port has none.
std::vector<std::string_view> unset_by_networkd();
/// The fields of kind ipoib_link that a child's .netdev file says.
std::vector<std::string> netdev_twin_fields();
/// Every key of both tables that stands for a field, as sentence_on_other_keys() wants them: "Network.DNS".
std::vector<std::string> known_networkd_keys();

/// Writes the keys that stand for one field alone into a foreign file, with the values of `asked`. A line that says the
/// same in other words stays; so does a key whose field `asked` leaves out.
void lay_values(std::span<const NetworkdKey> keys, const IpoibRecord& asked, ini::Editor& edit);

/// Gives `use` the block of that family, when there is one.
template <class Use>
void in_block(IpoibRecord& record, Family family, Use&& use) {
  if (family == Family::v4 && record.ipv4) use(*record.ipv4);
  if (family == Family::v6 && record.ipv6) use(*record.ipv6);
}

/// Whether DHCP= turns DHCP on for IPv4 (`four`) and for IPv6 (`six`). systemd still reads none, v4, v6 and both, its
/// former words (config_parse_dhcp()).
struct NetworkdDhcp {
  bool four = false;
  bool six = false;
};
/// Reads a value of DHCP=; both are false for a word that is none of systemd's.
NetworkdDhcp networkd_dhcp(const std::string& text);
/// Whether a value of LinkLocalAddressing= leaves IPv6 its link-local address: so do a missing key and a word that is
/// none of systemd's.
bool networkd_link_local_six(const std::string& text);

/// "ipv4.dns"
std::string field_of(Family family, std::string_view field);

}  // namespace rdmastate
