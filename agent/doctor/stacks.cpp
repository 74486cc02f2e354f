// SPDX-License-Identifier: Apache-2.0
// The check stack-mixed: OFED beside the kernel's modules or the distribution's libraries. Signs, each of a file or
// two:
//  - OFED's modules: mlx_compat is loaded, on which all of them stand and which no kernel has.
//  - OFED's programs: openibd (Facts::stack).
//  - Whose libibverbs, where dpkg installs it: OFED's packages have "mlnx" in their version, "2507mlnx58-1.2507097" in
//    DOCA-OFED 3.1, "2410mlnx54-1.2410068" in MLNX_OFED 24.10, "2307mlnx47-1.2307050" in 23.07; the distributions' have
//    not. DOCA-OFED 3.1 brings no ofed_info, and its profile doca-ofed-userspace no module (docs.nvidia.com/doca/sdk,
//    "DOCA Profiles"; the file names in linux.mellanox.com/public/repo/mlnx_ofed and .../doca). The private ABI tells
//    nothing: both have the same one.
//  - Where rpm installs it: what it has installed is in a database that is not read here. The directory of its
//    documents tells the version where its name holds it: /usr/share/doc/libibverbs-51mlnx1 (MLNX_OFED 5.1),
//    rdma-core-48.0. Without a version, as newer packages have it, it tells nothing; nor where no documents are
//    installed.
#include <fmt/format.h>

#include "base/lines.hpp"
#include "base/one_of.hpp"
#include "doctor/examination.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::string_view installed_packages = "/var/lib/dpkg/status";  // deb822(5), a paragraph for each package
constexpr std::string_view library = "libibverbs1";
constexpr std::string_view documents = "/usr/share/doc";
// What the directory of the documents is named after: the package with the library, or the one that it is built with.
constexpr std::string_view rpm_packages[] = {"libibverbs", "rdma-core"};
constexpr std::string_view library_page = "libibverbs.md";

std::string value_of(std::string_view paragraph, std::string_view key) {
  std::string value;
  for_lines(paragraph, [&](std::string_view line) {
    if (line.starts_with(key)) value = trimmed(line.substr(key.size()));
  });
  return value;
}

// The paragraphs of the library, one for each architecture.
std::vector<std::string_view> paragraphs_of_library(std::string_view text) {
  const std::string head = fmt::format("Package: {}\n", library);
  std::vector<std::string_view> paragraphs;
  for (std::size_t at = text.find(head); at != std::string_view::npos; at = text.find(head, at + 1))
    if (at == 0 || text[at - 1] == '\n') paragraphs.push_back(text.substr(at, text.find("\n\n", at) - at));
  return paragraphs;
}

// The version of the library, OFED's where any architecture has that; empty where dpkg has not installed it.
std::string library_version(std::string_view text) {
  std::string version;
  for (const auto paragraph : paragraphs_of_library(text))
    if (value_of(paragraph, "Status:").ends_with(" installed") && version.find("mlnx") == std::string::npos)
      version = value_of(paragraph, "Version:");
  return version;
}

/// The package that brings libibverbs.
struct Library {
  std::string package{};
  std::string version{};  ///< empty: not known
  std::string place{};    ///< the file or directory that tells it
  bool is_own() const { return version.find("mlnx") != std::string::npos; }
};

// By the documents of rpm's package: OFED's where there are several.
Library library_by_documents(Examination& look) {
  Library found;
  for (const auto& name : look.names(std::string(documents))) {
    const std::size_t dash = name.find_first_of("0123456789");
    if (dash == std::string::npos || dash == 0 || name[dash - 1] != '-') continue;
    if (!is_one_of(std::string_view(name).substr(0, dash - 1), rpm_packages)) continue;
    Library one{std::string(rpm_packages[0]), name.substr(dash), fmt::format("{}/{}", documents, name)};
    if (!found.is_own() && look.is_file(fmt::format("{}/{}", one.place, library_page))) found = std::move(one);
  }
  return found;
}

Library installed_library(Examination& look) {
  const std::string dpkg(installed_packages);
  std::string version = library_version(look.text(dpkg).value_or(""));
  return version.empty() ? library_by_documents(look) : Library{std::string(library), std::move(version), dpkg};
}

/// What is installed and loaded of OFED.
struct Stacks {
  bool modules = false;
  bool programs = false;
  Library verbs = {};
  bool has_own_library() const { return verbs.is_own(); }
  bool has_others_library() const { return !verbs.version.empty() && !has_own_library(); }
};

/// What a finding says: Finding::symptom, cause, fix and severity.
struct Told {
  std::string symptom, cause, fix;
  Severity severity = Severity::warning;
};

std::optional<Told> told_of(const Stacks& ofed) {
  const bool installed = ofed.programs || ofed.has_own_library();
  if (ofed.programs && !ofed.modules)
    return Told{"OFED's programs are installed, and the kernel's own modules are loaded",
                "A new kernel was booted for which OFED's modules were not built, or an initrd holds the kernel's own.",
                "Build OFED's modules for this kernel (`dkms status`), or remove OFED; then boot."};
  if (installed && !ofed.modules)
    return Told{
        "OFED's libibverbs is installed, and the kernel's own modules are loaded",
        "DOCA's profile doca-ofed-userspace is meant so; otherwise OFED's modules were not built for this kernel.",
        "Where OFED's modules are wanted, build them for this kernel (`dkms status`), and boot.", Severity::info};
  if (!ofed.modules) return std::nullopt;
  if (!installed)
    return Told{"OFED's modules are loaded, and OFED's programs are not installed",
                "OFED was removed, and its modules are loaded until the next boot.", "Boot, or restart the modules."};
  if (!ofed.has_others_library()) return std::nullopt;
  return Told{"OFED's modules are loaded, and libibverbs is the distribution's",
              "OFED was installed without its libraries, or an upgrade of the distribution replaced them.",
              fmt::format("Install {} from OFED's repository, or remove OFED; then boot.", ofed.verbs.package)};
}

void look_for_stacks(Examination& look) {
  if (!look.has_module("mlx5_core") && !look.has_module("mlx4_core")) return;
  const Stacks ofed{look.has_module("mlx_compat"), look.facts.stack == "ofed", installed_library(look)};
  auto told = told_of(ofed);
  if (!told) return;
  std::vector<Evidence> evidence{{"stack", look.facts.stack},
                                 {"module mlx_compat", ofed.modules ? "loaded" : "not loaded"}};
  if (const Library& verbs = ofed.verbs; !verbs.version.empty())
    evidence.push_back({verbs.place, fmt::format("{} {}", verbs.package, verbs.version)});
  look.found({About::host, ""}, std::move(told->symptom), std::move(told->cause), std::move(told->fix),
             std::move(evidence))
      .severity = told->severity;
}

constexpr Check stack_table[] = {
    {"stack-mixed", Severity::warning, "Modules of the kernel and programs of OFED are mixed",
     "MLNX_OFED and DOCA-OFED bring modules and libraries of their own, which fit each other. With one half of the one and "
     "one half of the other, libibverbs finds no device or another ABI version, or options of modules do not exist. "
     "Signs are the module mlx_compat, openibd, and on Debian and its kin the version of the package libibverbs1, which "
     "has mlnx in it where it is OFED's; with rpm, the same version in the name of the directory of its documents below "
     "/usr/share/doc, where that name has a version.",
     look_for_stacks},
};

// A record keeps the library's package.
Kept keep_library(const FileToKeep& file) {
  std::string kept;
  for (const auto paragraph : paragraphs_of_library(file.text))
    kept += fmt::format("Package: {}\nStatus: {}\nVersion: {}\n\n", library, value_of(paragraph, "Status:"),
                        value_of(paragraph, "Version:"));
  return kept_part(kept);
}

FilePlaces stack_places() {
  FilePlaces places{{std::string(installed_packages), keep_library}};
  for (const std::string_view package : rpm_packages)
    places.push_back(presence(fmt::format("{}/{}-*/{}", documents, package, library_page)));
  return places;
}

}  // namespace

const CheckFamily stack_checks{stack_table, stack_places};

}  // namespace rdmastate::doctor
