// SPDX-License-Identifier: Apache-2.0
// First the extractors, each for one text; at the end read_mount_claims() and read_nfs_settings() hand them the files
// of a host.
#include "host/nfs_claims.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/ini.hpp"
#include "base/lines.hpp"
#include "base/text.hpp"
#include "host/look_at.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view blanks = " \t\r";

template <class Each>
void for_trimmed_lines(std::string_view text, Each&& each) {
  for_lines(text, [&](std::string_view line) { each(trimmed(line)); });
}

// Takes the first word off the line; empty: there is none.
std::string_view next_word(std::string_view& line) {
  line = line.substr(std::min(line.find_first_not_of(blanks), line.size()));
  const std::size_t end = std::min(line.find_first_of(blanks), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

// Whether the text is three octal digits.
bool is_octal(std::string_view text) {
  return text.size() == 3 && std::all_of(text.begin(), text.end(), ascii::is_octal);
}

// fstab(5): a blank is \040.
std::string unescaped(std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '\\' || !is_octal(word.substr(i + 1, 3))) {
      text += word[i];
      continue;
    }
    text += static_cast<char>((word[i + 1] - '0') * 64 + (word[i + 2] - '0') * 8 + (word[i + 3] - '0'));
    i += 3;
  }
  return text;
}

std::string without_last_slash(std::string target) {
  while (target.size() > 1 && target.back() == '/') target.pop_back();
  return target;
}

bool is_mount_unit(const std::string& name) { return name.ends_with(".mount") || name.ends_with(".automount"); }

// Adds the mount of the unit file at this path; a symlink, such as one to /dev/null, is no unit file.
void add_unit(const Snapshot& snapshot, const std::string& path, std::vector<MountClaim>& claims) {
  const auto& file = snapshot.file(path);
  if (!file || file->meta.type != FileType::regular) return;
  if (std::string target = unit_target(file->bytes); !target.empty())
    claims.push_back({std::move(target), "systemd", path});
}

// The settings that decide on which ports the server and its helpers listen, whether by RDMA, and with how many
// threads.
constexpr std::array<std::string_view, 8> server_keys{"mountd.port", "statd.port", "lockd.port",     "lockd.udp-port",
                                                      "nfsd.port",   "nfsd.rdma",  "nfsd.rdma-port", "nfsd.threads"};

void add_settings(const Snapshot& snapshot, const std::string& path, std::vector<NfsSetting>& settings) {
  const auto text = snapshot.read(path);
  if (!text) return;
  for (auto& one : nfs_settings_in(path, *text)) settings.push_back(std::move(one));
}

}  // namespace

std::vector<std::string> fstab_targets(std::string_view text) {
  std::vector<std::string> targets;
  for_trimmed_lines(text, [&](std::string_view line) {
    if (line.starts_with('#')) return;
    next_word(line);
    std::string target = unescaped(next_word(line));
    if (target.starts_with('/')) targets.push_back(without_last_slash(std::move(target)));
  });
  return targets;
}

std::string unit_target(std::string_view text) {
  const ini::File file(ini::systemd, text);
  const std::string where = file.value(file.find("Mount", "Where") != nullptr ? "Mount" : "Automount", "Where");
  std::string target;
  for (std::size_t i = 0; i < where.size(); ++i) {  // "%%" is a percent sign (systemd.unit(5))
    target += where[i];
    if (where[i] == '%' && where.substr(i + 1, 1) == "%") ++i;
  }
  return without_last_slash(std::move(target));
}

// A header with an argument, such as [nfsd "x"], is another section than [nfsd].
std::vector<NfsSetting> nfs_settings_in(const std::string& path, std::string_view text) {
  const ini::File file(ini::nfs_conf, text);
  std::vector<NfsSetting> settings;
  for (const auto& entry : file.entries()) {
    const std::string key = file.section(entry) + "." + entry.key;
    if (std::find(server_keys.begin(), server_keys.end(), key) != server_keys.end())
      settings.push_back({key, entry.value, path});
  }
  return settings;
}

bool is_nfs_yes(const std::string& value) {
  static constexpr std::array<const char*, 6> yes{"1", "t", "true", "y", "yes", "on"};
  return std::any_of(yes.begin(), yes.end(), [&](const char* word) { return ::strcasecmp(word, value.c_str()) == 0; });
}

std::optional<std::uint32_t> rdma_port_of(const std::vector<NfsSetting>& settings) {
  constexpr std::uint32_t usual = 20049;
  constexpr std::uint32_t last_port = 65535;
  std::string rdma;
  std::string port;
  for (const auto& one : settings) {
    if (one.key == "nfsd.rdma") rdma = one.value;
    if (one.key == "nfsd.rdma-port") port = one.value;
  }
  const bool is_on = is_nfs_yes(rdma);
  std::uint32_t number = 0;
  if (!Text<std::uint32_t>::read({is_on ? port : rdma, /*plain=*/true}, number) && number != 0)
    return number <= last_port ? std::optional(number) : std::nullopt;
  return is_on ? std::optional(usual) : std::nullopt;
}

std::optional<std::uint32_t> threads_of(const std::vector<NfsSetting>& settings) {
  std::optional<std::uint32_t> threads;
  for (const auto& one : settings) {
    std::uint32_t number = 0;
    if (one.key == "nfsd.threads" && !Text<std::uint32_t>::read({one.value, /*plain=*/true}, number) && number != 0)
      threads = number;
  }
  return threads;
}

std::vector<MountClaim> read_mount_claims(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  const std::string fstab = "/etc/fstab";
  const std::string units = "/etc/systemd/system";
  std::vector<MountClaim> claims;
  look_at(fstab, unseen, [&] {
    for (auto& target : fstab_targets(snapshot.read(fstab).value_or("")))
      claims.push_back({std::move(target), "fstab", fstab});
  });
  std::vector<std::string> names;
  look_at(units, unseen, [&] { names = snapshot.list(units); });
  for (const auto& name : names)
    if (const std::string path = units + "/" + name; is_mount_unit(name))
      look_at(path, unseen, [&] { add_unit(snapshot, path, claims); });
  return claims;
}

std::vector<NfsSetting> read_nfs_settings(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  const std::string folder = "/etc/nfs.conf.d";
  std::vector<NfsSetting> settings;
  for (const std::string main : {"/etc/nfs.conf", "/etc/nfs.conf.local"})
    look_at(main, unseen, [&] { add_settings(snapshot, main, settings); });
  std::vector<std::string> names;
  look_at(folder, unseen, [&] { names = snapshot.list(folder); });
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".conf"); });
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return ::strverscmp(a.c_str(), b.c_str()) < 0;  // as scandir() with versionsort() has them
  });
  for (const auto& name : names) {
    const std::string path = folder + "/" + name;
    look_at(path, unseen, [&] { add_settings(snapshot, path, settings); });
  }
  return settings;
}

}  // namespace rdmastate
