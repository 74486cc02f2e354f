// SPDX-License-Identifier: Apache-2.0
// Checks of user-space verbs: libibverbs, its providers (the user-space drivers), and the modules that it talks to. A
// host that only mounts or bridges over RDMA needs none of them, so nothing is said where libibverbs is not installed.
// each_provider() finds the configured provider of each device; `table`, at the end, lists the checks.
#include <fmt/format.h>

#include "base/lines.hpp"
#include "doctor/drivers.hpp"
#include "doctor/examination.hpp"
#include "platform/platform.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::string_view configuration = "/etc/libibverbs.d";

// Where distributions keep libraries: /usr/lib64, or the folders of Debian's architectures.
std::vector<std::string> library_folders(Examination& look) {
  std::vector<std::string> folders{"/usr/lib64", "/usr/lib"};
  for (const auto& name : look.names("/usr/lib"))
    if (name.find("-linux-gnu") != std::string::npos) folders.push_back("/usr/lib/" + name);
  return folders;
}

bool is_installed(Examination& look) {
  const auto folders = library_folders(look);
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return look.exists(folder + "/libibverbs.so.1"); });
}

// A line "driver NAME" of a file in /etc/libibverbs.d. NAME is "mlx5", for libmlx5-rdmav*.so, or a path: with
// "/opt/lib/libmlx5" the library is /opt/lib/libmlx5-rdmav*.so.
struct Configured {
  std::string file;     // the path of the file that has the line
  std::string named;    // NAME
  std::string folder;   // the directory in NAME; empty where NAME is no path
  std::string library;  // what the library's name begins with, before "-rdmav"
};

// The provider that the line names: "mlx5".
std::string provider_named(const Configured& line) {
  constexpr std::string_view prefix = "lib";
  return line.library.starts_with(prefix) ? line.library.substr(prefix.size()) : line.library;
}

Configured configured_by(const std::string& file, const std::string& named) {
  const auto slash = named.rfind('/');
  if (!named.starts_with('/')) return {file, named, "", "lib" + named};
  return {file, named, named.substr(0, slash), named.substr(slash + 1)};
}

// The line that names each provider ("mlx5"): of several lines the last one that libibverbs reads.
std::map<std::string, Configured> configured(Examination& look) {
  std::map<std::string, Configured> providers;
  for (const auto& name : look.names(std::string(configuration))) {
    const std::string path = fmt::format("{}/{}", configuration, name);
    const std::string text = look.text(path).value_or("");
    for_lines(text, [&](std::string_view line) {
      const auto said = words(line);
      if (said.size() != 2 || said[0] != "driver") return;
      Configured one = configured_by(path, said[1]);
      providers.insert_or_assign(provider_named(one), std::move(one));
    });
  }
  return providers;
}

// The provider's libraries, by path: "/usr/lib64/libibverbs/libmlx5-rdmav34.so". They are in the line's own folder,
// else in the folder libibverbs beside the library libibverbs (load_driver() in libibverbs's dynamic_driver.c).
std::vector<std::string> libraries_of(Examination& look, const Configured& line) {
  std::vector<std::string> folders{line.folder};
  if (line.folder.empty()) {
    folders = library_folders(look);
    for (auto& folder : folders) folder += "/libibverbs";
  }
  std::vector<std::string> libraries;
  for (const auto& folder : folders)
    for (const auto& name : look.names(folder))
      if (name.starts_with(line.library + "-rdmav") && name.ends_with(".so")) libraries.push_back(folder + "/" + name);
  return libraries;
}

// The private ABI of a libibverbs, which its symbols' version names: "34" of IBVERBS_PRIVATE_34. It loads the providers
// whose names end with it and no others. Empty: the text has none.
std::string private_abi_in(std::string_view library) {
  constexpr std::string_view word = "IBVERBS_PRIVATE_";
  const std::size_t at = library.find(word);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = library.substr(at + word.size());
  return std::string(rest.substr(0, std::min(rest.find_first_not_of("0123456789"), rest.size())));
}

// The private ABIs of all libraries libibverbs on the host, of which each architecture has one: by path.
std::map<std::string, std::string> private_abis(Examination& look) {
  std::map<std::string, std::string> abis;
  for (const auto& folder : library_folders(look)) {
    const std::string path = folder + "/libibverbs.so.1";
    std::string abi = private_abi_in(look.text(path).value_or(""));
    if (!abi.empty()) abis.emplace(path, std::move(abi));
  }
  return abis;
}

// The provider that the device needs, by its driver: "mlx5"; empty: none is known.
std::string provider_of(Examination& look, const RdmaDevice& device) {
  if (const RdmaDriver* known = rdma_driver(device.driver)) return std::string(known->provider);
  if (!device.driver.empty()) return {};
  for (const auto& soft : look.snapshot.soft_devices())
    if (soft.name == device.name) return to_text(soft.type);
  return {};
}

std::string package_of(const Facts& facts) {
  return platform_of(facts).family == DistroFamily::debian ? "ibverbs-providers" : "libibverbs";
}

// Calls each(device, provider, line) for each device whose provider is known; `line` is nullptr where no file names the
// provider. Calls nothing where libibverbs is not installed.
template <class Each>
void each_provider(Examination& look, Each&& each) {
  if (look.facts.devices.empty() || !is_installed(look)) return;
  const auto known = configured(look);
  for (const auto& device : look.facts.devices) {
    const std::string provider = provider_of(look, device);
    if (provider.empty()) continue;
    const auto file = known.find(provider);
    each(device, provider, file == known.end() ? nullptr : &file->second);
  }
}

void look_for_missing(Examination& look) {
  each_provider(look, [&](const RdmaDevice& device, const std::string& provider, const Configured* line) {
    if (line != nullptr) return;
    look.found({About::device, device.name},
               fmt::format("no file of {} names the provider {}", configuration, provider),
               "libibverbs finds no user-space driver for the device: programs see no device.",
               fmt::format("Install the package {}.", package_of(look.facts)),
               {{std::string(configuration), fmt::format("no line \"driver {}\"", provider)}});
  });
}

void look_for_broken(Examination& look) {
  each_provider(look, [&](const RdmaDevice& device, const std::string&, const Configured* line) {
    if (line == nullptr || !libraries_of(look, *line).empty()) return;
    look.found(
        {About::device, device.name},
        fmt::format("{} names the provider {}, and {}-rdmav*.so is not there", line->file, line->named, line->library),
        "The provider's package is half installed, or is of another architecture.",
        fmt::format("Install the package {} anew, and look with `ibv_devices`.", package_of(look.facts)),
        {{line->file, "driver " + line->named}});
  });
}

bool is_loaded_by(const std::map<std::string, std::string>& abis, const std::string& provider) {
  return std::any_of(abis.begin(), abis.end(),
                     [&](const auto& one) { return provider.ends_with("-rdmav" + one.second + ".so"); });
}

void look_for_incompatible(Examination& look) {
  std::optional<std::map<std::string, std::string>> abis;  // read where a provider's library is there
  each_provider(look, [&](const RdmaDevice& device, const std::string& provider, const Configured* line) {
    const auto libraries = line == nullptr ? std::vector<std::string>() : libraries_of(look, *line);
    if (libraries.empty()) return;
    if (!abis) abis = private_abis(look);
    if (abis->empty() || std::any_of(libraries.begin(), libraries.end(),
                                     [&](const std::string& library) { return is_loaded_by(*abis, library); }))
      return;
    const auto& [path, abi] = *abis->begin();
    look.found(
        {About::device, device.name},
        fmt::format("libibverbs loads lib{}-rdmav{}.so, and the provider is {}", provider, abi, libraries[0]),
        "libibverbs and its providers are of different releases: one of them came from another repository, or "
        "was left from OFED.",
        fmt::format("Install libibverbs and {} of one release, and look with `ibv_devices`.", package_of(look.facts)),
        {{path, "IBVERBS_PRIVATE_" + abi}, {libraries[0], "is there"}});
  });
}

// Finds that `module` is not loaded: then there is no device node `node`, and `users` (a plural) cannot open devices.
void look_for_module(Examination& look, const char* module, const char* node, const char* users) {
  if (look.facts.devices.empty() || !is_installed(look) || look.has_module(module)) return;
  look.found({About::host, ""}, fmt::format("{} is not loaded, so {} is not there", module, node),
             fmt::format("{} cannot open RDMA devices.", users), fmt::format("modules: {{load: [{}]}}", module),
             {{std::string("module ") + module, "not loaded"}});
}

void look_for_uverbs(Examination& look) {
  look_for_module(look, "ib_uverbs", "/dev/infiniband/uverbs0", "Programs that use libibverbs");
}

void look_for_rdma_cm(Examination& look) {
  look_for_module(look, "rdma_ucm", "/dev/infiniband/rdma_cm", "Programs that use librdmacm");
}

constexpr Check verbs_table[] = {
    {"provider-missing", Severity::error, "libibverbs has no provider for a device",
     "libibverbs is installed and does not know the device: `ibstat` shows it, `ibv_devices` does not. Each kind of adapter "
     "has a provider, a library that a file of /etc/libibverbs.d names. Container images and minimal installations often "
     "lack it. libibverbs says so only where IBV_SHOW_WARNINGS is set.",
     look_for_missing},
    {"provider-broken", Severity::error, "A provider of libibverbs is configured, and its library is not there",
     "A file of /etc/libibverbs.d names a provider, and no directory of libraries holds lib<provider>-rdmav<ABI>.so. "
     "libibverbs then does as if there were no provider.",
     look_for_broken},
    {"provider-incompatible", Severity::error, "A provider's library is for another libibverbs",
     "libibverbs loads a provider by the number behind `-rdmav` in its file's name, which is libibverbs's own private ABI "
     "(the version IBVERBS_PRIVATE_34 of its symbols). A provider of another number is as good as none: `ibstat` shows the "
     "device, `ibv_devices` does not, and the missing file is named only where IBV_SHOW_WARNINGS is set. Usual where OFED "
     "and the distribution's packages, or packages of two releases, are mixed.",
     look_for_incompatible},
    {"uverbs-missing", Severity::warning, "RDMA devices are there, and ib_uverbs is not loaded",
     "Programs reach RDMA devices through /dev/infiniband/uverbs*, which ib_uverbs makes. rdma-core loads it where its udev "
     "rules and units are installed.",
     look_for_uverbs},
    {"rdma-cm-missing", Severity::warning, "RDMA devices are there, and rdma_ucm is not loaded",
     "rping, NFS tools, many storage programs and MPI with rdma_cm connect by address through /dev/infiniband/rdma_cm, which "
     "rdma_ucm makes.",
     look_for_rdma_cm},
};

// A record keeps the ABI alone of the library.
Kept keep_abi(const FileToKeep& file) {
  const std::string abi = private_abi_in(file.text);
  return {Kept::How::part, abi.empty() ? "" : "IBVERBS_PRIVATE_" + abi + "\n"};
}

FilePlaces verbs_places() {
  FilePlaces places = whole_files({"/etc/libibverbs.d/*"});
  for (const char* path : {"/usr/lib64/libibverbs.so.1", "/usr/lib/libibverbs.so.1", "/usr/lib/*/libibverbs.so.1"})
    places.push_back({path, keep_abi});
  for (const char* path : {"/usr/lib64/libibverbs/*", "/usr/lib/libibverbs/*", "/usr/lib/*/libibverbs/*"})
    places.push_back(presence(path));
  return places;
}

}  // namespace

const CheckFamily verbs_checks{verbs_table, verbs_places};

}  // namespace rdmastate::doctor
