// SPDX-License-Identifier: Apache-2.0
// What doctor says of a host: findings, and what it could not look at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.hpp"

namespace rdmastate {
namespace doctor {

/// How bad a finding is, worst first.
enum class Severity : std::uint8_t {
  error,    ///< something does not work: doctor exits with 2
  warning,  ///< something works badly, or will not work in a case that is usual
  info,     ///< something that is worth to know where one looks for a fault
};

/// What a finding is about.
enum class About : std::uint8_t { host, device, port, interface, file, service, resource };

/// The thing on the host that a finding is about.
struct Subject {
  About about = About::host;
  std::string name{};  ///< a port's is "mlx5_0/1", as rdma(8) writes it; the host's is empty
  auto operator<=>(const Subject&) const = default;
};

/// What was read, and what it said.
struct Evidence {
  std::string where{};  ///< a path, or what was asked for: "link ib0"
  std::string value{};
  bool operator==(const Evidence&) const = default;
};

/// One thing that a check found.
struct Finding {
  std::string id{};  ///< of the check
  Severity severity = Severity::error;
  Subject subject{};
  std::string symptom{};  ///< a clause: what was observed
  std::string cause{};    ///< a sentence
  std::string fix{};      ///< a sentence with a line of a spec or a command
  std::vector<Evidence> evidence{};
  bool operator==(const Finding&) const = default;
};

/// What a check could not look at, and so does not judge.
struct Unlooked {
  std::string id{};      ///< of the check
  std::string where{};   ///< a path, or what was asked for: "link ib0"
  std::string reason{};  ///< a clause: why the check could not look
  auto operator<=>(const Unlooked&) const = default;
};

/// "mlx5_0/1"; empty for the host.
inline const std::string& to_text(const Subject& subject) { return subject.name; }

}  // namespace doctor

template <>
struct Names<doctor::Severity> {
  static constexpr std::string_view wanted = "error, warning or info";
  static constexpr std::array table{Name<doctor::Severity>{doctor::Severity::error, "error"},
                                    Name<doctor::Severity>{doctor::Severity::warning, "warning"},
                                    Name<doctor::Severity>{doctor::Severity::info, "info"}};
};
template <>
struct Names<doctor::About> {
  static constexpr std::string_view wanted = "host, device, port, interface, file, service or resource";
  static constexpr std::array table{Name<doctor::About>{doctor::About::host, "host"},
                                    Name<doctor::About>{doctor::About::device, "device"},
                                    Name<doctor::About>{doctor::About::port, "port"},
                                    Name<doctor::About>{doctor::About::interface, "interface"},
                                    Name<doctor::About>{doctor::About::file, "file"},
                                    Name<doctor::About>{doctor::About::service, "service"},
                                    Name<doctor::About>{doctor::About::resource, "resource"}};
};

template <>
struct Fields<doctor::Subject> {
  static constexpr std::string_view name = "subject";
  static constexpr std::string_view doc = "What a finding is about.";
  static constexpr auto table = Table{
      Field{"about", &doctor::Subject::about, "What it is."},
      Field{"name", &doctor::Subject::name, "Its name; a port's is DEVICE/NUMBER."},
  };
};

template <>
struct Fields<doctor::Evidence> {
  static constexpr std::string_view name = "evidence";
  static constexpr std::string_view doc = "What was read.";
  static constexpr auto table = Table{
      Field{"where", &doctor::Evidence::where, "A path, or what was asked for."},
      Field{"value", &doctor::Evidence::value, "What it said."},
  };
};

template <>
struct Fields<doctor::Finding> {
  static constexpr std::string_view name = "finding";
  static constexpr std::string_view doc = "Something that is wrong on a host, or worth to know.";
  static constexpr auto table = Table{
      Field{"id", &doctor::Finding::id, "Of the check: `doctor ID` explains it."},
      Field{"severity", &doctor::Finding::severity, "How bad it is."},
      Field{"subject", &doctor::Finding::subject, "What it is about."},
      Field{"symptom", &doctor::Finding::symptom, "What was observed."},
      Field{"cause", &doctor::Finding::cause, "Why it is so."},
      Field{"fix", &doctor::Finding::fix, "A line of a spec, or a command."},
      Field{"evidence", &doctor::Finding::evidence, "What was read."},
  };
};

template <>
struct Fields<doctor::Unlooked> {
  static constexpr std::string_view name = "unseen";
  static constexpr std::string_view doc = "What a check could not look at.";
  static constexpr auto table = Table{
      Field{"id", &doctor::Unlooked::id, "Of the check."},
      Field{"where", &doctor::Unlooked::where, "A path, or what was asked for."},
      Field{"reason", &doctor::Unlooked::reason, "Why it was not seen."},
  };
};

}  // namespace rdmastate
