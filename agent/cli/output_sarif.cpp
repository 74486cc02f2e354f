// SPDX-License-Identifier: Apache-2.0
// Findings as a SARIF log. Section numbers are of "Static Analysis Results Interchange Format Version 2.1.0", OASIS.
#include <fmt/format.h>

#include <map>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace rdmastate {
namespace {

// 3.27.10: the values of `level`.
std::string_view level_of(Level level) {
  switch (level) {
    case Level::note:
      return "note";
    case Level::warning:
      return "warning";
    case Level::error:
      break;
  }
  return "error";
}

// 3.4.3: a URI reference (RFC 3986). A ':' in its first segment would read as a scheme, so none stands as it is.
std::string uri_of(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = ascii::is_one_of(c, "-._~/+=@");
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// 3.30: endColumn is one past the last character.
Json region(const Place& place) {
  return {{"startLine", place.line},
          {"startColumn", std::max(place.column, 1U)},
          {"endColumn", std::max(place.column, 1U) + std::max(place.width, 1U)}};
}

Json location(const Finding& finding) {
  Json physical{{"artifactLocation", {{"uri", uri_of(finding.file)}}}};
  if (finding.place.line > 0) physical["region"] = region(finding.place);
  Json json{{"physicalLocation", std::move(physical)}};
  if (!finding.about.empty())
    json["logicalLocations"] = Json::array({{{"fullyQualifiedName", printable(finding.about)}}});
  return json;
}

std::string message(const Finding& finding) {
  std::string text = printable(finding.message);
  for (std::size_t at = 0; at < finding.details.size();) {
    const std::size_t end = std::min(finding.details.find('\n', at), finding.details.size());
    text += "\n" + printable(std::string_view(finding.details).substr(at, end - at));
    at = end + 1;
  }
  return text;
}

// The rules that have results, each once, in the order of their first one.
class Rules {
 public:
  std::size_t index(const std::string& id) {
    const auto [found, is_new] = at_.emplace(id, at_.size());
    if (is_new)
      json_.push_back({{"id", id},
                       {"shortDescription", {{"text", rule_text(id)}}},
                       {"help", {{"text", fmt::format("rdmastate explain{}", id == "spec" ? "" : " " + id)}}}});
    return found->second;
  }
  Json take() { return std::move(json_); }

 private:
  std::map<std::string, std::size_t> at_;
  Json json_ = Json::array();
};

Json result(const Finding& finding, Rules& rules) {
  const std::size_t rule = rules.index(finding.rule);
  return {{"ruleId", finding.rule},
          {"ruleIndex", rule},
          {"level", level_of(finding.level)},
          {"message", {{"text", message(finding)}}},
          {"locations", Json::array({location(finding)})}};
}

}  // namespace

std::string sarif_text(std::span<const Case> cases) {
  Rules rules;
  Json results = Json::array();
  for (const auto& one : cases)
    for (const auto& finding : one.findings) results.push_back(result(finding, rules));
  Json driver{{"name", "rdmastate"}, {"semanticVersion", version}, {"rules", rules.take()}};
  Json run{
      {"tool", {{"driver", std::move(driver)}}}, {"columnKind", "unicodeCodePoints"}, {"results", std::move(results)}};
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({std::move(run)})}};
  return told_json(log) + "\n";
}

}  // namespace rdmastate
