// SPDX-License-Identifier: Apache-2.0
// The spec as a whole: one member per section of this version.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sections/include_path.hpp"
#include "sections/list.hpp"

namespace rdmastate {

enum class Backend : std::uint8_t { automatic, networkmanager, networkd, netplan, ifupdown, none };
template <>
struct Names<Backend> {
  static constexpr std::string_view wanted = "auto, networkmanager, networkd, netplan, ifupdown or none";
  static constexpr std::array table{
      Name<Backend>{Backend::automatic, "auto"},    Name<Backend>{Backend::networkmanager, "networkmanager"},
      Name<Backend>{Backend::networkd, "networkd"}, Name<Backend>{Backend::netplan, "netplan"},
      Name<Backend>{Backend::ifupdown, "ifupdown"}, Name<Backend>{Backend::none, "none"}};
};

struct NetworkSection {
  std::optional<Backend> backend;
};

template <>
struct Fields<NetworkSection> {
  static constexpr std::string_view name = "network";
  static constexpr std::string_view doc = "Who configures this spec's interfaces.";
  static constexpr auto table = Table{
      Field{
          "backend",
          &NetworkSection::backend,
          "auto: netplan where it has files, since it writes those of the other two; else networkmanager where it runs or is enabled, else networkd where that does, else ifupdown where its files name an interface, none where nothing owns the interfaces; anything else is refused by name. In a tree where none is enabled: the one network manager that presets enable. none: rdmastate moves them itself, by netlink. netplan and ifupdown: rdmastate writes their files, which they read at the next boot or when they are told to.",
          {.on_create = "auto", .example = "none"}},
  };
};

enum class InitrdCare : std::uint8_t { rebuild, leave };
template <>
struct Names<InitrdCare> {
  static constexpr std::string_view wanted = "rebuild or leave";
  static constexpr std::array table{Name<InitrdCare>{InitrdCare::rebuild, "rebuild"},
                                    Name<InitrdCare>{InitrdCare::leave, "leave"}};
};

/// What may be purged: all of it that the spec does not name goes, whoever made it.
enum class PurgeDomain : std::uint8_t { ipoib, soft_devices, partitions };
template <>
struct Names<PurgeDomain> {
  static constexpr std::string_view wanted = "ipoib, soft_devices or partitions";
  static constexpr std::array table{Name<PurgeDomain>{PurgeDomain::ipoib, "ipoib"},
                                    Name<PurgeDomain>{PurgeDomain::soft_devices, "soft_devices"},
                                    Name<PurgeDomain>{PurgeDomain::partitions, "partitions"}};
};

struct Spec {
  std::uint32_t version = 0;
  std::optional<std::string> id;
  std::optional<std::vector<IncludePath>> include;  ///< never set in a spec that was read: the files are merged by then
  std::optional<NetworkSection> network;
#define RDMASTATE_MEMBER(name, type, doc) type name;
  RDMASTATE_SECTIONS(RDMASTATE_MEMBER)
#undef RDMASTATE_MEMBER
  std::optional<InitrdCare> initrd;
  std::vector<PurgeDomain> purge;

  bool purges(PurgeDomain domain) const { return std::find(purge.begin(), purge.end(), domain) != purge.end(); }
  std::string id_or_default() const { return id.value_or("host"); }
  Backend backend() const { return network ? network->backend.value_or(Backend::automatic) : Backend::automatic; }
};

template <>
struct Fields<Spec> {
  static constexpr std::string_view name = "rdmastate.yaml";
  static constexpr std::string_view doc = "What a host's RDMA set-up is. What is not named is left alone.";
  static constexpr auto table = Table{
      Field{"version", &Spec::version, "The version of this format: 1.", {.required = true, .example = "1"}},
      Field{"id",
            &Spec::id,
            "Tells specs for the same host apart: what one made, another does not replace.",
            {.on_create = "host", .example = "storage"}},
      Field{
          "include",
          &Spec::include,
          "Specs that this one begins with, in this order, each from this file's directory or below it. Records that mean the same are merged field by field, and what stands here wins; another list replaces the included one, and [] is none.",
          {.example = "[base.yaml]"}},
      Field{"network", &Spec::network, "Who configures this spec's interfaces."},
#define RDMASTATE_FIELD(name, type, doc) Field{#name, &Spec::name, doc},
      RDMASTATE_SECTIONS(RDMASTATE_FIELD)
#undef RDMASTATE_FIELD
          Field{
              "initrd",
              &Spec::initrd,
              "rebuild: where the distribution copies files of this spec into the image that the kernel boots with (options of modules, say), the running kernel's image and those of newer ones are made anew after these files have changed. leave: somebody else does that.",
              {.on_create = "rebuild", .example = "leave"}},
      Field{
          "purge",
          &Spec::purge,
          "What others made of these kinds is removed where this spec does not name it: P_Key children of IPoIB interfaces with the files that make them, soft RDMA devices, partitions of the subnet manager's file. Without it, nothing that rdmastate did not make is ever removed. The plan lists each one.",
          {.example = "[ipoib]"}},
  };
};

// With every table below it, compiled once for all.
template <>
const Record& record_of<Spec>();

}  // namespace rdmastate
