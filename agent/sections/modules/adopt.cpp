// SPDX-License-Identifier: Apache-2.0
// Adopts section `modules` from the three files that rdmastate wrote: modules to load, modules to block, and options.
#include <fmt/format.h>

#include <array>

#include "base/lines.hpp"
#include "platform/layout.hpp"
#include "sections/modules/modules.hpp"
#include "sections/modules/spec.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

// Modules that no hardware asks for: where one is loaded, a configuration or a person has asked for it.
constexpr std::array asked_for{"ib_ipoib", "ib_umad", "rdma_ucm", "rpcrdma",   "ib_iser",
                               "ib_isert", "ib_srp",  "ib_srpt",  "nvme_rdma", "nvmet_rdma"};

// The section in the adopted spec, made by the first call.
ModulesSection& adopted_to(Adopted& to) { return to.spec.modules ? *to.spec.modules : to.spec.modules.emplace(); }

// Calls `take(line, place)` for each line of a file of rdmastate that is no comment; a line for which it returns false
// is reported as left out. Returns false where the file does not exist.
template <class Take>
bool for_own_lines(const Snapshot& snapshot, std::string_view file, Adopted& to, Take&& take) {
  const std::string path(file);
  const auto text = snapshot.read(path);
  if (!text) return false;
  for (const auto& [number, line] : numbered_lines(*text)) {
    if (line.empty() || line[0] == '#' || take(line, place_of(path, number))) continue;
    to.left_out.push_back(fmt::format("{} does not read as rdmastate wrote it", place_of(path, number)));
  }
  return true;
}

// The text as a Name; nullopt where a spec would refuse it.
template <class Name>
std::optional<Name> as_name(std::string_view text) {
  Name name;
  if (Text<Name>::read({text, /*plain=*/false}, name)) return std::nullopt;
  return name;
}

bool adopt_loaded(const Snapshot& snapshot, Adopted& to) {
  const auto take = [&](const std::string& line, const std::string& place) {
    const auto name = as_name<ModuleName>(line);
    if (!name) return false;
    auto& load = adopted_to(to).load;
    to.came_from(fmt::format("modules.load[{}]", load.size()), place);
    load.push_back(*name);
    return true;
  };
  return for_own_lines(snapshot, common_layout().modules_load, to, take);
}

// Of the two lines per module, `blacklist` gives its name, and `install` repeats it.
void adopt_blocked(const Snapshot& snapshot, Adopted& to) {
  constexpr std::string_view word = "blacklist ";
  for_own_lines(snapshot, common_layout().modules_block, to, [&](const std::string& line, const std::string& place) {
    if (!line.starts_with(word)) return line.starts_with("install ");
    const auto name = as_name<ModuleName>(line.substr(word.size()));
    if (!name) return false;
    auto& block = adopted_to(to).block;
    to.came_from(fmt::format("modules.block[{}]", block.size()), place);
    block.push_back(*name);
    return true;
  });
}

void adopt_options(const Snapshot& snapshot, Adopted& to) {
  constexpr std::string_view word = "options ";
  for_own_lines(snapshot, common_layout().modules_options, to, [&](const std::string& line, const std::string& place) {
    const std::size_t gap = line.find(' ', word.size());
    const std::size_t equals = line.find('=', word.size());
    if (!line.starts_with(word) || equals == std::string::npos || gap > equals) return false;
    const auto module = as_name<ModuleName>(line.substr(word.size(), gap - word.size()));
    const auto parameter = as_name<ParameterName>(line.substr(gap + 1, equals - gap - 1));
    if (!module || !parameter || printable(line) != line) return false;
    to.came_from(option_path(*module, *parameter), place);
    adopted_to(to).options[*module][*parameter] = {line.substr(equals + 1)};
    return true;
  });
}

}  // namespace

// Where rdmastate has no file of modules to load, those of `asked_for` that are loaded are adopted.
void adopt_modules(const Adoption& from, Adopted& to) {
  adopt_blocked(from.snapshot, to);
  adopt_options(from.snapshot, to);
  if (adopt_loaded(from.snapshot, to) || from.snapshot.is_tree()) return;
  for (const char* name : asked_for) {
    if (from.snapshot.module({name}) != ModuleStatus::loaded) continue;
    auto& load = adopted_to(to).load;
    to.came_from(fmt::format("modules.load[{}]", load.size()), "it is loaded");
    load.push_back({name});
  }
}

}  // namespace rdmastate
