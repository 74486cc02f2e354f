// SPDX-License-Identifier: Apache-2.0
// `doctor --env`: finds the environment variables of NCCL, UCX and Open MPI that fit a host's adapters.
#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"

namespace rdmastate {
namespace doctor {

/// One variable that a shell exports.
struct Variable {
  std::string name{};
  std::string value{};
  std::string reason{};  ///< a clause: why this value fits the host
  bool operator==(const Variable&) const = default;
};

/// What `doctor --env` prints.
struct Environment {
  std::vector<Variable> variables;
  std::vector<std::string> remarks;  ///< sentences: what one value cannot say for all adapters, and what was left out
};

/// Variables for the ports that are ACTIVE: those of InfiniBand where there are any, else those of RoCE; where none is
/// ACTIVE, a remark alone. What the libraries choose well by themselves is not set.
Environment environment_of(Examination& look);

}  // namespace doctor

template <>
struct Fields<doctor::Variable> {
  static constexpr std::string_view name = "variable";
  static constexpr std::string_view doc = "A variable for programs that use RDMA.";
  static constexpr auto table = Table{
      Field{"name", &doctor::Variable::name, "Its name."},
      Field{"value", &doctor::Variable::value, "What fits this host."},
      Field{"reason", &doctor::Variable::reason, "Why it has this value."},
  };
};

}  // namespace rdmastate
