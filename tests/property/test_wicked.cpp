// SPDX-License-Identifier: Apache-2.0
// wicked's files are read back as they were written, and an ifcfg-NAME that a shell reads does nothing but assign.
#include <fmt/format.h>

#include "apply/undo.hpp"
#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "plan/applied.hpp"
#include "plan/print.hpp"
#include "platform/layout.hpp"
#include "sections/ipoib/backends/print.hpp"
#include "sections/ipoib/backends/profile.hpp"
#include "spec/load.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

constexpr const char* folder = "/etc/sysconfig/network/";

std::string on_wicked(std::string spec) {
  const std::string none = "backend: none";
  const std::size_t at = spec.find(none);
  return at == std::string::npos ? spec : spec.replace(at, none.size(), "backend: wicked");
}

std::map<std::string, std::string> files_of(const RecordedHost& host) {
  std::map<std::string, std::string> files;
  for (const auto& [path, file] : host.model().files)
    if (path.starts_with(folder) && path != folder) files.emplace(path, file.bytes);
  return files;
}

// Draws a spec of interfaces, and a host to which it was applied.
RecordedHost made(Case& drawn, std::string& spec) {
  SpecPart part;
  part.ports = any_spec(drawn).ports;
  if (part.ports.empty()) part.ports.emplace_back();
  for (auto& port : part.ports)
    for (auto& child : port.children) child.named = false;  // wicked's are parent.XXXX
  spec = on_wicked(part.text());
  RecordedHost host(model_run_by("wicked"));
  const Outcome outcome = apply_spec(host, spec);
  if (outcome.code != ExitCode::done) falsify(spec + outcome.message);
  return host;
}

// What a spec makes of each interface, by its name: what its files have to say, with the defaults. Routes are told in
// one of two ways (gateway, routes), so only their number counts.
std::map<std::string, std::string> meant_by(const std::string& text) {
  Report report;
  const auto loaded = load_spec("spec.yaml", text, report);
  if (!loaded || report.failed()) falsify(render(report, false) + text);
  std::map<std::string, std::string> meant;
  for (const auto& profile : profiles_of(loaded->spec)) {
    const IpoibRecord& made = profile.made;
    if (profile.is_absent()) continue;
    const auto block = [](const auto& one, Family family) {
      return fmt::format("{} {} {}", to_text(one.method), fmt::join(texts_of(one.addresses), ","),
                         all_routes_of(one, family).size());
    };
    meant[profile.name] = fmt::format("{} {} {}; {}; {}", text_or_empty(made.mode), text_or_empty(made.mtu),
                                      made.umcast ? (*made.umcast ? "umcast" : "no umcast") : "",
                                      block(*made.ipv4, Family::v4), block(*made.ipv6, Family::v6));
  }
  return meant;
}

TEST(Wicked, WhatIsWrittenIsReadBack) {
  for_all("plan(adopt(apply(spec))) leaves all files as they are, without what is kept of the spec", [](Case& drawn) {
    std::string spec;
    RecordedHost host = made(drawn, spec);
    host.model().files.erase("/etc/rdmastate/applied.yaml");
    const std::string text = adopted(host);
    const Plan plan = plan_spec(host, text);
    for (const std::size_t step : plan.steps)  // what a file says of a port, the spec may have left as it is
      if (plan.items[step].key != common_layout().boot_file)
        falsify(spec + "---\n" + text + plan_text(plan, Paint(false)));
    must(meant_by(text) == meant_by(spec), "the same interfaces: " + text);
  });
}

// NAME='value' with letters, digits and ._:/- alone: no quote, `$`, backquote or blank. Options of a bond have `=`, a
// comma and blanks too.
bool is_assignment(std::string_view line) {
  const std::size_t equals = line.find("='");
  if (equals == std::string_view::npos || !line.ends_with('\'') || line.size() < equals + 3) return false;
  const std::string_view name = line.substr(0, equals);
  const std::string_view value = line.substr(equals + 2, line.size() - equals - 3);
  return ascii::holds_only(name, "_") && ascii::holds_only(value, name == "BONDING_MODULE_OPTS" ? "._:/- =," : "._:/-");
}

// As long as a spec can make it: 16 targets of 15 characters.
std::string longest_bond() {
  std::string targets;
  for (int n = 100; n < 116; ++n) targets += fmt::format("{}198.51.100.{}", targets.empty() ? "" : ", ", n);
  return fmt::format(
      "version: 1\nnetwork: {{backend: wicked}}\nmodules: {{load: [ib_ipoib, bonding]}}\nipoib: [{{name: interface-ib012, match: {{port_guid: "
      "\"f452:1403:007b:cba1\"}}, mode: datagram}}]\nbonds: [{{name: bond-of-15-char, ports: [interface-ib012], primary: "
      "interface-ib012, arp_interval: 2147483647, arp_targets: [{}]}}]\n",
      targets);
}

void must_assign_alone(const RecordedHost& host) {
  for (const auto& [path, bytes] : files_of(host)) {
    if (!path.starts_with(folder + std::string("ifcfg-"))) continue;
    for_lines(bytes, [&](std::string_view line) {
      must(line.size() < 511, "the line fits: " + std::string(line));
      must(line.starts_with('#') || is_assignment(line), "it assigns alone: " + std::string(line));
    });
  }
}

TEST(Wicked, AShellThatReadsTheFileAssignsAlone) {
  for_all("each line of ifcfg-NAME is a comment or a plain assignment, shorter than wicked's buffer", [](Case& drawn) {
    std::string spec;
    must_assign_alone(made(drawn, spec));
  });
}

TEST(Wicked, TheLongestFileOfABondIsShortEnough) {
  HostModel model = model_run_by("wicked");
  model.modules.loadable.insert("bonding");
  RecordedHost host(std::move(model));
  const Outcome outcome = apply_spec(host, longest_bond());
  ASSERT_EQ(outcome.code, ExitCode::done) << plan_text(plan_spec(host, longest_bond()), Paint(false));
  ASSERT_EQ(files_of(host).count(folder + std::string("ifcfg-bond-of-15-char")), 1U);
  EXPECT_NO_THROW(must_assign_alone(host));
}

// What each file that is missing takes from the next boot: nothing that another one brings.
TEST(Wicked, EachResourceHasItsTwinInTheFileThatSaysIt) {
  const std::string spec =
      "version: 1\nnetwork: {backend: wicked}\nipoib:\n  - name: ib2\n    mode: datagram\n"
      "    ipv4: {method: manual, addresses: [192.0.2.1/24], gateway: 192.0.2.254}\n    ipv6: {method: disabled}\n";
  RecordedHost made(model_run_by("wicked"));
  ASSERT_EQ(apply_spec(made, spec).code, ExitCode::done);
  const std::vector<std::pair<std::string, std::set<std::string_view>>> brings{
      {"ifcfg-ib2", {"ipoib_link", "address"}}, {"ifroute-ib2", {"route"}}, {"ifsysctl-ib2", {"ipoib_link"}}};
  for (const auto& [name, kinds] : brings) {
    HostModel without = made.model();
    ASSERT_EQ(without.files.erase(folder + name), 1U) << name;
    RecordedHost host(without);
    std::set<std::string_view> lost;
    for (const auto& item : plan_spec(host, spec).items)
      if (!item.kind->durable && item.next_boot == NextBoot::absent) lost.insert(item.kind->name);
    EXPECT_EQ(lost, kinds) << name;
  }
}

TEST(Wicked, ARemovalComesBackByUndo) {
  for_all("rollback of an apply gives all files back", [](Case& drawn) {
    std::string spec;
    RecordedHost host = made(drawn, spec);
    const auto before = files_of(host);
    must(apply_spec(host, "version: 1\n").code == ExitCode::done, "all goes");
    must(files_of(host).empty(), "nothing of wicked's is left");
    Host doors = host.host();
    must(rollback(doors, false, deaf()).code == ExitCode::done, "it is rolled back");
    must(files_of(host) == before, "as before");
  });
}

}  // namespace
}  // namespace rdmastate
