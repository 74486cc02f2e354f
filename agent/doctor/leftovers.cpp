// SPDX-License-Identifier: Apache-2.0
// The check set-up-by-hand: finds files that set up RDMA and are not rdmastate's, and names the fields of a spec that
// say the same. Two sources: lines that guides have people write (add_lines()), and the files from which `show
// --as-spec` takes fields (add_adopted()).
#include <fmt/format.h>

#include <map>

#include "base/lines.hpp"
#include "doctor/examination.hpp"
#include "host/mark.hpp"
#include "platform/layout.hpp"
#include "sections/adopt.hpp"

namespace rdmastate::doctor {
namespace {

/// A line that guides, or scripts that people copy, have one write.
struct HandMade {
  std::string_view pattern;  ///< of the files' paths; one star at most, in the last name
  std::string_view word;     ///< what such a line holds
  std::string_view field;    ///< of a spec
};

// Red Hat's and Debian's guides, mlnx-tools, and units that start `rdma link add`.
constexpr HandMade hand_made[] = {
    {"/etc/systemd/system/*.service", "rdma link add", "soft_devices"},
    {"/etc/systemd/system/*.service", "cma_roce_mode", "devices.ports.roce.default_mode"},
    {"/etc/systemd/system/*.service", "default_roce_mode", "devices.ports.roce.default_mode"},
    {"/etc/systemd/system/*.service", "cma_roce_tos", "devices.ports.roce.tos"},
    {"/etc/systemd/system/*.service", "mlnx_qos", "devices.ports.qos"},
    {"/etc/systemd/system/*.service", "rdma system set netns", "rdma.netns"},
    {"/etc/security/limits.conf", "@rdma", "memlock"},
    {"/etc/security/limits.d/*.conf", "@rdma", "memlock"},
    {"/etc/security/limits.d/rdma.conf", "memlock", "memlock"},
    {"/etc/rc.local", "rdma link add", "soft_devices"},
    {"/etc/rc.local", "default_roce_mode", "devices.ports.roce.default_mode"},
    {"/etc/rc.local", "cma_roce_mode", "devices.ports.roce.default_mode"},
    {"/etc/rc.local", "mlnx_qos", "devices.ports.qos"},
    {"/etc/rc.local", "create_child", "ipoib.pkey"},
    {"/etc/udev/rules.d/70-persistent-ipoib.rules", "NAME=", "ipoib.name"},
    {"/etc/udev/rules.d/60-rdma-persistent-naming.rules", "NAME_", "devices.name"},
    {"/etc/rdma/mlx4.conf", "ib", "devices.ports.link_type"},
    {"/etc/rdma/mlx4.conf", "eth", "devices.ports.link_type"},
    {"/etc/modprobe.d/mlx4.conf", "port_type_array", "devices.ports.link_type"},
    {"/etc/modprobe.d/mlx4.conf", "pfctx", "devices.ports.qos.pfc"},
};

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with(';'); }

// By path of a file: the fields of a spec that replace what it says.
using Found = std::map<std::string, std::vector<std::string>>;

void add(Found& found, const std::string& path, const std::string& field) {
  auto& fields = found[path];
  if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
}

// The paths on the host that a pattern of HandMade names.
std::vector<std::string> paths_of(Examination& look, std::string_view pattern) {
  if (pattern.find('*') == std::string_view::npos) return {std::string(pattern)};
  const std::string directory(pattern.substr(0, pattern.rfind('/')));
  std::vector<std::string> paths;
  for (const auto& name : look.names(directory))
    if (is_named_by(pattern, directory + "/" + name)) paths.push_back(directory + "/" + name);
  return paths;
}

// Whether a line of the text that is no comment holds the word.
bool says(std::string_view text, std::string_view word) {
  bool said = false;
  for_lines(text, [&](std::string_view line) {
    line = trimmed(line);
    said = said || (!is_comment(line) && line.find(word) != std::string_view::npos);
  });
  return said;
}

// Adds the files that have a line of `hand_made`.
void add_lines(Examination& look, Found& found) {
  for (const auto& one : hand_made)
    for (const auto& path : paths_of(look, one.pattern)) {
      const auto text = look.is_file(path) ? look.text(path) : std::nullopt;
      if (text && !carries_mark(*text) && says(*text, one.word)) add(found, path, std::string(one.field));
    }
}

// The field of a value's path in a spec: "ipoib.ipv4.addresses" of "ipoib[0].ipv4.addresses".
std::string without_indexes(std::string_view path) {
  std::string field;
  bool inside = false;
  for (const char c : path) {
    if (c == '[') inside = true;
    if (!inside) field += c;
    if (c == ']') inside = false;
  }
  return field;
}

// Adds the files from which `show --as-spec` takes fields: a source is "PATH" or "PATH:LINE".
void add_adopted(Examination& look, Found& found) {
  // The directory of rdmastate's own files.
  const std::string_view home = common_layout().ledger.substr(0, common_layout().ledger.rfind('/') + 1);
  for (const auto& one : adopt(look.snapshot, look.facts).sources) {
    const std::string path = one.source.substr(0, one.source.rfind(':'));
    const bool file = path.starts_with("/etc/") && !path.starts_with(home);
    const auto text = file ? look.text(path) : std::nullopt;
    if (text && !carries_mark(*text)) add(found, path, without_indexes(one.path));
  }
}

void look_for_leftovers(Examination& look) {
  Found found;
  add_adopted(look, found);
  add_lines(look, found);
  for (const auto& [path, fields] : found)
    look.found(
        {About::file, path}, "it sets up RDMA by hand", "Somebody followed a guide, or another tool wrote it.",
        fmt::format(
            "A spec says it as {}: `rdmastate show --as-spec` prints what this host has, and `apply --adopt` takes "
            "files over.",
            fmt::join(fields, ", ")),
        {{path, fmt::format("as {}", fmt::join(fields, ", "))}});
}

constexpr Check table[] = {
    {"set-up-by-hand", Severity::info, "A file that is not rdmastate's sets up RDMA",
     "Guides have people edit limits.conf, udev rules, module options, nfs.conf, connection profiles and units that run `rdma "
     "link add` or `mlnx_qos`. They work, and nobody compares them with anything. The finding names the fields of a spec that "
     "say the same; `rdmastate explain FIELD` tells about each.",
     look_for_leftovers},
};

bool is_hand_made(std::string_view path, std::string_view line) {
  return std::any_of(std::begin(hand_made), std::end(hand_made),
                     [&](const HandMade& one) { return is_named_by(one.pattern, path) && says(line, one.word); });
}

// A record keeps only the lines that add_lines() looks for.
Kept keep_hand_made(const FileToKeep& file) {
  std::string kept;
  for_lines(file.text, [&](std::string_view line) {
    if (is_hand_made(file.path, line)) kept += std::string(line) + "\n";
  });
  return kept_part(kept);
}

FilePlaces read_places() {
  FilePlaces places;
  for (const auto& one : hand_made) places.push_back({std::string(one.pattern), keep_hand_made});
  return places;
}

}  // namespace

const CheckFamily leftover_checks{table, read_places};

}  // namespace rdmastate::doctor
