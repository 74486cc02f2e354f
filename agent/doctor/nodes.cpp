// SPDX-License-Identifier: Apache-2.0
// The check node-opened-by-hand: a node of management datagrams, /dev/infiniband/umadN, that more users may open than
// udev lets. ib_umad asks for no mode, so devtmpfs makes the node with 0600 (drivers/infiniband/core/user_mad.c,
// umad_devnode(); drivers/base/devtmpfs.c), and udev's rules may give it more. They are read where a node has more.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "doctor/examination.hpp"
#include "doctor/hand_made.hpp"
#include "host/udev_rules.hpp"
#include "resources/file/file.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::uint32_t given_by_kernel = 0600;
constexpr std::uint32_t given_with_group = 0660;  // udev's mode where a rule says a group and no mode
constexpr std::uint32_t any_mode = 0777;

// udev(7), and the folder that distributions merge into another one.
constexpr std::string_view rule_folders[] = {"/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
                                             "/usr/lib/udev/rules.d", "/lib/udev/rules.d"};

bool speaks_of_rdma(const udev::Rule& rule) {
  return std::any_of(rule.begin(), rule.end(), [](const udev::Token& token) {
    return token.value.find("umad") != std::string::npos || token.value.find("infiniband") != std::string::npos;
  });
}

// The bits that one token may give; any where a program may give them, such as chmod, or udev makes the mode of
// something else.
std::uint32_t bits_of(const udev::Token& token) {
  if (token.is_match()) return 0;
  if (token.key.starts_with("RUN")) return any_mode;
  if (token.key == "GROUP" || (token.key == "TAG" && token.value == "uaccess")) return given_with_group;
  FileMode mode;
  if (token.key != "MODE") return 0;
  return Text<FileMode>::read(Scalar{token.value}, mode) ? any_mode : mode.value;
}

std::uint32_t bits_of(const udev::Rule& rule) {
  std::uint32_t bits = 0;
  for (const auto& token : rule) bits |= bits_of(token);
  return bits;
}

bool jumps(const udev::Rule& rule) {
  return std::any_of(rule.begin(), rule.end(), [](const udev::Token& token) { return token.key == "GOTO"; });
}

// The rules of a file that may give bits to nodes of RDMA: those that speak of them, and all of them where one that
// does jumps over others. What else a rule asks for is not looked at.
std::vector<udev::Rule> giving_rules(std::string_view text) {
  std::vector<udev::Rule> giving;
  bool is_all = false;
  for (auto& rule : udev::rules_in(text)) {
    const bool speaks = speaks_of_rdma(rule);
    is_all = is_all || (speaks && jumps(rule));
    if ((speaks && jumps(rule)) || ((speaks || is_all) && bits_of(rule) != 0)) giving.push_back(std::move(rule));
  }
  return giving;
}

std::uint32_t bits_in(std::string_view text) {
  std::uint32_t bits = 0;
  for (const auto& rule : giving_rules(text)) bits |= bits_of(rule);
  return bits;
}

std::uint32_t given_by_rules(Examination& look) {
  std::uint32_t bits = 0;
  for (const auto folder : rule_folders)
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

constexpr Check node_table[] = {
    {"node-opened-by-hand", Severity::warning, "More users may open a node of management datagrams than udev lets",
     "Guides say `chmod go+rw /dev/infiniband/umad0` so that ibping runs without root. Then every user of the host may send "
     "management packets, which can disable ports and change routes on every switch and host; and after the next boot nobody "
     "but root may. permissions.umad gives the nodes to a group, now and whenever they appear. A mode counts as udev's where "
     "one of its rules that names umad or infiniband gives it, or runs a program.",
     look_for_nodes},
};

// A record keeps the rules that may give a mode.
Kept keep_rules(const FileToKeep& file) {
  std::string kept;
  for (const auto& rule : giving_rules(file.text)) kept += udev::text_of(rule) + "\n";
  return kept_part(kept);
}

FilePlaces node_places() {
  FilePlaces places;
  for (const auto folder : rule_folders) places.push_back({fmt::format("{}/*.rules", folder), keep_rules});
  return places;
}

}  // namespace

const CheckFamily node_checks{node_table, node_places};

}  // namespace rdmastate::doctor
