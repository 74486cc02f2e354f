// SPDX-License-Identifier: Apache-2.0
// The Section `permissions`: group and mode of the umad device nodes. expand_permissions() wants the group (add_group),
// a udev rule for nodes that appear and the rights of the nodes that are there (add_nodes); adopt_permissions() reads
// the rule back.
#include "sections/permissions/spec.hpp"

#include <fmt/format.h>

#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/device_nodes.hpp"
#include "resources/file/file.hpp"
#include "resources/group/group.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

constexpr const char* group_field = "permissions.umad.group";
constexpr const char* mode_field = "permissions.umad.mode";

void check_group(const Spec& spec, const std::string& group, Report& report) {
  if (group.empty()) return;  // it could not be read, which is reported already
  if (group == "root")
    return complain(report, group_field, "group root changes nothing: the nodes are root's already",
                    "name a group of its own for those who diagnose the fabric, such as ibdiag");
  if (spec.memlock && spec.memlock->group && spec.memlock->group->value == group)
    return complain(
        report, group_field,
        fmt::format("{} is the group of memlock too: whoever may pin memory could administer the fabric", group),
        "a umad node sends management packets to every switch and host: give it a group of its own, "
        "such as ibdiag");
}

void check_mode(const NodeMode& mode, Report& report) {
  constexpr std::uint32_t others = 0007, execute = 0110, for_group = 0060;
  const std::string text = to_text(mode);
  if ((mode.value & others) != 0)
    return complain(report, mode_field, fmt::format("mode {} lets every user of this host administer the fabric", text),
                    "write \"0660\"");
  if ((mode.value & execute) != 0)
    return complain(report, mode_field,
                    fmt::format("mode {} has execute bits, which a device node has no use for", text),
                    "write \"0660\"");
  if ((mode.value & for_group) != for_group)
    complain(
        report, mode_field,
        fmt::format("mode {} does not let the group both read and write, and libibumad opens a node for both", text),
        "write \"0660\"");
}

void check_permissions(const Spec& spec, Report& report) {
  if (!spec.permissions || !spec.permissions->umad) return;
  check_group(spec, spec.permissions->umad->group.value, report);
  if (spec.permissions->umad->mode) check_mode(*spec.permissions->umad->mode, report);
}

// expand() gives this warning, not check_permissions(): the spec is correct, and `check --strict` has to accept it.
void warn_of_power(const std::string& group, Report& report) {
  warn(report, group_field,
       fmt::format("members of {} will be able to administer the fabric: a umad node sends management packets, which "
                   "can disable ports and change routes on every switch and host",
                   group),
       "keep the group to those who may do that");
}

// Wants the group now (/etc/group), and a file of sysusers.d, which makes it where an image's /etc/group has none.
void add_group(const UmadPermissions& umad, Desired& desired) {
  GroupState group;
  group.in_file = true;
  desired.add({&group_kind, umad.group.value, State(group_kind, std::move(group)), group_field});
  const Template sysusers("sysusers.conf", escape_line);
  desired.add({&file_kind, std::string(common_layout().umad_sysusers),
               State(file_kind, regular_file(sysusers.render({{{"has_members", false}, {"group", umad.group.value}}}))),
               group_field});
}

// Wants the udev rule for nodes that appear, and group and mode of those that are there.
void add_nodes(const UmadPermissions& umad, Desired& desired) {
  const Template rules("umad.rules", escape_udev);
  desired.add({&file_kind, std::string(common_layout().umad_rules),
               State(file_kind, regular_file(rules.render(
                                    {{{"group", umad.group.value}, {"mode", to_text(umad.mode_or_default())}}}))),
               "permissions.umad"});
  DeviceNodesState nodes{umad.group.value, to_text(umad.mode_or_default()), {}};  // for nodes that are there
  desired.add({&device_nodes_kind,
               std::string(umad_nodes),
               State(device_nodes_kind, std::move(nodes)),
               "permissions.umad",
               /*awaited_from=*/"",
               {{{file_kind.name, std::string(common_layout().umad_rules)}, TwinForm::whole_file}}});
}

void expand_permissions(const Spec& spec, const Facts&, Backend, Desired& desired, Report& report) {
  if (!spec.permissions || !spec.permissions->umad) return;
  const UmadPermissions& umad = *spec.permissions->umad;
  warn_of_power(umad.group.value, report);
  add_group(umad, desired);
  add_nodes(umad, desired);
}

// The value of NAME="..." in a udev rule; empty where the line has no such key.
std::string quoted_after(const std::string& line, std::string_view name) {
  const std::size_t at = line.find(fmt::format("{}=\"", name));
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return line.substr(begin, line.find('"', begin) - begin);
}

void adopt_permissions(const Adoption& from, Adopted& to) {
  const std::string path(common_layout().umad_rules);
  for (const auto& [number, line] : numbered_lines(from.snapshot.read(path).value_or(""))) {
    if (line.empty() || line[0] == '#') continue;
    UmadPermissions umad;
    umad.mode.emplace();
    if (Text<GroupName>::read({quoted_after(line, "GROUP"), /*plain=*/false}, umad.group) ||
        Text<NodeMode>::read({quoted_after(line, "MODE"), /*plain=*/false}, *umad.mode)) {
      to.left_out.push_back(fmt::format("{} does not read as rdmastate wrote it", place_of(path, number)));
      continue;
    }
    to.spec.permissions.emplace().umad = umad;
    to.came_from("permissions.umad", place_of(path, number));
  }
}

FilePlaces permissions_places() { return whole_files({common_layout().umad_sysusers, common_layout().umad_rules}); }

}  // namespace

constinit const Section permissions_section{"permissions", check_permissions, expand_permissions, adopt_permissions,
                                            permissions_places};

}  // namespace rdmastate
