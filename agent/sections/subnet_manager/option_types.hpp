// SPDX-License-Identifier: Apache-2.0
// The options of OpenSM that a spec may set, and what their values may be.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace rdmastate {

/// The name of an option that `options` takes: one of opensm_options(). Not those that another field of the section
/// gives, and not those that would open a port, load a library, name a file to write, or hold a secret.
struct SmOption {
  std::string value;
  auto operator<=>(const SmOption&) const = default;
};

/// By name. A value is kept as the spec writes it.
using SmOptions = std::map<SmOption, Verbatim>;

template <>
struct Text<SmOption> {
  static constexpr std::string_view wanted = "an option of opensm.conf such as routing_engine";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, SmOption& out);
  static std::string print(const SmOption& value);
};

/// What is wrong about a value of an option; nullopt where OpenSM takes it as it is meant, and for a name that is no
/// option: whoever read the name has reported it.
std::optional<Complaint> judge_sm_option(const SmOption& option, const Verbatim& value);
/// The value as opensm.conf has it: TRUE for true.
std::string sm_option_text(const SmOption& option, const Verbatim& value);

/// The options in the text of an opensm.conf that a spec can set too. An option that has OpenSM's default is left out,
/// unless rdmastate wrote the file. An option or value that a spec cannot have is left out.
SmOptions sm_options_in(std::string_view text);

}  // namespace rdmastate
