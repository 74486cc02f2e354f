// SPDX-License-Identifier: Apache-2.0
// check_modules() judges `load`, then `block` (check_blocked: nothing that the spec needs, by itself or through the
// dependencies of a module, may be blocked), then each value of `options` (check_value, check_clash).
#include "sections/modules/modules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <map>

#include "base/ascii.hpp"
#include "resources/bond/bond.hpp"
#include "resources/roce_port.hpp"
#include "resources/soft_device.hpp"
#include "resources/virtual_functions/virtual_functions.hpp"

namespace rdmastate {
namespace {

using ModuleNames = std::vector<ModuleName>;

// A module's name, and another module that this name stands for (aliases) or that the module needs (dependencies).
struct Pair {
  std::string_view name;
  std::string_view other;
};

// MODULE_ALIAS()es of net/sunrpc/xprtrdma/module.c: modprobe knows them, /sys/module and modprobe.d's options do not.
constexpr std::array aliases{Pair{"xprtrdma", "rpcrdma"}, Pair{"svcrdma", "rpcrdma"}, Pair{"rpcrdma6", "rpcrdma"}};

// Which module cannot be loaded without which other one, as depmod finds it in Debian's Linux 6.1.
constexpr std::array dependencies{
    Pair{"ib_ipoib", "ib_cm"},   Pair{"ib_ipoib", "ib_core"},   Pair{"ib_cm", "ib_core"},
    Pair{"iw_cm", "ib_core"},    Pair{"rdma_cm", "ib_cm"},      Pair{"rdma_cm", "iw_cm"},
    Pair{"rdma_ucm", "rdma_cm"}, Pair{"rdma_ucm", "ib_uverbs"}, Pair{"ib_uverbs", "ib_core"},
    Pair{"ib_umad", "ib_core"},  Pair{"rpcrdma", "rdma_cm"},    Pair{"rpcrdma", "sunrpc"},
    Pair{"ib_iser", "rdma_cm"},  Pair{"ib_isert", "rdma_cm"},   Pair{"ib_srp", "ib_cm"},
    Pair{"ib_srpt", "rdma_cm"},  Pair{"nvme_rdma", "rdma_cm"},  Pair{"nvmet_rdma", "rdma_cm"},
    Pair{"rds_rdma", "rdma_cm"}, Pair{"rdma_rxe", "ib_core"},   Pair{"rdma_rxe", "ib_uverbs"},
    Pair{"siw", "ib_core"},      Pair{"mlx4_ib", "mlx4_core"},  Pair{"mlx5_ib", "mlx5_core"}};

std::string real_name(const std::string& name) {
  const auto found = std::find_if(aliases.begin(), aliases.end(), [&](const Pair& one) { return one.name == name; });
  return found == aliases.end() ? name : std::string(found->other);
}

struct Need {
  std::string path;    ///< the part of the spec that needs the module
  std::string module;  ///< the module that depends on it; empty: `path` needs it directly
};

// Adds what the modules need, and what these need in turn, until nothing is added.
void add_dependencies(std::map<std::string, Need>& needed) {
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, other] : dependencies)
      if (const auto by = needed.find(std::string(name)); by != needed.end())
        more |= needed.emplace(other, Need{by->second.path, std::string(name)}).second;
  }
}

// The modules that the spec needs, by name, each with the first part of the spec that needs it.
std::map<std::string, Need> needed_modules(const Spec& spec) {
  std::map<std::string, Need> needed;
  const auto add = [&](const std::string& module, std::string path) {
    needed.emplace(module, Need{std::move(path), {}});
  };
  if (spec.modules)
    for (std::size_t i = 0; i < spec.modules->load.size(); ++i)
      add(real_name(spec.modules->load[i].value), fmt::format("modules.load[{}]", i));
  if (spec.rdma && spec.rdma->netns) add("ib_core", "rdma.netns");
  for (std::size_t i = 0; i < spec.soft_devices.size(); ++i)
    add(soft_device_module(spec.soft_devices[i].type), fmt::format("soft_devices[{}]", i));
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) add("ib_ipoib", fmt::format("ipoib[{}]", i));
  for (std::size_t i = 0; i < spec.devices.size(); ++i) {
    const auto& record = spec.devices[i];
    add("ib_core", devices_path(i));
    if (record.match.driver) add(*record.match.driver, devices_path(i, "match.driver"));
    for (const auto& [number, port] : record.ports) {
      const std::string path = devices_path(i, "ports." + to_text(number));
      if (port.sriov && port.sriov->guids) add(std::string(vf_module), path + ".sriov.guids");
      if (port.roce) add(std::string(roce_module), path + ".roce");
    }
  }
  for (std::size_t i = 0; i < spec.bonds.size(); ++i) add(std::string(bond_module), bond_path(i));
  add_dependencies(needed);
  return needed;
}

void check_duplicates(const ModuleNames& names, std::string_view list, Report& report) {
  std::map<std::string, std::size_t> index_by_name;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [earlier, is_new] = index_by_name.emplace(names[i].value, i);
    if (!is_new)
      complain(report, fmt::format("modules.{}[{}]", list, i),
               fmt::format("module {} stands at modules.{}[{}] already", names[i].value, list, earlier->second),
               "name each module once");
  }
}

void check_alias(const ModuleName& name, const std::string& path, Report& report) {
  const std::string real = real_name(name.value);
  if (real != name.value)
    complain(report, path,
             fmt::format("{} is another name of module {}, and modprobe.d goes by a module's own", name.value, real),
             "write " + real);
}

void check_blocked(const Spec& spec, Report& report) {
  const ModuleNames& block = spec.modules->block;
  check_duplicates(block, "block", report);
  const auto needed = needed_modules(spec);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::string path = fmt::format("modules.block[{}]", i);
    check_alias(block[i], path, report);
    const auto need = needed.find(real_name(block[i].value));
    if (need == needed.end()) continue;
    const auto& [where, through] = need->second;
    complain(report, path,
             through.empty()
                 ? fmt::format("module {} is blocked here, and {} needs it", block[i].value, where)
                 : fmt::format("module {} is blocked here, and {} needs it for {}", block[i].value, where, through),
             fmt::format("take it out of block, or {} out of the spec", where));
  }
}

// Why a value cannot stand in modprobe.d as it is and mean the same to the kernel (quotes, what ends a word or a line),
// as the end of a sentence; empty where it can.
std::string why_not_value(const std::string& value) {
  constexpr std::size_t longest = 1023;  // param_set_charp()
  constexpr std::string_view others = "_-.,:;/+=@%*";
  if (value.empty()) return "is empty";
  if (value.size() > longest) return fmt::format("is {} bytes long; the kernel takes {}", value.size(), longest);
  for (const char c : value) {
    const bool fits = ascii::is_one_of(c, others);
    if (!fits && c > ' ' && c < '\x7f') return fmt::format("holds '{}'", c);
    if (!fits) return fmt::format("holds byte \\x{:02x}", static_cast<unsigned char>(c));
  }
  return {};
}

// ipoib_init_module() makes any other size a power of two from `least` to `most`: the module would never have the value
// that the spec says.
void check_queue_size(const std::string& value, unsigned least, const std::string& path, Report& report) {
  constexpr unsigned most = 8192;  // IPOIB_MAX_QUEUE_SIZE
  char* end = nullptr;
  errno = 0;
  const unsigned long given = std::strtoul(value.c_str(), &end, 0);  // 0x and 0 as the kernel reads them
  const auto size = static_cast<unsigned>(std::min(given, 2UL * most));
  if (errno != 0 || end != value.c_str() + value.size() || value.front() == '-') {
    complain(report, path, fmt::format("'{}' is no number of entries", printable(value)),
             "write a power of two such as 512");
  } else if (size < least || size > most || !std::has_single_bit(size)) {
    const unsigned taken = std::clamp(size > most ? most : std::bit_ceil(size), least, most);
    complain(
        report, path,
        fmt::format("ib_ipoib takes a power of two from {} to {}, and would make {} of {}", least, most, taken, value),
        fmt::format("write {}", taken));
  }
}

void check_value(const ModuleName& module, const ParameterName& parameter, const std::string& value, Report& report) {
  const std::string path = option_path(module, parameter);
  if (const std::string why = why_not_value(value); !why.empty())
    return complain(report, path, fmt::format("the value '{}' {}", printable(value), why),
                    "a module's option is one word of letters, digits and _ - . , : ; / + = @ % *");
  if (value == "true" || value == "false")
    return complain(report, path, fmt::format("not every kernel reads '{}' for a module's parameter", value),
                    value == "true" ? "write Y" : "write N");
  if (module.value != "ib_ipoib") return;
  if (parameter.value == "recv_queue_size") check_queue_size(value, /*least=*/2, path, report);  // IPOIB_MIN_QUEUE_SIZE
  if (parameter.value == "send_queue_size") check_queue_size(value, /*least=*/128, path, report);  // 2 * MAX_SEND_CQE
}

// Refuses a parameter that another field of the spec sets.
void check_clash(const Spec& spec, const ModuleName& module, const ParameterName& parameter, Report& report) {
  const std::string name = module.value + " " + parameter.value;
  if (name == "ib_core netns_mode" && spec.rdma && spec.rdma->netns)
    complain(report, option_path(module, parameter), "rdma.netns says what this parameter of ib_core is",
             "take one of them out");
  if (name != "mlx4_core port_type_array") return;
  for (std::size_t i = 0; i < spec.devices.size(); ++i)
    for (const auto& [number, port] : spec.devices[i].ports)
      if (port.link_type)
        return complain(report, option_path(module, parameter),
                        fmt::format("{} says what a port is, and this says it of every mlx4 adapter",
                                    devices_path(i, "ports." + to_text(number) + ".link_type")),
                        "take one of them out");
}

void check_options(const Spec& spec, Report& report) {
  const auto& block = spec.modules->block;
  for (const auto& [module, parameters] : spec.modules->options) {
    const std::string path = "modules.options." + module.value;
    check_alias(module, path, report);
    if (parameters.empty()) complain(report, path, "names no parameter", "leave the module out, or give one");
    if (const auto blocked = std::find(block.begin(), block.end(), module); blocked != block.end())
      complain(report, path,
               fmt::format("module {} is never loaded: modules.block[{}]", module.value, blocked - block.begin()),
               "take one of them out");
    for (const auto& [parameter, value] : parameters) {
      check_value(module, parameter, value.value, report);
      check_clash(spec, module, parameter, report);
    }
  }
}

}  // namespace

std::string option_path(const ModuleName& module, const ParameterName& parameter) {
  return fmt::format("modules.options.{}.{}", module.value, parameter.value);
}

void check_modules(const Spec& spec, Report& report) {
  if (!spec.modules) return;
  check_duplicates(spec.modules->load, "load", report);
  check_blocked(spec, report);
  check_options(spec, report);
}

}  // namespace rdmastate
