// SPDX-License-Identifier: Apache-2.0
// The command show: prints the host's devices and interfaces, writes it as a record, or prints the spec that describes
// it. Above run_show() stand the functions for text, down to show_text(), then those for JSON, down to show_json().
#include <fmt/format.h>
#include <unistd.h>

#include "base/fields_json.hpp"
#include "cli/commands.hpp"
#include "cli/hosts.hpp"
#include "cli/output.hpp"
#include "doctor/check.hpp"
#include "plan/applied.hpp"
#include "plan/print.hpp"
#include "plan/record.hpp"
#include "resources/bond/bond.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "sections/adopt.hpp"

namespace rdmastate {
namespace {

// By the number of the state: ib_port_state, include/rdma/ib_verbs.h.
std::string state_words(const RdmaPort& port) {
  constexpr std::string_view words[] = {"NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER"};
  return std::string(port.state < std::size(words) ? words[port.state] : "?");
}

// By the number of the physical state: ib_port_phys_state, include/rdma/ib_verbs.h.
std::string phys_words(const RdmaPort& port) {
  constexpr std::string_view words[] = {
      "?", "Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "Phy Test"};
  return std::string(port.phys_state < std::size(words) ? words[port.phys_state] : "?");
}

// The text, printable, with `before` in front; empty where the text is.
std::string labelled(std::string_view before, const std::string& text) {
  return text.empty() ? std::string() : std::string(before) + printable(text);
}

// nullptr: there is none.
template <class Details, class IsMeant>
auto find_detail(const Details& details, IsMeant&& is_meant) {
  const auto found = std::find_if(details.begin(), details.end(), is_meant);
  return found == details.end() ? nullptr : &*found;
}

std::string detail_text(const PortDetail& port) {
  std::string text = fmt::format("      subnet prefix {}  lmc {}", printable(port.subnet_prefix), port.lmc);
  if (port.active_mtu && port.max_mtu) text += fmt::format("  mtu {} of at most {}", *port.active_mtu, *port.max_mtu);
  return text + labelled("  capabilities ", port.capability_mask) + labelled("  netdev ", port.netdev) + "\n";
}

std::string port_text(const RdmaPort& port, const DeviceDetail* device) {
  std::string text =
      fmt::format("    port {}  {}  {} {}  {}  guid {}  lid {}  sm_lid {}", port.number, to_text(port.link_layer),
                  state_words(port), phys_words(port), port.rate.empty() ? "no rate" : printable(port.rate),
                  to_text(port.guid), port.lid, port.sm_lid);
  if (!port.pkeys.empty()) text += "  P_Keys";
  for (const std::uint32_t key : port.pkeys) text += fmt::format(" 0x{:04x}", key);
  text += "\n";
  if (device == nullptr) return text;
  const auto* detail = find_detail(device->ports, [&](const PortDetail& one) { return one.number == port.number; });
  return detail == nullptr ? text : text + detail_text(*detail);
}

std::string detail_text(const DeviceDetail& device) {
  std::string text = "    ";
  if (!device.transport.empty()) text += device.transport + "  ";
  if (!device.type.empty()) text += "type " + printable(device.type) + "  ";
  if (!device.hardware.empty()) text += "hardware " + printable(device.hardware) + "  ";
  if (device.vendor_id) text += fmt::format("vendor 0x{:04x}  ", *device.vendor_id);
  if (device.vendor_part_id) text += fmt::format("part {}  ", *device.vendor_part_id);
  if (device.hw_ver) text += fmt::format("hw_ver 0x{:x}  ", *device.hw_ver);
  return text + fmt::format("ports {}\n", device.ports.size());
}

using Details = std::vector<DeviceDetail>;

std::string device_text(const RdmaDevice& device, const Details& details, const Paint& paint) {
  std::string text = fmt::format("  {}  node {}  system image {}  {}", paint.bold(printable(device.name)),
                                 to_text(device.node_guid), to_text(device.sys_image_guid), printable(device.driver));
  text += labelled(" at ", device.pci) + (device.is_virtual ? " (virtual function)" : "");
  text += labelled("  firmware ", device.firmware) + labelled("  board ", device.board_id) + "\n";
  const auto* detail = find_detail(details, [&](const DeviceDetail& one) { return one.name == device.name; });
  if (detail != nullptr) text += detail_text(*detail);
  for (const auto& port : device.ports) text += port_text(port, detail);
  return text;
}

std::string head_text(const Link& link, const std::string& mode, const Paint& paint) {
  return fmt::format("  {}  {}  mtu {}  {}{}", paint.bold(printable(link.name)), mode, link.mtu,
                     link.up ? "up" : "down", link.up && !link.carrier ? ", no carrier" : "");
}

// The addresses and routes of an interface, each on a line of its own.
std::string on_link_text(const Snapshot& snapshot, const Link& link) {
  std::string text;
  for (const auto& address : snapshot.addresses(link.index)) text += "\n    " + to_text(address.value);
  for (const auto& route : snapshot.routes(link.index))
    text += fmt::format("\n    route {}{}{}", to_text(route.to), route.via ? " via " + to_text(*route.via) : "",
                        route.metric == 0 ? "" : fmt::format(" metric {}", route.metric));
  return text + "\n";
}

std::string link_text(const Snapshot& snapshot, const Link& link, const Paint& paint) {
  std::string text = head_text(link, link.ipoib ? to_text(*link.ipoib->mode) : "?", paint);
  if (const Link* parent = link.is_child() ? snapshot.link(link.parent) : nullptr; parent != nullptr && link.ipoib)
    text += fmt::format("  P_Key {} on {}", to_text(link.ipoib->pkey), printable(parent->name));
  if (!link.is_child()) text += "  port " + to_text(link.port_guid());
  return text + on_link_text(snapshot, link);
}

std::string bond_text(const Snapshot& snapshot, const Link& bond, const Paint& paint) {
  std::string ports;
  for (const Link* port : snapshot.links())
    if (port->master == bond.index)
      ports += fmt::format("{}{}{}", ports.empty() ? "" : ", ", printable(port->name),
                           port->index == bond.bond->active ? " (active)" : "");
  return head_text(bond, to_text(bond.bond->mode), paint) + "  ports " + (ports.empty() ? "none" : ports) +
         on_link_text(snapshot, bond);
}

std::string bonds_text(const Snapshot& snapshot, const Paint& paint) {
  std::string text;
  for (const Link* link : snapshot.links())
    if (link->bond && link->carries_ipoib()) text += bond_text(snapshot, *link, paint);
  return text.empty() ? text : "Bonds:\n" + text;
}

// The line of a network manager.
std::string manager_text(const Manager& manager, bool first_boot) {
  if (!manager.is_here())
    return fmt::format("  {} is installed, and presets enable it{} ({})\n", manager.name,
                       first_boot ? " at the first boot" : "", manager.preset.value_or(""));
  std::string state = manager.running ? "runs" : "";
  if (manager.enabled) state += manager.running ? " and is enabled" : "is enabled";
  return fmt::format("  {} {}\n", manager.name, state);
}

std::string show_text(const Snapshot& snapshot, const Facts& facts, const Details& details, const Paint& paint) {
  std::string text = facts.host;
  if (!facts.pretty_name.empty()) text += " (" + printable(facts.pretty_name) + ")";
  text += labelled(", kernel ", facts.kernel) + "\n";
  for (const auto& manager : facts.managers) text += manager_text(manager, facts.first_boot);
  if (!facts.unseen.empty())
    text += paint.yellow(fmt::format("  unseen: {}; {}\n", fmt::join(facts.unseen, ", "), snapshot.who_sees()));
  text += facts.devices.empty() ? "No RDMA device.\n" : "RDMA devices:\n";
  for (const auto& device : facts.devices) text += device_text(device, details, paint);
  if (snapshot.is_tree()) return text;
  text += "IPoIB interfaces:\n";
  for (const Link* link : snapshot.links())
    if (link->is_ipoib()) text += link_text(snapshot, *link, paint);
  return text + bonds_text(snapshot, paint);
}

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const GidDetail& gid) {
  return {{"index", gid.index}, {"gid", gid.gid}, {"type", gid.type}, {"netdev", gid.netdev}};
}

Json json_of(const PortDetail& port) {
  Json json{{"number", port.number},
            {"subnet_prefix", port.subnet_prefix},
            {"lmc", port.lmc},
            {"capability_mask", port.capability_mask},
            {"netdev", port.netdev},
            {"max_mtu", value_or_null(port.max_mtu)},
            {"active_mtu", value_or_null(port.active_mtu)},
            {"gids", Json::array()}};
  for (const auto& gid : port.gids) json["gids"].push_back(json_of(gid));
  return json;
}

Json json_of(const DeviceDetail& device) {
  Json json{{"name", device.name},
            {"transport", device.transport},
            {"type", device.type},
            {"hardware", device.hardware},
            {"vendor_id", value_or_null(device.vendor_id)},
            {"vendor_part_id", value_or_null(device.vendor_part_id)},
            {"hw_ver", value_or_null(device.hw_ver)},
            {"ports", Json::array()}};
  for (const auto& port : device.ports) json["ports"].push_back(json_of(port));
  return json;
}

Json show_json(const Snapshot& snapshot, const Facts& facts, const Details& details) {
  Json json{{"format_version", 1},
            {"facts", to_json_of(facts)},
            {"details", Json::array()},
            {"ipoib", Json::array()},
            {"bonds", Json::array()}};
  for (const auto& device : details) json["details"].push_back(json_of(device));
  if (snapshot.is_tree()) return json;
  json["ipoib"] = interfaces_json(snapshot);
  json["bonds"] = bonds_json(snapshot);
  return json;
}

Json as_spec_json(const Adopted& adopted) {
  Json json{{"format_version", 1},
            {"spec", to_json_of(adopted.spec)},
            {"left_out", Json::array_of(adopted.left_out)},
            {"sources", Json::array()}};
  for (const auto& one : adopted.sources) json["sources"].push_back({{"path", one.path}, {"source", one.source}});
  return json;
}

ExitCode show_as_spec(Snapshot& snapshot, const Facts& facts, const Options& options) {
  const Adopted adopted = spec_of_host(snapshot, facts);
  if (options.form == OutputForm::json)
    print_json(as_spec_json(adopted));
  else
    print_result(adopted_text(adopted, options.explain ? Comments::sources : Comments::left_out));
  for (const auto& path : facts.unseen)
    talk(fmt::format("what {} says is not in it, since it could not be read: {}", path, snapshot.who_sees()));
  return ExitCode::done;
}

}  // namespace

ExitCode run_show(const Options& options) {
  OpenHost open(options);
  Snapshot snapshot(open.host());
  const Facts facts = read_facts(snapshot);
  if (options.as_spec) return show_as_spec(snapshot, facts, options);
  if (!options.record.empty()) {
    write_private_file(options.record, write_host_model(record_host(snapshot, facts, doctor::places())));
    talk("recorded in " + options.record);
    return ExitCode::done;
  }
  std::vector<std::string> names;
  for (const auto& device : facts.devices) names.push_back(device.name);
  std::string trouble;
  const Details details = open.details(names, trouble);
  if (options.form == OutputForm::json)
    print_json(show_json(snapshot, facts, details));
  else
    print_text(show_text(snapshot, facts, details, Paint(wants_colour(options, STDOUT_FILENO))));
  if (!trouble.empty()) talk("vendor and MTUs are not shown: " + trouble);
  return ExitCode::done;
}

}  // namespace rdmastate
