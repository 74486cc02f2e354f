// SPDX-License-Identifier: Apache-2.0
// The Section `modules`: its expand(), adopt() and places(). It has three files: modules to load, modules to block, and
// options. expand() makes each with an add_...() and adopt() reads each with an adopt_...().
#include "sections/modules/spec.hpp"

#include <fmt/format.h>

#include <array>

#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/module.hpp"
#include "resources/module_block.hpp"
#include "resources/module_parameter.hpp"
#include "sections/modules/check.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

// The text of a file by the template `name`: `list` is the name of the part that stands once for each of `values`.
std::string file_text_of(std::string_view name, const std::string& list, std::vector<Values> values) {
  return Template(name, escape_line).render({{{list, std::move(values)}}});
}

// `path` is that of the file, `from` that of the spec.
void add_file(std::string_view path, std::string text, std::string from, Desired& desired) {
  desired.add({&file_kind, std::string(path), State(file_kind, regular_file(std::move(text))), std::move(from)});
}

// A line of the file at `path` as a twin.
Twin line_twin(std::string_view path, std::string line) {
  return {{file_kind.name, std::string(path)}, TwinForm::line, /*fields=*/{}, std::move(line)};
}

void add_loaded(const ModulesSection& modules, Desired& desired) {
  const auto file = common_layout().modules_load;
  std::vector<Values> names;
  for (std::size_t i = 0; i < modules.load.size(); ++i) {
    const ModuleName& name = modules.load[i];
    desired.add({&module_kind,
                 name.value,
                 State(module_kind, ModuleState{name}),
                 fmt::format("modules.load[{}]", i),
                 /*awaited_from=*/"",
                 {line_twin(file, name.value)}});
    names.push_back(Values{{{"name", name.value}}});
  }
  if (!names.empty()) add_file(file, file_text_of("modules-load.conf", "modules", names), "modules.load", desired);
}

// Every distribution has /bin/false, with /usr merged or not. Where it is missing, as in an initrd, the line `install`
// fails too, and the module is not loaded.
void add_blocked(const ModulesSection& modules, Desired& desired) {
  const auto file = common_layout().modules_block;
  std::vector<Values> names;
  for (std::size_t i = 0; i < modules.block.size(); ++i) {
    const ModuleName& name = modules.block[i];
    desired.add({&module_block_kind,
                 name.value,
                 State(module_block_kind, ModuleBlockState{name}),
                 fmt::format("modules.block[{}]", i),
                 /*awaited_from=*/"",
                 {line_twin(file, "install " + name.value + " /bin/false")}});
    names.push_back(Values{{{"name", name.value}}});
  }
  if (!names.empty()) add_file(file, file_text_of("modules-block.conf", "modules", names), "modules.block", desired);
}

// One line for each parameter: modprobe joins the lines of a module, and each line is the twin of its own parameter.
void add_options(const ModulesSection& modules, Desired& desired) {
  const auto file = common_layout().modules_options;
  std::vector<Values> options;
  for (const auto& [module, parameters] : modules.options)
    for (const auto& [parameter, value] : parameters) {
      desired.add({&module_parameter_kind,
                   module_parameter_key(module, parameter),
                   State(module_parameter_kind, ModuleParameterState{module, parameter, value.value}),
                   option_path(module, parameter),
                   /*awaited_from=*/"",
                   {line_twin(file, fmt::format("options {} {}={}", module.value, parameter.value, value.value))}});
      options.push_back(Values{{{"module", module.value}, {"parameter", parameter.value}, {"value", value.value}}});
    }
  if (!options.empty())
    add_file(file, file_text_of("modules-options.conf", "options", options), "modules.options", desired);
}

void expand_modules(const Spec& spec, const Facts& facts, Backend, Desired& desired, Report& report) {
  check_ofed(spec, facts, report);
  if (!spec.modules) return;
  add_loaded(*spec.modules, desired);
  add_blocked(*spec.modules, desired);
  add_options(*spec.modules, desired);
}

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

FilePlaces places() {
  const Layout& layout = common_layout();
  return whole_files({layout.modules_load, layout.modules_block, layout.modules_options});
}

}  // namespace

constinit const Section modules_section{"modules", check_modules, expand_modules, adopt_modules, places};

}  // namespace rdmastate
