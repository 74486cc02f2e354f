// SPDX-License-Identifier: Apache-2.0
// Section `subnet_manager`: whether this host runs OpenSM, on which ports, and the partitions that it makes.
#pragma once

#include <map>
#include <vector>

#include "base/fields.hpp"
#include "sections/subnet_manager/option_types.hpp"
#include "sections/subnet_manager/partition_types.hpp"

namespace rdmastate {

struct SmInstance {
  Guid port_guid;
  std::optional<SmPriority> priority;
  std::optional<SubnetPrefix> subnet_prefix;
  SmOptions options = {};
};

struct PartitionRecord {
  PartitionName name;
  PartitionKey pkey;
  std::optional<bool> ipoib;
  std::optional<IbMtu> mtu;
  std::optional<IbRate> rate;
  std::map<Member, Membership> members;

  bool is_ipoib() const { return ipoib.value_or(false); }
};

struct SubnetManagerSection {
  bool run = false;
  std::vector<SmInstance> instances;
  std::optional<IbMtu> default_mtu;
  std::optional<std::vector<PartitionRecord>> partitions;
};

template <>
struct Fields<SmInstance> {
  static constexpr std::string_view name = "instance";
  static constexpr std::string_view doc = "A subnet manager on one port of this host.";
  static constexpr auto table = Table{
      Field{"port_guid",
            &SmInstance::port_guid,
            "The port's GUID, as ibstat -p prints it.",
            {.required = true, .identity = true, .example = "\"0xf4521403007bcba1\""}},
      Field{"priority",
            &SmInstance::priority,
            "The highest of a fabric's subnet managers becomes the master, the others stand by; OpenSM's default is 0.",
            {.example = "14"}},
      Field{
          "subnet_prefix",
          &SmInstance::subnet_prefix,
          "The first half of the fabric's GIDs. Separate fabrics on one host need different prefixes; all subnet managers of one fabric need the same one, or its GIDs change with the master.",
          {.on_create = "0xfe80000000000000", .example = "\"0xfe80000000000001\""}},
      Field{
          "options",
          &SmInstance::options,
          "Options of OpenSM itself by their names in opensm.conf, such as routing_engine, lmc or sweep_interval; `opensm -c FILE` writes them all, each with a comment. An option that is not named has OpenSM's default; in a file that --adopt took over it keeps the value that stands there. OpenSM reads them when it starts, so a change starts it anew.",
          {.example = "{routing_engine: \"ftree,updn\", root_guid_file: /etc/opensm/roots.conf}"}},
  };
};

template <>
struct Fields<PartitionRecord> {
  static constexpr std::string_view name = "partition";
  static constexpr std::string_view doc = "A partition of the fabric.";
  static constexpr std::array<std::string_view, 2> later{"sl", "scope"};
  static constexpr auto table = Table{
      Field{"name",
            &PartitionRecord::name,
            "What OpenSM's log calls it.",
            {.required = true, .identity = true, .example = "storage"}},
      Field{"pkey",
            &PartitionRecord::pkey,
            "Its key. Bit 15 is each member's own, so 0x0002 and 0x8002 are the same partition.",
            {.required = true, .example = "0x8002"}},
      Field{"ipoib",
            &PartitionRecord::ipoib,
            "true: it has a broadcast group, without which IPoIB interfaces in it get no carrier.",
            {.on_create = "false"}},
      Field{"mtu",
            &PartitionRecord::mtu,
            "The broadcast group's MTU; a port with a smaller one cannot join it. IPoIB in datagram mode has 4 less.",
            {.on_create = "2048", .example = "2048"}},
      Field{"rate",
            &PartitionRecord::rate,
            "The broadcast group's rate in Gb/s; a slower port cannot join it.",
            {.on_create = "10", .example = "10"}},
      Field{
          "members",
          &PartitionRecord::members,
          "Port GUIDs, ALL, ALL_CAS, ALL_SWITCHES, ALL_ROUTERS or SELF (the subnet manager's port), each full, limited or both. Limited members talk to full ones only. An entry for fewer ports overrides an entry for more ports.",
          {.required = true, .example = "{ALL: full}"}},
  };
};

template <>
struct Fields<SubnetManagerSection> {
  static constexpr std::string_view name = "subnet_manager";
  static constexpr std::string_view doc = "OpenSM on this host.";
  static constexpr auto table = Table{
      Field{
          "run",
          &SubnetManagerSection::run,
          "true: OpenSM runs on the ports in `instances`, now and from each boot on. false: OpenSM runs on no port, also when its package is installed later; Debian's package would start one on every port (install it with --force-confold).",
          {.required = true, .example = "true"}},
      Field{"instances", &SubnetManagerSection::instances, "The ports that it runs on: one instance each."},
      Field{
          "default_mtu",
          &SubnetManagerSection::default_mtu,
          "The MTU of the default partition's broadcast group; a port with a smaller one has no IPoIB. Needs `partitions`.",
          {.on_create = "2048", .example = "4096"}},
      Field{
          "partitions", &SubnetManagerSection::partitions,
          "All partitions except the default one, of which every port is a full member. Without this field partitions.conf is left alone; [] leaves the default partition alone in it."},
  };
};

}  // namespace rdmastate
