// SPDX-License-Identifier: Apache-2.0
// The checks of daemons: the NFS server, the port mapper, what sets node descriptions, and how much
// memory services and logins let programs pin (limits.cpp).
#include <fmt/format.h>

#include "doctor/limits.hpp"
#include "host/nfs_claims.hpp"
#include "host/nfsd.hpp"
#include "host/units.hpp"

namespace rdmastate::doctor {
namespace {

bool is_active(Examination& look, const std::string& unit) {
  const UnitLook* found = look.snapshot.unit(unit);
  return found != nullptr && found->active;
}

// --- nfs-listener-missing

void look_for_listener(Examination& look) {
  const auto port = rdma_port_of(look.facts.nfs_settings);
  const NfsdState* server = port ? look.snapshot.nfsd() : nullptr;
  if (server == nullptr || server->threads == 0) return;
  if (std::find(server->listeners.begin(), server->listeners.end(), NfsListener{"rdma", *port}) !=
      server->listeners.end())
    return;
  std::string listeners;
  for (const auto& one : server->listeners) listeners += (listeners.empty() ? "" : ", ") + listener_text(one);
  look.found(
      {About::service, "nfs-server.service"}, fmt::format("it is to listen for RDMA on port {}, and does not", *port),
      "The server was started before its configuration said so, or svcrdma is not there, or nfsdctl (nfs-utils 2.8) "
      "met the old form rdma=20049, which it does not take.",
      fmt::format("nfs: {{server: {{rdma_port: {}, run: true}}}}; or `systemctl restart nfs-server`.", *port),
      {{"/proc/fs/nfsd/portlist", listeners}, {"/proc/fs/nfsd/threads", std::to_string(server->threads)}});
}

// --- iwpmd-missing

void look_for_mapper(Examination& look) {
  for (const auto& device : look.facts.devices) {
    if (!look.speaks_iwarp(device)) continue;
    if (!look.has_systemd() || is_active(look, "iwpmd.service")) return;
    look.found(
        {About::device, device.name}, "the device speaks iWARP, and iwpmd does not run",
        "rdma-core's port mapper is not installed or not enabled.",
        "Install and enable it where programs listen by TCP and by iWARP on the same port: `systemctl enable --now iwpmd`.",
        {{sysfs_of(device) + "node_type", "RNIC"}, {"systemd: iwpmd.service", "not active"}});
  }
}

// --- node-description-unset

/// Why a node description does not name the host, and what to do.
struct Reason {
  const char* cause;
  const char* fix;
};

constexpr const char* start_rdma_ndd =
    "Install rdma-core, which brings it (SUSE has a package rdma-ndd); then `systemctl start rdma-ndd`.";

Reason why_description_is_other(Examination& look) {
  if (!look.has_systemd())
    return {"Whether rdma-ndd, which sets it, runs is not known.",
            "Look whether rdma-ndd runs, which rdma-core brings; if it does, look at its RDMA_NDD_ND_FORMAT."};
  if (is_active(look, "rdma-ndd.service"))
    return {"rdma-ndd runs with another format.", "Look at RDMA_NDD_ND_FORMAT of rdma-ndd.service."};
  return {"rdma-ndd, which sets it, does not run.", start_rdma_ndd};
}

/// The node description of an InfiniBand adapter.
struct Description {
  const RdmaDevice* device = nullptr;
  std::string path;
  std::string text;
};

std::vector<Description> descriptions(Examination& look) {
  std::vector<Description> all;
  for (const auto& device : look.facts.devices) {
    const bool infiniband = std::any_of(device.ports.begin(), device.ports.end(),
                                        [](const RdmaPort& port) { return port.link_layer == LinkLayer::infiniband; });
    const std::string path = sysfs_of(device) + "node_desc";
    const auto text = infiniband ? look.text(path) : std::nullopt;
    if (text) all.push_back({&device, path, *text});
  }
  return all;
}

constexpr const char* hostname_path = "/proc/sys/kernel/hostname";

// Up to the first dot; empty: the host has no name yet.
std::string short_hostname(Examination& look) {
  const std::string name = look.text(hostname_path).value_or("");
  return name == "(none)" ? "" : name.substr(0, name.find('.'));
}

bool names(const Description& one, const std::string& host) { return one.text.find(host) != std::string::npos; }

Evidence evidence_of(const Description& one) { return {one.path, one.text}; }

void look_for_description(Examination& look) {
  const std::string host = short_hostname(look);
  if (host.empty()) return;
  for (const auto& one : descriptions(look)) {
    if (names(one, host)) continue;
    const auto [cause, fix] = why_description_is_other(look);
    look.found({About::device, one.device->name},
               fmt::format("its node description \"{}\" does not name this host", one.text), cause, fix,
               {evidence_of(one), {hostname_path, look.text(hostname_path).value_or("")}});
  }
}

// --- rdma-ndd-missing

// Where a description does not name the host, node-description-unset tells of rdma-ndd. OFED's openibd sets
// descriptions itself.
void look_for_describer(Examination& look) {
  const std::string host = short_hostname(look);
  if (host.empty() || look.facts.stack == "ofed") return;
  const auto all = descriptions(look);
  const bool all_right = std::all_of(all.begin(), all.end(), [&](const Description& one) { return names(one, host); });
  if (all.empty() || !all_right || !look.has_systemd() || is_active(look, "rdma-ndd.service")) return;
  look.found({About::service, "rdma-ndd.service"}, "it does not run, so a new hostname does not reach the fabric",
             "rdma-core's daemon is not installed, or it stopped after it had set the node descriptions.",
             start_rdma_ndd, {{"systemd: rdma-ndd.service", "not active"}, evidence_of(all.front())});
}

constexpr Check service_table[] = {
    {"nfs-listener-missing", Severity::error, "The NFS server runs without the RDMA listener that its files ask for",
     "nfs.conf says rdma=y, the server's threads run, and /proc/fs/nfsd/portlist has no line rdma: clients with proto=rdma are "
     "refused. Reloading the server does not add a listener; a restart does, and so does rdmastate while it runs.",
     look_for_listener},
    {"iwpmd-missing", Severity::info, "A device speaks iWARP, and the port mapper does not run",
     "iWARP shares TCP's ports. iwpmd maps a port of an RDMA listener to a free one where the same port is in use by TCP. "
     "Without it connections work as long as no port is wanted twice.",
     look_for_mapper},
    {"node-description-unset", Severity::info, "An adapter's node description does not name its host",
     "Tools of the fabric (iblinkinfo, ibnetdiscover, a subnet manager's log) show a host by its adapters' node description, "
     "which rdma-ndd sets to the hostname and the device. Unset it is the adapter's type, and all hosts look alike.",
     look_for_description},
    {"rdma-ndd-missing", Severity::info, "The node descriptions name the host, and rdma-ndd does not run",
     "rdma-ndd sets an adapter's node description when the adapter comes and when the hostname changes. Without it what is "
     "set stays until the driver is loaded again. udev starts it with the first RDMA device. Where OFED is installed, its "
     "openibd sets the descriptions, and nothing is told.",
     look_for_describer},
    {"memlock-low", Severity::warning, "What a service starts, or who logs in, may pin 8 MiB or less",
     "Programs pin the memory that they register with an adapter, up to the limit that they inherit from who starts them. "
     "systemd gives services 8 MiB unless told otherwise, whatever limits.conf says: jobs of slurmd, or containers, then fail "
     "to register memory (ENOMEM), often late. A restart of such a service leaves containers and jobs running, which keep "
     "the limit that they were started with. Of container engines it is information: not all containers use RDMA. A login "
     "has what pam_limits makes of /etc/security/limits.conf and limits.d: a line for a user counts more than one for a "
     "group, and a soft limit is cut to the hard one. What no line says is as process 1 has it on Debian and with `set_all`, "
     "elsewhere as the SSH server has it, which takes no line at all without `UsePAM yes` and pam_limits in its session. "
     "Judged are users whom lines name, and members that /etc/group lists; where no line gives anybody more than 8 MiB, and a "
     "login has no more, that is information.",
     look_for_limits},
};

FilePlaces service_places() {
  FilePlaces places = whole_files({"/sys/class/infiniband/*/node_desc"});
  places.push_back({hostname_path});
  append(places, limits_places());
  return places;
}

}  // namespace

const CheckFamily service_checks{service_table, service_places};

}  // namespace rdmastate::doctor
