// SPDX-License-Identifier: Apache-2.0
// Checks of the system around RDMA: network namespaces, GPUs whose memory adapters read, PCI bridges between them
// (acs.cpp), and the firewall (firewall.cpp). `table`, at the end, lists the checks.
#include <fmt/format.h>

#include "doctor/acs.hpp"
#include "doctor/firewall.hpp"

namespace rdmastate::doctor {
namespace {

void look_for_namespaces(Examination& look) {
  if (look.facts.devices.empty() || look.snapshot.netns_mode() != NetnsMode::exclusive) return;
  std::vector<Evidence> evidence{{"rdma system", "netns exclusive"}};
  for (const auto& one : look.snapshot.other_namespaces()) evidence.push_back({"network namespace", one});
  look.found({About::host, ""}, "each RDMA device is seen by one network namespace alone",
             "ib_core runs with netns_mode=0, or somebody said `rdma system set netns exclusive`.",
             "Where containers share devices (k8s-rdma-shared-dev-plugin): rdma: {netns: shared}.",
             std::move(evidence));
}

constexpr std::string_view nvidia_version = "/proc/driver/nvidia/version";

void look_for_gpu_memory(Examination& look) {
  if (look.facts.devices.empty() || !look.has_module("nvidia")) return;
  if (look.has_module("nvidia_peermem") || look.has_module("nv_peer_mem")) return;
  const auto version = look.text(std::string(nvidia_version));  // text() itself notes a file that may not be read
  if (!version) return look.unseen(std::string(nvidia_version), "the driver does not show its version");
  if (version->find("Open Kernel Module") != std::string::npos) return;
  look.found({About::host, ""}, "adapters cannot read the memory of this host's NVIDIA GPUs",
             "nvidia_peermem is not loaded, and the driver is not the open one, which hands out dma-buf.",
             "modules: {load: [nvidia_peermem]}; or install the open kernel modules.",
             {{"module nvidia_peermem", "not loaded"},
              {std::string(nvidia_version), version->substr(0, version->find('\n'))}});
}

constexpr Check system_table[] = {
    {"netns-exclusive", Severity::info, "RDMA devices belong to one network namespace each",
     "In the exclusive mode a namespace sees the devices that were moved into it, and the others see nothing: right for SR-IOV "
     "with one function per container, and wrong where containers share a device.",
     look_for_namespaces},
    {"gpu-peer-memory", Severity::warning, "Adapters cannot reach GPU memory directly",
     "GPUDirect RDMA needs nvidia_peermem, or the open NVIDIA modules with dma-buf. Without either NCCL copies through the "
     "host's memory.",
     look_for_gpu_memory},
    {"acs-redirect", Severity::warning, "PCIe bridges send what an adapter and a GPU exchange through the root complex",
     "A PCIe switch can carry what a GPU and an adapter below it exchange by itself. Access Control Services (ACS) of its "
     "ports, with P2P Request Redirect, send it up to the root complex instead, which is slower, and which some processors "
     "do not do at all. It keeps virtual machines apart that have a function each. Looked at are GPUs and adapters of this "
     "host's own drivers that have a bridge in common. The register is in the bridges' configuration space, which root alone "
     "may read (`lspci -vvv`, ACSCtl).",
     look_for_redirect},
    {"roce-port-closed", Severity::warning, "The firewall does not let the packets of software RoCE in",
     "An adapter takes RoCE's packets out before the host's firewall sees them; software RoCE (rxe) gets them from the "
     "network stack, so UDP 4791 has to be open there. Messages to such a device are never answered otherwise. Read are "
     "firewalld's files: a zone that a connection profile of NetworkManager names (connection.zone), and what was changed "
     "until the next reload, stand in none of them. Where nftables.service is active instead, its file is read: it is told "
     "where a chain of the hook input drops all but what surely is no RoCE. Rules of ufw and iptables are not read. "
     "`doctor --active --peer` tries the way.",
     look_for_closed_port},
};

FilePlaces system_places() {
  FilePlaces places = whole_files({nvidia_version});
  append(places, acs_places());
  append(places, firewall_places());
  return places;
}

}  // namespace

const CheckFamily system_checks{system_table, system_places};

}  // namespace rdmastate::doctor
