// SPDX-License-Identifier: Apache-2.0
// The check node-opened-by-hand: a node of management datagrams, /dev/infiniband/umadN, that more users may open than
// udev lets. ib_umad asks for no mode, so devtmpfs makes the node with 0600 (drivers/infiniband/core/user_mad.c,
// umad_devnode(); drivers/base/devtmpfs.c), and udev's rules may give it more. They are read where a node has more.
#include <fmt/format.h>

#include <map>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "doctor/examination.hpp"
#include "doctor/hand_made.hpp"
#include "resources/file/file.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::uint32_t given_by_kernel = 0600;
constexpr std::uint32_t given_with_group = 0660;  // udev's mode where a rule says a group and no mode
constexpr std::uint32_t any_mode = 0777;

// udev(7), and the folder that distributions merge into another one.
constexpr std::string_view rules[] = {"/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
                                      "/usr/lib/udev/rules.d", "/lib/udev/rules.d"};

bool holds(std::string_view line, std::string_view word) { return line.find(word) != std::string_view::npos; }

// The mode in MODE="0666" or MODE:="0666"; any mode where udev makes it of something else.
std::uint32_t mode_in(std::string_view rule) {
  const std::string_view rest = rule.substr(std::min(rule.find('"', rule.find("MODE")), rule.size() - 1) + 1);
  FileMode mode;
  return Text<FileMode>::read(Scalar{std::string(rest.substr(0, rest.find('"')))}, mode) ? any_mode : mode.value;
}

// The bits that one of udev's rules may give to nodes of RDMA: what else the rule asks for is not looked at.
std::uint32_t bits_of(std::string_view rule) {
  const bool is_comment = trimmed(rule).starts_with('#');
  if (is_comment || (!holds(rule, "umad") && !holds(rule, "infiniband"))) return 0;
  if (holds(rule, "RUN")) return any_mode;  // such as chmod
  if (holds(rule, "MODE")) return mode_in(rule);
  return holds(rule, "GROUP") || holds(rule, "uaccess") ? given_with_group : 0;
}

// Calls each(line); a line that ends with a backslash goes on in the next one.
template <class Each>
void for_rules(std::string_view text, Each&& each) {
  std::string rule;
  for_lines(text, [&](std::string_view line) {
    const bool goes_on = line.ends_with('\\');
    rule += goes_on ? line.substr(0, line.size() - 1) : line;
    if (goes_on) return;
    each(rule);
    rule.clear();
  });
}

std::uint32_t bits_in(std::string_view text) {
  std::uint32_t bits = 0;
  for_rules(text, [&](std::string_view rule) { bits |= bits_of(rule); });
  return bits;
}

std::uint32_t given_by_rules(Examination& look) {
  std::uint32_t bits = 0;
  for (const auto folder : rules)
    for (const auto& name : look.names(std::string(folder)))
      if (name.ends_with(".rules")) bits |= bits_in(look.text(fmt::format("{}/{}", folder, name)).value_or(""));
  return bits;
}

// The nodes with more bits than the kernel gives, by path.
std::map<std::string, FileMeta> opened_nodes(Examination& look) {
  constexpr std::string_view folder = "/dev/infiniband", umad = "umad";
  std::map<std::string, FileMeta> nodes;
  for (const auto& name : look.names(std::string(folder))) {
    if (!name.starts_with(umad) || !ascii::is_number(std::string_view(name).substr(umad.size()))) continue;
    const std::string path = fmt::format("{}/{}", folder, name);
    const auto& file = look.snapshot.file(path);
    const bool is_node = file && file->meta.type == FileType::other;
    if (is_node && (file->meta.mode & ~given_by_kernel) != 0) nodes.emplace(path, file->meta);
  }
  return nodes;
}

void look_for_nodes(Examination& look) {
  const auto nodes = opened_nodes(look);
  if (nodes.empty()) return;
  const std::uint32_t bits = given_by_kernel | given_by_rules(look);
  const std::string given = to_text(FileMode{bits});
  for (const auto& [path, meta] : nodes) {
    if ((meta.mode & ~bits) == 0) continue;
    const std::string mode = to_text(FileMode{meta.mode});
    look.found(
        {About::file, path}, fmt::format("its mode is {}, and udev gives it {}", mode, given),
        "Somebody ran chmod, as guides say. The next boot, or the adapter's driver when it is loaded again, makes "
        "the node anew.",
        fmt::format("{}, or `chmod {} {}`.", example_of("permissions.umad"), given, path),
        {{path, fmt::format("mode {}", mode)}});
  }
}

constexpr Check table[] = {
    {"node-opened-by-hand", Severity::warning, "More users may open a node of management datagrams than udev lets",
     "Guides say `chmod go+rw /dev/infiniband/umad0` so that ibping runs without root. Then every user of the host may send "
     "management packets, which can disable ports and change routes on every switch and host; and after the next boot nobody "
     "but root may. permissions.umad gives the nodes to a group, now and whenever they appear. A mode counts as udev's where "
     "a line of its rules that names umad or infiniband gives it, or runs a program.",
     look_for_nodes},
};

// A record keeps the lines that give a mode.
Kept keep_lines(const FileToKeep& file) {
  std::string kept;
  for_rules(file.text, [&](std::string_view rule) {
    if (bits_of(rule) != 0) kept += std::string(rule) + "\n";
  });
  return kept_part(kept);
}

FilePlaces read_places() {
  FilePlaces places;
  for (const auto folder : rules) places.push_back({fmt::format("{}/*.rules", folder), keep_lines});
  return places;
}

}  // namespace

const CheckFamily node_checks{table, read_places};

}  // namespace rdmastate::doctor
