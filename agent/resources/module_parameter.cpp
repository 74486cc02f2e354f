// SPDX-License-Identifier: Apache-2.0
#include "resources/module_parameter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "host/parameter_value.hpp"

namespace rdmastate {
namespace {

// What the kernel prints for a string that is not set; written back, it would set the string to this text.
constexpr std::string_view no_string = "(null)";

// A parameter, as the key names it.
struct ModuleAndName {
  ModuleName module;
  ParameterName parameter;
};

ModuleAndName name_from(const std::string& key) {
  const std::size_t blank = key.find(' ');
  return {{key.substr(0, blank)}, {key.substr(blank + 1)}};
}

const std::string& value_of(const State& state) { return state.as<ModuleParameterState>().value; }

bool is_in_kernel(ModuleStatus status) { return status == ModuleStatus::loaded || status == ModuleStatus::builtin; }

// Observes a parameter of a module that is loaded or built in.
Observation seen(const Snapshot& snapshot, const ModuleAndName& name) {
  const auto now = snapshot.parameter(name.module, name.parameter);
  if (!now) return Absent{};
  if (!now->value)
    return Unseen{fmt::format("the kernel does not show what {} of module {} is: it takes it when it loads the module",
                              name.parameter.value, name.module.value)};
  return State(module_parameter_kind, ModuleParameterState{name.module, name.parameter, *now->value});
}

Observation module_parameter_observe(const Snapshot& snapshot, const std::string& key) {
  const ModuleAndName name = name_from(key);
  if (!is_in_kernel(snapshot.module(name.module))) return Absent{};
  try {
    return seen(snapshot, name);
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    return Unseen{
        fmt::format("the kernel tells only root what {} of module {} is", name.parameter.value, name.module.value)};
  }
}

// Why no step can set the parameter, as a sentence: the running kernel has no such module or parameter. Empty: it has
// both. Another kernel may have them, so this is no Gap::never.
std::string why_missing(const Scene& scene, const ModuleAndName& name) {
  const ModuleStatus status = scene.snapshot.module(name.module);
  if (status == ModuleStatus::missing)
    return fmt::format(
        "the running kernel {} has no module {}: install the package with its modules, or take its options out",
        scene.facts.kernel, name.module.value);
  if (!scene.snapshot.parameter(name.module, name.parameter))
    return fmt::format("module {} of the running kernel {} has no parameter {}: modinfo -p {} prints those that it has",
                       name.module.value, scene.facts.kernel, name.parameter.value, name.module.value);
  return {};
}

// The gap where the value differs: a step for a parameter that root may write, else pending or blocked.
Gap differing(const Scene& scene, const ModuleAndName& name, const State& wanted, const State& present) {
  Gap gap;
  const std::string& now = value_of(present);
  const auto parameter = scene.snapshot.parameter(name.module, name.parameter);
  if (!takes_value(now, value_of(wanted))) {
    gap.blocked = fmt::format("module {} takes no {} for {}, which is {} now: write a value of that kind",
                              name.module.value, value_of(wanted), name.parameter.value, now);
    gap.never.emplace();  // with it in modprobe.d the kernel would not load the module at the next boot (EINVAL)
  } else if (parameter && parameter->writable && now != no_string) {
    const std::string to = printed_like(now, value_of(wanted));
    gap.move = Gap::Move{present, State(module_parameter_kind, ModuleParameterState{name.module, name.parameter, to})};
  } else if (scene.snapshot.module(name.module) == ModuleStatus::builtin) {
    gap.blocked = fmt::format(
        "module {} is built into the running kernel {}, which takes its options from the kernel's command line alone: put "
        "{}.{}={} there",
        name.module.value, scene.facts.kernel, name.module.value, name.parameter.value, value_of(wanted));
  } else {
    gap.pending = {
        fmt::format(
            "module {} takes {} only when it is loaded, and runs with {}: this waits for the next boot, or until it is loaded "
            "anew",
            name.module.value, name.parameter.value, now),
        Until::reboot};
  }
  return gap;
}

// A module that is not loaded is no difference: it takes the value from modprobe.d when it is loaded.
Gap module_parameter_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  Gap gap;
  if (wanted == nullptr) return gap;
  const ModuleAndName name = name_from(key);
  gap.blocked = why_missing(scene, name);
  const State* present = state_of(observed);
  if (!gap.blocked.empty() || present == nullptr || is_value(value_of(*present), value_of(*wanted))) return gap;
  return differing(scene, name, *wanted, *present);
}

std::vector<Ref> module_parameter_needs(const std::string&, const State*) { return {}; }

void module_parameter_move(Tools& tools, const std::string& key, const State*, const State* to) {
  if (to == nullptr) throw Error(fmt::format("a module's parameter is never without a value: {}", key));
  const ModuleAndName name = name_from(key);
  tools.host.modules->set_parameter(name.module, name.parameter, value_of(*to));
}

std::string module_parameter_title(const std::string& key, const State*) { return key; }

}  // namespace

constinit const Kind module_parameter_kind = [] {
  Kind kind = kind_of<ModuleParameterState>("module_parameter");
  kind.rank = 23;  // after modules (20)
  kind.observe = module_parameter_observe;
  kind.gap = module_parameter_gap;
  kind.needs = module_parameter_needs;
  kind.move = module_parameter_move;
  kind.title = module_parameter_title;
  return kind;
}();

std::string module_parameter_key(const ModuleName& module, const ParameterName& parameter) {
  return fmt::format("{} {}", module.value, parameter.value);
}

}  // namespace rdmastate
