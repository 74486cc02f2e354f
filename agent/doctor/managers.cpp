// SPDX-License-Identifier: Apache-2.0
// The checks of subnet managers that run on this host: whether the ports that they run on show it, and who is the
// master. A unit of one port (Debian's opensm@GUID.service) is judged by that port, by its process and by the nodes
// that it holds. The main process of opensm.service elsewhere is a launcher, whose OpenSMs run on any port.
#include <fmt/format.h>

#include <algorithm>

#include "doctor/examination.hpp"
#include "host/units.hpp"
#include "platform/opensm.hpp"
#include "resources/opensm_ports.hpp"
#include "resources/rdma_nodes.hpp"

namespace rdmastate::doctor {
namespace {

/// A port of this host that OpenSM can run on.
struct ManagedPort {
  const RdmaDevice* device = nullptr;
  const RdmaPort* port = nullptr;
  std::string path() const { return sysfs_of(*device, *port); }
  std::string name() const { return subject_of(*device, *port).name; }
};

std::vector<ManagedPort> infiniband_ports(Examination& look) {
  std::vector<ManagedPort> ports;
  for (const auto& device : look.facts.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::infiniband) ports.push_back({&device, &port});
  return ports;
}

/// An OpenSM that runs.
struct RunningSm {
  std::string unit;
  const UnitLook* look = nullptr;
  std::vector<ManagedPort> ports;  ///< that it may run on
  bool is_of_one_port = false;
};

std::vector<RunningSm> managers(Examination& look) {
  const auto ports = infiniband_ports(look);
  std::vector<RunningSm> found;
  if (ports.empty() || !look.has_systemd()) return found;
  for (const auto& unit : look.snapshot.services()) {
    const UnitLook* now = unit.starts_with("opensm") ? look.snapshot.unit(unit) : nullptr;
    if (now == nullptr || !now->active) continue;
    RunningSm manager{unit, now, ports, unit.find('@') != std::string::npos};
    if (manager.is_of_one_port)
      std::erase_if(manager.ports,
                    [&](const ManagedPort& one) { return opensm_unit_on(one.port->guid.value) != unit; });
    found.push_back(std::move(manager));
  }
  // Debian's opensm.service has no process of its own: it has started the units of ports.
  if (std::any_of(found.begin(), found.end(), [](const RunningSm& one) { return one.is_of_one_port; }))
    std::erase_if(found, [](const RunningSm& one) { return !one.is_of_one_port; });
  return found;
}

// --- second-subnet-manager

Evidence lids_of(const ManagedPort& one) {
  return {one.path() + "sm_lid", fmt::format("{}, and lid {}", one.port->sm_lid, one.port->lid)};
}

bool has_master(const ManagedPort& one) { return one.port->is_active() && one.port->sm_lid != 0; }

// A port's subnet manager runs on this host where its LID is one of this host's own.
void look_for_second_manager(Examination& look) {
  const auto ports = infiniband_ports(look);
  const auto is_here = [&](const ManagedPort& one) {
    return std::any_of(ports.begin(), ports.end(),
                       [&](const ManagedPort& other) { return other.port->lid == one.port->sm_lid; });
  };
  if (std::none_of(ports.begin(), ports.end(),
                   [&](const ManagedPort& one) { return has_master(one) && !is_here(one); }))
    return;
  for (const auto& manager : managers(look)) {
    std::vector<Evidence> evidence;
    bool is_second = false;
    bool is_master = false;
    for (const auto& one : manager.ports) {
      if (!has_master(one)) continue;
      evidence.push_back(lids_of(one));
      (is_here(one) ? is_master : is_second) = true;
    }
    if (!is_second || is_master) continue;
    evidence.push_back({"systemd: " + manager.unit, "active"});
    look.found(
        {About::service, manager.unit}, "a subnet manager runs here, and another host's is the master",
        "Debian's package starts one on every port when it is installed; or this host is meant as the standby.",
        "Where it is not meant: subnet_manager: {run: false}. As a standby give it a lower priority than the master's: "
        "subnet_manager.instances.priority.",
        std::move(evidence));
  }
}

// --- opensm-lost-port

// Notes as unseen which nodes the process holds, where this user may not see it: that takes root.
void note_hidden_nodes(Examination& look, const RunningSm& manager) {
  const std::uint32_t pid = manager.look->main_pid;
  if (pid != 0 && !rdma_nodes_of(look.snapshot, pid))
    look.unseen(fmt::format("/proc/{}/fd", pid), std::string(look.snapshot.who_sees()));
}

void look_for_lost_port(Examination& look) {
  for (const auto& manager : managers(look)) {
    if (!manager.look->lost_device) {
      note_hidden_nodes(look, manager);
      continue;
    }
    look.found(
        {About::service, manager.unit}, "OpenSM runs, and manages nothing: the device nodes that it holds are gone",
        "The adapter's driver was loaded again, or the adapter was reset, and OpenSM does not notice.",
        fmt::format("`systemctl restart {}`; with subnet_manager in a spec `rdmastate apply` does it.", manager.unit),
        {{fmt::format("/proc/{}/fd", manager.look->main_pid), "a link to /dev/infiniband ends in (deleted)"}});
  }
}

// --- opensm-not-announced

// Whether the port's capability mask has IsSM; nullopt: no mask is shown.
std::optional<bool> is_announced(Examination& look, const ManagedPort& one) {
  return announces_manager(look.snapshot, *one.device, *one.port);
}

// "issm0": the port's node; empty: ib_umad shows none.
std::string node_of(Examination& look, const ManagedPort& one) {
  const std::string directory = "/sys/class/infiniband_mad";
  for (const auto& name : look.names(directory)) {
    const std::string path = directory + "/" + name + "/";
    if (name.starts_with("issm") && look.text(path + "ibdev") == one.device->name &&
        look.number(path + "port") == one.port->number)
      return name;
  }
  return "";
}

// The port and the process, as evidence; `nodes` of rdma_nodes_of().
std::vector<Evidence> shown(Examination& look, const RunningSm& manager,
                            const std::optional<std::vector<std::string>>& nodes) {
  std::vector<Evidence> all;
  for (const auto& one : manager.ports) {
    all.push_back({one.path() + "cap_mask", look.text(one.path() + "cap_mask").value_or("")});
    all.push_back(lids_of(one));
  }
  if (nodes)
    all.push_back({fmt::format("/proc/{}/fd", manager.look->main_pid),
                   nodes->empty() ? "no node of /dev/infiniband" : fmt::format("{}", fmt::join(*nodes, ", "))});
  return all;
}

constexpr const char* restart = "Read its log (/var/log/opensm*.log); then `systemctl restart {}`.";

// No port that it may run on says that a subnet manager is there, although the links are up.
void look_at_masks(Examination& look, const RunningSm& manager) {
  constexpr std::uint32_t phys_link_up = 5;  // ib_port_phys_state, include/rdma/ib_verbs.h
  std::string names;
  for (const auto& one : manager.ports) {
    if (one.port->phys_state != phys_link_up) continue;
    if (is_announced(look, one).value_or(true)) return;
    names += (names.empty() ? "" : ", ") + one.name();
  }
  if (names.empty()) return;
  const auto nodes = manager.is_of_one_port ? rdma_nodes_of(look.snapshot, manager.look->main_pid) : std::nullopt;
  look.found(
      {About::service, manager.unit},
      fmt::format("OpenSM runs, and IsSM is not set in the capability mask of {}", names),
      "Nobody holds the port's /dev/infiniband/issm node: another program held it when OpenSM started (ERR 5431 in its "
      "log), OpenSM has not bound to the port, which takes some seconds, or the driver refused to set IsSM.",
      fmt::format(restart, manager.unit), shown(look, manager, nodes));
}

// The port says that a subnet manager is there, and it is not this one: one program at a time holds the node.
void look_at_nodes(Examination& look, const RunningSm& manager) {
  const auto nodes = rdma_nodes_of(look.snapshot, manager.look->main_pid);
  note_hidden_nodes(look, manager);
  if (!nodes || manager.ports.size() != 1 || is_announced(look, manager.ports[0]) != true) return;
  const std::string node = node_of(look, manager.ports[0]);
  if (node.empty() || std::find(nodes->begin(), nodes->end(), node) != nodes->end()) return;
  look.found({About::service, manager.unit},
             fmt::format("OpenSM runs on {}, and another program holds that port's {}", manager.ports[0].name(), node),
             "The other program opened the node first. OpenSM then manages without it, and only its log says so (ERR "
             "5431). It is not a second OpenSM: that one cannot bind to the port, and ends.",
             fmt::format("`fuser -v /dev/infiniband/{}` names the other one: end it, then `systemctl restart {}`.",
                         node, manager.unit),
             shown(look, manager, nodes));
}

void look_for_announcement(Examination& look) {
  for (const auto& manager : managers(look)) {
    if (manager.look->main_pid == 0 || manager.look->lost_device) continue;
    look_at_masks(look, manager);
    if (manager.is_of_one_port) look_at_nodes(look, manager);
  }
}

constexpr Check manager_table[] = {
    {"second-subnet-manager", Severity::warning, "A subnet manager runs here while another host's is the master",
     "An InfiniBand fabric has one master; others stand by and take over by priority. A second one that nobody meant takes "
     "over when the first restarts, with its own partitions file: hosts then lose their partitions.",
     look_for_second_manager},
    {"opensm-lost-port", Severity::error, "OpenSM runs, and has lost its port",
     "When an adapter's driver is loaded again, its device nodes are made anew. OpenSM goes on with those that are gone: "
     "systemd shows it active, and it answers nobody, so that ports stay in INIT and nobody new joins. What a process "
     "holds is seen by root.",
     look_for_lost_port},
    {"opensm-not-announced", Severity::warning, "OpenSM runs on a port that does not announce it",
     "OpenSM holds /dev/infiniband/issmN of its port open, and as long as it does the kernel sets IsSM in the port's "
     "capability mask (bit 1, `cap_mask` in sysfs). Other subnet managers look for each other by that bit: without it two of "
     "them can be masters of one fabric. One program at a time holds the node. Which program holds what is seen by root; of "
     "opensm.service outside of Debian, which starts its OpenSMs itself, the ports' masks alone are judged.",
     look_for_announcement},
};

FilePlaces manager_places() {
  FilePlaces all = whole_files({"/sys/class/infiniband_mad/*/ibdev", "/sys/class/infiniband_mad/*/port"});
  append(all, opensm_port_places());
  return all;
}

}  // namespace

const CheckFamily manager_checks{manager_table, manager_places};

}  // namespace rdmastate::doctor
