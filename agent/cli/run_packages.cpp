// SPDX-License-Identifier: Apache-2.0
// The command packages: prints the distribution's packages that a spec needs, less those that OFED brings.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/hosts.hpp"
#include "cli/output.hpp"
#include "cli/wish.hpp"
#include "platform/packages.hpp"
#include "resources/device_id.hpp"
#include "sections/named.hpp"

namespace rdmastate {
namespace {

// Whose packages are listed.
struct Target {
  PackageNames names = PackageNames::debian;
  std::string kernel;
  bool ofed = false;
  std::vector<RdmaDevice> devices;
};

// --for names a distribution and not this host, so `kernel` and `devices` stay empty and `ofed` false.
Target target_of(const Options& options) {
  Target target;
  if (!options.family.empty()) {
    Text<PackageNames>::read({options.family, /*plain=*/true}, target.names);
    return target;
  }
  OpenHost open(options);
  const Facts facts = read_facts(Snapshot(open.host()));
  const auto names = package_names(facts);
  if (!names)
    throw Error(fmt::format("the packages of {} are not known: say with --for whose names to use ({})",
                            facts.pretty_name.empty() ? "this distribution" : printable(facts.pretty_name),
                            Names<PackageNames>::wanted));
  target.names = *names;
  target.kernel = facts.kernel;
  target.ofed = facts.stack == "ofed";
  target.devices = facts.devices;
  return target;
}

// Whether a record of the spec, a device's or an interface's, selects this device.
bool selects(const Spec& spec, const RdmaDevice& device) {
  const auto is_of_port = [&](const IpoibRecord& record) {
    DeviceId id;
    if (record.match) id.port_guid = record.match->port_guid;
    return is_meant(id, device);
  };
  return std::any_of(spec.devices.begin(), spec.devices.end(),
                     [&](const DeviceRecord& record) { return is_meant(record.match, device); }) ||
         std::any_of(spec.ipoib.begin(), spec.ipoib.end(), is_of_port);
}

// Whether `part` is part_of_driver() of an adapter that the spec selects by its GUID, say, and not by its driver: what
// it needs for its driver (firmware) is needed all the same.
bool names_driver(const Spec& spec, const std::vector<RdmaDevice>& devices, std::string_view part) {
  return std::any_of(devices.begin(), devices.end(), [&](const RdmaDevice& device) {
    return part == part_of_driver(device.driver) && selects(spec, device);
  });
}

std::vector<std::string> names_of(const std::vector<Package>& packages) {
  std::vector<std::string> names;
  for (const auto& one : packages) names.push_back(one.name);
  return names;
}

// Moves the packages that OFED brings out of `packages`, and returns them. They have the same names in OFED's own
// repository, so a package manager that got these names would install the distribution's packages instead.
std::vector<Package> take_out_ofed(std::vector<Package>& packages, bool has_ofed) {
  std::vector<Package> brought;
  if (!has_ofed) return brought;
  std::copy_if(packages.begin(), packages.end(), std::back_inserter(brought),
               [](const Package& p) { return p.by_ofed; });
  std::erase_if(packages, [](const Package& one) { return one.by_ofed; });
  return brought;
}

std::string ofed_text(const std::vector<Package>& brought) {
  if (brought.empty()) return {};
  return fmt::format("# MLNX_OFED or DOCA-OFED is here and brings {}: the distribution's own would take their place\n",
                     fmt::join(names_of(brought), ", "));
}

std::string packages_text(const std::vector<Package>& packages) {
  std::size_t width = 0;
  for (const auto& one : packages) width = std::max(width, one.name.size());
  std::string text;
  for (const auto& one : packages)
    text += fmt::format("{:<{}}  # {} {}: {}\n", one.name, width, one.is_tool ? "to check" : "for",
                        fmt::join(one.needed_for, ", "), one.why);
  return text;
}

Json packages_json(const std::vector<Package>& packages, const std::vector<Package>& brought, PackageNames names) {
  Json json{{"format_version", 1}, {"distribution", to_text(names)}, {"packages", Json::array()}};
  for (const auto& one : packages)
    json["packages"].push_back(
        {{"name", one.name}, {"for", Json::array_of(one.needed_for)}, {"why", one.why}, {"tool", one.is_tool}});
  json["brought_by_ofed"] = Json::array_of(names_of(brought));
  return json;
}

}  // namespace

ExitCode run_packages(const Options& options) {
  const auto file = open_spec(options);
  if (!file) return ExitCode::bad_spec;
  const Target target = target_of(options);
  const Spec& spec = file->loaded->spec;
  const auto is_named = [&](std::string_view part) {
    return names_part(spec, part) || names_driver(spec, target.devices, part);
  };
  auto packages = packages_for(target.names, target.kernel, is_named, options.with_tools);
  const auto brought = take_out_ofed(packages, target.ofed);
  if (options.form == OutputForm::json)
    print_json(packages_json(packages, brought, target.names));
  else
    print_text(packages_text(packages) + ofed_text(brought));
  return ExitCode::done;
}

}  // namespace rdmastate
