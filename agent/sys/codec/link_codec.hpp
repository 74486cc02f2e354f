// SPDX-License-Identifier: Apache-2.0
// Links as rtnetlink's bytes: RTM_NEWLINK -> Link, and the requests that make, change and remove them. A Message
// (attributes.hpp) is a whole request: type, flags, the header ifinfomsg and attributes; NetlinkSocket sends it. A name
// is sent as it is: the kernel refuses one that is too long, and no function here throws for it.
#pragma once

#include <string_view>
#include <vector>

#include "host/links.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// From an RTM_NEWLINK's payload. Throws Error when an attribute that is read is broken.
Link link_from(Bytes payload);

/// Every link of the namespace, without statistics.
Message link_dump();
/// One link by its name; the answer is one RTM_NEWLINK, or ENODEV.
Message link_get(const std::string& name);

/// A new IPoIB child, which is left down.
Message link_create(const NewIpoib& wanted);
Message link_delete(std::uint32_t index);
/// A new bond of mode active-backup, which is left down.
Message bond_create(const NewBond& wanted);
/// Sets a bond's options. The kernel applies them in the order of its own code.
Message bond_change(std::uint32_t index, const BondChange& wanted);
/// Makes a link a port of the bond `master`; 0: of none.
Message link_set_master(std::uint32_t index, std::uint32_t master);

/// A request that sets one field of IpoibSettings. One per message: the kernel applies several in an order of its own.
struct SettingMessage {
  std::string_view field;  ///< of IpoibSettings' table
  Message message;
};
/// One message for each setting that `wanted` has, in the table's order.
std::vector<SettingMessage> link_settings(std::uint32_t index, const IpoibSettings& wanted);
Message link_set_mtu(std::uint32_t index, std::uint32_t mtu);
Message link_set_name(std::uint32_t index, const std::string& name);
/// Takes an alternative name away (RTM_DELLINKPROP), so that the interface can get it for its name: the kernel refuses
/// a name that is an alternative name already (EEXIST). udev gives an interface as alternative names those that its
/// policy made and did not use.
Message link_drop_altname(std::uint32_t index, const std::string& name);
/// One link by its ifindex, with what it keeps of virtual functions; the answer is one RTM_NEWLINK.
Message vf_settings_get(std::uint32_t index);
/// From an RTM_NEWLINK's payload, by number; empty where it says nothing of virtual functions. Throws Error where an
/// attribute that is read is broken.
std::vector<VfSettings> vf_settings_from(Bytes payload);
/// One message for each setting that `wanted` has.
std::vector<Message> vf_changes(std::uint32_t index, std::uint32_t number, const VfSettings& wanted);
Message link_set_up(std::uint32_t index, bool up);

}  // namespace rdmastate::codec
