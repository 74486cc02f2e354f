// SPDX-License-Identifier: Apache-2.0
// The spec as a whole, which the room `spec` reads: one member per section of this version.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sections/include_path.hpp"
#include "sections/list.hpp"

namespace rdmastate {

/// The values of `network.backend`.
enum class Backend : std::uint8_t { automatic, networkmanager, networkd, netplan, ifupdown, wicked, none };
template <>
struct Names<Backend> {
  static constexpr std::string_view wanted = "auto, networkmanager, networkd, netplan, ifupdown, wicked or none";
  static constexpr std::array table{
      Name<Backend>{Backend::automatic, "auto"},    Name<Backend>{Backend::networkmanager, "networkmanager"},
      Name<Backend>{Backend::networkd, "networkd"}, Name<Backend>{Backend::netplan, "netplan"},
      Name<Backend>{Backend::ifupdown, "ifupdown"}, Name<Backend>{Backend::wicked, "wicked"},
      Name<Backend>{Backend::none, "none"}};
};

struct NetworkSection {
  std::optional<Backend> backend;
};

template <>
struct Fields<NetworkSection> {
  static constexpr std::string_view name = "network";
  static constexpr std::string_view doc = "Which program configures the interfaces of this spec.";
  static constexpr auto table = Table{
      Field{
          "backend",
          &NetworkSection::backend,
          "auto takes the first of these that fits: netplan where it has files (it writes the files of the next two), networkmanager where it runs or is enabled, networkd where it runs or is enabled, wicked where it runs or is enabled, ifupdown where its files name an interface, none where no program configures interfaces. In a tree where none is enabled, auto takes the one network manager that presets enable. With none, rdmastate configures the interfaces itself, by netlink. With netplan, rdmastate writes its files, has netplan generate the renderer's, and tells the renderer. With ifupdown it runs ifdown and ifup too, where they are Debian's; those of ifupdown2 read the files at the next boot. With wicked, rdmastate writes its files, which take effect at the next boot or when wicked ifreload is run; nobody has seen this on SLES yet.",
          {.on_create = "auto", .example = "none"}},
  };
};

/// The values of `initrd`.
enum class InitrdCare : std::uint8_t { rebuild, leave };
template <>
struct Names<InitrdCare> {
  static constexpr std::string_view wanted = "rebuild or leave";
  static constexpr std::array table{Name<InitrdCare>{InitrdCare::rebuild, "rebuild"},
                                    Name<InitrdCare>{InitrdCare::leave, "leave"}};
};

/// What may be purged: everything of that sort (of ipoib: the P_Key children) that the spec does not name is removed,
/// also what rdmastate did not make.
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

  // Compiled once, in the .cpp of this name: at -O0 each source that ends or copies one takes a second or more for it.
  Spec();
  Spec(const Spec& other);
  Spec(Spec&& other) noexcept;
  Spec& operator=(const Spec& other);
  Spec& operator=(Spec&& other) noexcept;
  ~Spec();

  bool purges(PurgeDomain domain) const { return std::find(purge.begin(), purge.end(), domain) != purge.end(); }
  std::string id_or_default() const { return id.value_or("host"); }
  Backend backend() const { return network ? network->backend.value_or(Backend::automatic) : Backend::automatic; }
};

template <>
struct Fields<Spec> {
  static constexpr std::string_view name = "rdmastate.yaml";
  static constexpr std::string_view doc =
      "The RDMA configuration of a host. What the spec does not name is left alone.";
  static constexpr std::array<NeverKey, 2> never{{{"bridges", no_bridge}, {"vlans", no_vlan}}};
  static constexpr auto table = Table{
      Field{"version", &Spec::version, "The version of this format: 1.", {.required = true, .example = "1"}},
      Field{"id",
            &Spec::id,
            "Distinguishes several specs for one host: a spec does not replace what a spec with another id made.",
            {.on_create = "host", .example = "storage"}},
      Field{
          "include",
          &Spec::include,
          "Spec files that this one builds on, in this order, relative to this file. Records that identify the same object are merged field by field, and this file wins; any other list replaces the included one, and [] empties it.",
          {.example = "[base.yaml]"}},
      Field{"network", &Spec::network, "Which program configures the interfaces of this spec."},
#define RDMASTATE_FIELD(name, type, doc) Field{#name, &Spec::name, doc},
      RDMASTATE_SECTIONS(RDMASTATE_FIELD)
#undef RDMASTATE_FIELD
          Field{
              "initrd",
              &Spec::initrd,
              "rebuild: where the distribution copies files of this spec into the initrd (module options, for example), the initrds of the running kernel and of newer ones are rebuilt after these files have changed. leave: rdmastate rebuilds no initrd.",
              {.on_create = "rebuild", .example = "leave"}},
      Field{
          "purge",
          &Spec::purge,
          "What others made of these kinds is removed where this spec does not name it: P_Key children of IPoIB interfaces with the files that create them, soft RDMA devices, partitions in the subnet manager's file. Without it, nothing that rdmastate did not make is removed. The plan lists each object.",
          {.example = "[ipoib]"}},
  };
};

// Defined in spec.cpp alone, so that the tables of all sections are compiled once and not by every includer.
template <>
const Record& record_of<Spec>();

}  // namespace rdmastate
