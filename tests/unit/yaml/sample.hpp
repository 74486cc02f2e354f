// SPDX-License-Identifier: Apache-2.0
// A small specification with one field of every shape: what the tests, the fuzzer and the bench read into.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/types.hpp"

namespace rdmastate::sample {

struct Route {
  std::optional<IpNetwork> to;
  std::optional<IpAddress> via;
  std::optional<std::uint32_t> metric;
};

struct Ipv4 {
  std::optional<std::vector<IpInterface>> addresses;
  std::optional<std::vector<Route>> routes;
};

struct Ipoib {
  std::optional<IfName> name;
  std::optional<IfName> parent;
  std::optional<Guid> guid;
  std::optional<PKey> pkey;
  std::optional<IpoibMode> mode;
  std::optional<std::uint32_t> mtu;
  std::optional<bool> umcast;
  std::optional<Ipv4> ipv4;
};

struct Spec {
  std::uint32_t version = 0;
  std::optional<std::string> id;
  std::vector<Ipoib> ipoib;
  std::optional<std::map<ModuleName, std::map<std::string, Verbatim>>> options;
  std::optional<std::map<std::uint32_t, Ipv4>> ports;
};

}  // namespace rdmastate::sample

namespace rdmastate {

template <>
struct Fields<sample::Route> {
  static constexpr std::string_view name = "route";
  static constexpr std::string_view doc = "A route over the interface.";
  static constexpr auto table = Table{Field{"to",
                                            &sample::Route::to,
                                            "Where it leads.",
                                            {.required = true, .identity = true, .example = "203.0.113.0/24"}},
                                      Field{"via", &sample::Route::via, "The gateway."},
                                      Field{"metric", &sample::Route::metric, "Less is preferred."}};
};

template <>
struct Fields<sample::Ipv4> {
  static constexpr std::string_view name = "ipv4";
  static constexpr std::string_view doc = "IPv4 on the interface.";
  static constexpr auto table =
      Table{Field{"addresses", &sample::Ipv4::addresses, "Its addresses.", {.example = "[192.0.2.1/24]"}},
            Field{"routes", &sample::Ipv4::routes, "Its routes."}};
};

template <>
struct Fields<sample::Ipoib> {
  static constexpr std::string_view name = "ipoib";
  static constexpr std::string_view doc = "An IPoIB interface.";
  static constexpr auto table = Table{
      Field{"name", &sample::Ipoib::name, "Its name.", {.required = true, .identity = true, .example = "mlx4_ib0"}},
      Field{"parent", &sample::Ipoib::parent, "The interface that a child stands on."},
      Field{"guid", &sample::Ipoib::guid, "The port's GUID."},
      Field{"pkey", &sample::Ipoib::pkey, "The partition key of a child.", {.example = "0x8002"}},
      Field{"mode", &sample::Ipoib::mode, "Transport mode.", {.on_create = "datagram", .example = "connected"}},
      Field{"mtu", &sample::Ipoib::mtu, "Bytes of an IP packet.", {.example = "2044"}},
      Field{"umcast", &sample::Ipoib::umcast, "Multicast groups of user space are allowed."},
      Field{"ipv4", &sample::Ipoib::ipv4, "IPv4 on it."}};
};

template <>
struct Fields<sample::Spec> {
  static constexpr std::string_view name = "spec";
  static constexpr std::string_view doc = "A sample specification.";
  static constexpr auto table =
      Table{Field{"version", &sample::Spec::version, "Of this format.", {.required = true, .example = "1"}},
            Field{"id", &sample::Spec::id, "Tells specifications of one host apart."},
            Field{"ipoib", &sample::Spec::ipoib, "IPoIB interfaces."},
            Field{"options", &sample::Spec::options, "Module options.", {.whole = true}},
            Field{"ports", &sample::Spec::ports, "By port number."}};
};

}  // namespace rdmastate
