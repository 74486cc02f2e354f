// SPDX-License-Identifier: Apache-2.0
// The Section `modules`: its expand() and modules_places(). It has three files: modules to load, modules to block, and
// options. expand() makes each with an add_...(), and adopt.cpp reads each with an adopt_...().
#include "sections/modules/spec.hpp"

#include <fmt/format.h>

#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/module.hpp"
#include "resources/module_block.hpp"
#include "resources/module_parameter.hpp"
#include "sections/modules/modules.hpp"
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

FilePlaces modules_places() {
  const Layout& layout = common_layout();
  return whole_files({layout.modules_load, layout.modules_block, layout.modules_options});
}

}  // namespace

constinit const Section modules_section{"modules", check_modules, expand_modules, adopt_modules, modules_places};

}  // namespace rdmastate
