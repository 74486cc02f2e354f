// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/hosts.hpp"
#include "cli/output.hpp"
#include "cli/wish.hpp"
#include "platform/packages.hpp"
#include "sections/named.hpp"

namespace rdmastate {
namespace {

struct Asked {
  PackageNames names = PackageNames::debian;
  std::string kernel;
};

// --for speaks of a distribution, not of this host: its kernel has nothing to do with it.
Asked asked(const Options& options) {
  Asked of;
  if (!options.family.empty()) {
    Text<PackageNames>::read({options.family, true}, of.names);
    return of;
  }
  OpenHost open(options);
  const Facts facts = read_facts(Snapshot(open.host()));
  const auto names = package_names(facts);
  if (!names)
    throw Error(fmt::format("the packages of {} are not known: say with --for whose names to use ({})",
                            facts.pretty_name.empty() ? "this distribution" : printable(facts.pretty_name),
                            Names<PackageNames>::wanted));
  of.names = *names;
  of.kernel = facts.kernel;
  return of;
}

std::string packages_text(const std::vector<Package>& packages) {
  std::size_t width = 0;
  for (const auto& one : packages) width = std::max(width, one.name.size());
  std::string text;
  for (const auto& one : packages)
    text += fmt::format("{:<{}}  # for {}: {}\n", one.name, width, fmt::join(one.needed_for, ", "), one.why);
  return text;
}

std::string packages_json(const std::vector<Package>& packages, PackageNames names) {
  nlohmann::ordered_json json{
      {"format_version", 1}, {"distribution", to_text(names)}, {"packages", nlohmann::ordered_json::array()}};
  for (const auto& one : packages)
    json["packages"].push_back({{"name", one.name}, {"for", one.needed_for}, {"why", one.why}});
  return json.dump(2) + "\n";
}

}  // namespace

ExitCode run_packages(const Options& options) {
  const auto file = open_spec(options);
  if (!file) return ExitCode::bad_spec;
  const Asked of = asked(options);
  const auto packages =
      packages_for(of.names, of.kernel, [&](std::string_view part) { return names_part(file->loaded->spec, part); });
  print_result(options.form == OutputForm::json ? packages_json(packages, of.names) : packages_text(packages));
  return ExitCode::done;
}

}  // namespace rdmastate
