// SPDX-License-Identifier: Apache-2.0
#include "sections/modules.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file.hpp"
#include "resources/module.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

void check(const Spec& spec, Report& report) {
  if (!spec.modules) return;
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < spec.modules->load.size(); ++i) {
    const auto& name = spec.modules->load[i].value;
    const auto [seen, fresh] = first.emplace(name, i);
    if (!fresh)
      complain(report, fmt::format("modules.load[{}]", i),
               fmt::format("module {} stands at modules.load[{}] already", name, seen->second),
               "name each module once");
  }
}

void expand_modules(const Spec& spec, const Facts&, Backend, Desired& desired, Report&) {
  if (!spec.modules || spec.modules->load.empty()) return;
  const std::string file(common_layout().modules_load);
  std::vector<Values> names;
  for (std::size_t i = 0; i < spec.modules->load.size(); ++i) {
    const ModuleName& name = spec.modules->load[i];
    Wanted one{&module_kind, name.value, State(module_kind, ModuleState{name}), fmt::format("modules.load[{}]", i),
               "",           {}};
    one.twins.push_back({{file_kind.name, file}, TwinForm::line, {}});
    desired.add(std::move(one));
    names.push_back(Values{{{"name", name.value}}});
  }
  const Template text("modules-load.conf", escape_line);
  Wanted conf{&file_kind,     file, State(file_kind, regular_file(text.render({{{"modules", names}}}))),
              "modules.load", "",   {}};
  desired.add(std::move(conf));
}

// Nothing but a configuration or a person loads these: no hardware asks for them.
constexpr std::array asked_for{"ib_ipoib", "ib_umad", "rdma_ucm", "rpcrdma",   "ib_iser",
                               "ib_isert", "ib_srp",  "ib_srpt",  "nvme_rdma", "nvmet_rdma"};

bool adopt_own_file(const Snapshot& snapshot, Adopted& to) {
  const std::string path(common_layout().modules_load);
  const auto text = snapshot.read(path);
  if (!text) return false;
  for (const auto& [number, line] : numbered_lines(*text)) {
    if (line.empty() || line[0] == '#') continue;
    auto& load = to.spec.modules ? to.spec.modules->load : to.spec.modules.emplace().load;
    to.came_from(fmt::format("modules.load[{}]", load.size()), place_of(path, number));
    load.push_back({line});
  }
  return true;
}

void adopt_modules(const Adoption& from, Adopted& to) {
  if (adopt_own_file(from.snapshot, to) || from.snapshot.is_tree()) return;
  for (const char* name : asked_for) {
    if (from.snapshot.module({name}) != ModuleStatus::loaded) continue;
    auto& load = to.spec.modules ? to.spec.modules->load : to.spec.modules.emplace().load;
    to.came_from(fmt::format("modules.load[{}]", load.size()), "it is loaded");
    load.push_back({name});
  }
}

}  // namespace

constinit const Section modules_section{"modules", check, expand_modules, adopt_modules};

}  // namespace rdmastate
