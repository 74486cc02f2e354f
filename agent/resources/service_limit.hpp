// SPDX-License-Identifier: Apache-2.0
// Kind `service_limit`: how much memory the main process of a running service may pin (RLIMIT_MEMLOCK). Key: the unit's
// name; the name of a template ("user@.service") means its instances that run. Twin: the unit's drop-in. A service that
// does not run needs no step: it starts with the limit.
#pragma once

#include "host/units.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

struct ServiceLimitState {
  MemorySize soft;
  MemorySize hard;
  bool operator==(const ServiceLimitState&) const = default;
};

template <>
struct Fields<ServiceLimitState> {
  static constexpr std::string_view name = "service_limit";
  static constexpr std::string_view doc = "How much memory the main process of a service that runs may pin.";
  static constexpr auto table = Table{
      Field{"soft", &ServiceLimitState::soft, "What it may pin until it asks for more.", {.required = true}},
      Field{"hard", &ServiceLimitState::hard, "What it may raise that to.", {.required = true}},
  };
};

extern const Kind service_limit_kind;

}  // namespace rdmastate
