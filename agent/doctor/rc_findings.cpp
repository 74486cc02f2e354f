// SPDX-License-Identifier: Apache-2.0
// First the table of the checks, then one function per kind of trouble that makes a finding of it (of_kind() chooses);
// refusal_of() and lost_by() know cause and fix. The functions of the header stand at the end.
#include "doctor/rc_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

#include "base/error.hpp"
#include "base/one_of.hpp"

namespace rdmastate::doctor {
namespace {

// In the order of RcCheck.
constexpr Check rc_table[] = {
    {"rc-tried", Severity::info, "Messages went over a port's reliable connection, both ways",
     "`doctor --active` makes two queue pairs of the type RC on each port that is ACTIVE, connects them and sends a short "
     "message and one of several packets both ways: by LID on InfiniBand, by the best RoCE v2 GID on Ethernet. So adapter, "
     "driver, provider, limit of locked memory and GID work; cable and switch are not on that way. With `--peer HOST` the "
     "other end is a port of a host where `doctor --listen` waits. Ports that were not tried are listed as unseen, with "
     "the reason.",
     nullptr, Looks::sends},
    {"rc-nothing-to-try", Severity::error, "No port could be tried",
     "`doctor --active` and `doctor --listen` were to send messages, and this host or its peer has no port over which they "
     "could: no RDMA device, no port that is ACTIVE, or libibverbs does not open them. A test that tried nothing is no "
     "success, so this is an error; what else doctor finds says why the ports are not ready.",
     nullptr, Looks::sends},
    {"rc-setup", Severity::error, "A queue pair of a port cannot be made or connected",
     "Making or connecting a queue pair needs the device's node (/dev/infiniband/uverbs*), memory that may be locked, the "
     "P_Key in the port's table, and on RoCE the Ethernet address of the far end. The kernel or the provider refused one of "
     "them; the call and its errno are among what was seen.",
     nullptr, Looks::sends},
    {"rc-no-answer", Severity::error, "A port's messages are not answered",
     "A message over a reliable connection was sent several times and never acknowledged, or did not come in time. On RoCE v2 "
     "a firewall that drops UDP 4791, a GID whose address the far end cannot reach, or a VLAN are usual; on InfiniBand a port "
     "that left the fabric, routes that the subnet manager has not made yet, or a partition that a switch enforces.",
     nullptr, Looks::sends},
    {"rc-large-lost", Severity::error, "Short messages arrive, and those of several packets do not",
     "A packet as large as the ports' active MTU is lost on the way while short ones arrive: a switch, a VLAN or a tunnel on "
     "the way takes smaller frames than the hosts send. Storage and MPI then connect and hang. RoCE's packets are up to 74 "
     "bytes longer than its MTU of 1024, 2048 or 4096.",
     nullptr, Looks::sends},
    {"rc-failed", Severity::error, "A message over a reliable connection ended with an error",
     "The adapter ended a send or a receive with a status that says neither done nor unanswered: the far end was not ready, "
     "had broken off, or the adapter met an error of its own. libibverbs' words for it are among what was seen.",
     nullptr, Looks::sends},
    {"rc-bytes-differ", Severity::error, "Other bytes arrive than were sent",
     "A message came, and not with the bytes that were sent. RDMA's checksums make that next to impossible on the wire: "
     "memory, PCIe (ACS, IOMMU), a driver or firmware is at fault, or two hosts run releases of rdmastate that send other "
     "messages.",
     nullptr, Looks::sends},
    {"peer-mtu-differs", Severity::warning, "Two hosts' ports have different active MTUs",
     "A connection takes the smaller MTU of both ports, if the program that makes it asks both sides, as librdmacm does. "
     "Programs that take their own port's MTU lose every full packet. On RoCE the active MTU follows the network device's; "
     "on InfiniBand port, switch and the partition's group decide.",
     nullptr, Looks::meets},
    {"peer-roce-differs", Severity::error, "Two hosts' ports have no RoCE version in common",
     "RoCE v1 (an Ethernet type of its own) and v2 (UDP 4791) do not understand each other. One port has GIDs of one version "
     "alone, and its peer of the other: both need a GID of the same version.",
     nullptr, Looks::meets},
    {"peer-partition-differs", Severity::error, "Two hosts' ports have no partition in which they can talk",
     "Two ports talk where both have a P_Key with the same lower 15 bits and at least one of them is a full member (bit 15 "
     "set): two limited members cannot talk. The subnet manager gives ports their P_Keys.",
     nullptr, Looks::meets},
    {"peer-no-counterpart", Severity::error, "A port has no counterpart on the peer",
     "Each port is tried with one of the peer that has the same link layer and, on InfiniBand, the same subnet prefix. Where "
     "the peer has none there is nothing to try. It is information where other ports of the hosts were tried.",
     nullptr, Looks::meets},
    {"peer-broke-off", Severity::error, "The conversation with a peer ended before all ports were tried",
     "Both sides of `--peer` and `--listen` say over TCP which ports they have, and how each step of a connection went. The "
     "peer closed that conversation, did not answer in time, or said what rdmastate does not say. What was found until then "
     "is told; ports that were left are listed as unseen.",
     nullptr, Looks::meets},
};

FilePlaces rc_places() { return {}; }

Finding finding(RcCheck which, const RcRoute& route, std::string symptom, std::string cause, std::string fix) {
  const Check& check = rc_check(which);
  Finding made{std::string(check.id),
               check.severity,
               route.ours.subject(),
               std::move(symptom),
               std::move(cause),
               std::move(fix),
               {}};
  made.evidence.push_back({"way", fmt::format("{}, packets of at most {} bytes", route.ways, route.mtu)});
  return made;
}

/// Why the kernel refuses a queue pair, and what to do, by errno.
struct QueuePairRefusal {
  std::string cause;
  std::string fix;
};

QueuePairRefusal refusal_of(int number, const RcRoute& route) {
  if (is_one_of(number, {EACCES, EPERM}))
    return {"This user may not open the device's node.", "Look as root, or at the mode of /dev/infiniband/uverbs*."};
  if (is_one_of(number, {ENOMEM, EAGAIN}))
    return {"The limit of locked memory is too low, or the adapter has no queue pairs left.",
            "`ulimit -l` says the limit: memlock: {group: rdma, soft: unlimited, hard: unlimited} raises it; `rdma "
            "resource` says what is in use."};
  if (is_one_of(number, {ENOSYS, EOPNOTSUPP}))
    return {"The device's driver does not let programs do that.", "Install the adapter's own driver and provider."};
  if (route.ours.is_roce() && is_one_of(number, {ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, EDESTADDRREQ}))
    return {"The far end's Ethernet address was not found: nobody answers for its address.",
            "Look at addresses and VLANs of both ports' network devices, and ping the one from the other."};
  return {"Driver, provider or firmware refused it.",
          "`journalctl -k` often says more; install the provider of the same release as the driver."};
}

QueuePairRefusal lost_by(const RcRoute& route) {
  if (route.theirs == nullptr)
    return {
        "The adapter does not give a port its own packets back: its driver, its firmware or the GID's address is at "
        "fault.",
        "`ping` the address of the GID; load the driver anew; look with `ibv_rc_pingpong` between two terminals."};
  if (route.ours.is_roce())
    return {
        "Packets are dropped on the way: a firewall closes UDP 4791, or the two addresses do not reach each other.",
        "Open UDP 4791 on both hosts and between them, and ping the peer's address from this port's network device."};
  return {"The fabric does not bring packets from the one LID to the other, or its switches enforce another partition.",
          "`ibtracert` and `ibping` between the two LIDs; look at the log of the subnet manager."};
}

Finding refused(const Trouble& trouble, const RcRoute& route) {
  const auto why = refusal_of(trouble.number, route);
  return finding(RcCheck::setup, route,
                 route.theirs == nullptr ? "two queue pairs of the port could not be made and connected"
                                         : "a queue pair could not be made and connected with " + route.to_whom(),
                 why.cause, why.fix);
}

Finding unanswered(const RcRoute& route) {
  const auto why = lost_by(route);
  return finding(RcCheck::no_answer, route, "a message to " + route.to_whom() + " was not answered", why.cause,
                 why.fix);
}

Finding large_lost(const RcRoute& route) {
  return finding(RcCheck::large_lost, route,
                 fmt::format("short messages to {} arrive, and those of several packets do not", route.to_whom()),
                 fmt::format("Something on the way takes no packets of {} bytes.", route.mtu),
                 route.ours.is_roce() ? "Raise the MTU of every switch, VLAN and tunnel on the way above that of the "
                                        "hosts' network devices, or lower the hosts'."
                                      : "Look at the MTU of the switches' ports and of the partition's group.");
}

Finding failed(const Trouble& trouble, const RcRoute& route) {
  return finding(RcCheck::failed, route, fmt::format("a message to {} ended badly: {}", route.to_whom(), trouble.said),
                 "The far end broke off, or the adapter met an error.",
                 "Look at the other end's findings, and at `journalctl -k` on both hosts.");
}

Finding bytes_differ(const RcRoute& route) {
  return finding(RcCheck::bytes_differ, route, "what came from " + route.to_whom() + " is not what was sent",
                 "Memory, PCIe, a driver or firmware changes bytes.",
                 "Trust no data of this port: update its firmware, and look at the host's memory and PCIe errors.");
}

Finding of_kind(const Trouble& trouble, const RcRoute& route) {
  switch (trouble.kind) {
    case Trouble::Kind::setup:
      return refused(trouble, route);
    case Trouble::Kind::no_answer:
      return unanswered(route);
    case Trouble::Kind::large_lost:
      return large_lost(route);
    case Trouble::Kind::failed:
      return failed(trouble, route);
    case Trouble::Kind::bytes_differ:
      break;
  }
  return bytes_differ(route);
}

}  // namespace

const Check& rc_check(RcCheck check) { return rc_table[static_cast<std::size_t>(check)]; }

void add_rc_checks(const std::vector<Unlooked>& not_tried, RcLooked looked, Diagnosis& to) {
  to.unlooked.insert(to.unlooked.end(), not_tried.begin(), not_tried.end());
  for (const auto& check : rc_table)
    if (check.looks == Looks::meets ? looked.peer : looked.messages) to.looked.insert(check.id);
  for (const auto& finding : to.findings)  // such as that there was nothing to try, or that the peer broke off
    if (const Check* check = check_named(finding.id)) to.looked.insert(check->id);
  sort(to);
}

std::string RcRoute::to_whom() const {
  return theirs == nullptr ? "itself" : fmt::format("{} of {}", theirs->subject().name, peer);
}

Finding passed(const RcRoute& route, std::chrono::milliseconds time) {
  const std::size_t bytes = 2 * std::accumulate(message_sizes.begin(), message_sizes.end(), std::size_t{0});
  return finding(RcCheck::tried, route,
                 fmt::format("{} messages ({} bytes) between the port and {} came whole, in {} ms",
                             2 * message_sizes.size(), bytes, route.to_whom(), time.count()),
                 route.theirs == nullptr
                     ? "Both ends are queue pairs of this port: cable and switch were not on the way."
                     : "Both ports and the way between them work.",
                 route.theirs == nullptr
                     ? "Nothing is to be done; `doctor --listen` on another host and `--active --peer` here try the "
                       "way between them."
                     : "Nothing is to be done.");
}

Finding finding_of(const Trouble& trouble, const RcRoute& route) {
  Finding made = of_kind(trouble, route);
  made.evidence.push_back({"said here", trouble.said});
  return made;
}

Finding finding_of_peer(const Trouble& trouble, const RcRoute& route) {
  const RcRoute back{*route.theirs, &route.ours, "this host", route.mtu, route.ways};
  Finding made = of_kind(trouble, back);
  made.subject = route.ours.subject();
  made.symptom = fmt::format("{} says of its {}: {}", route.peer, route.theirs->subject().name, made.symptom);
  if (trouble.kind == Trouble::Kind::setup) made.fix = fmt::format("On {}: {}", route.peer, made.fix);
  made.evidence.push_back({"said by the peer", trouble.said});
  return made;
}

Finding nothing_to_try(const std::vector<Unlooked>& not_tried) {
  const Check& check = rc_check(RcCheck::nothing_to_try);
  Finding made{
      std::string(check.id),
      check.severity,
      {About::host, ""},
      "no port of this host could be tried",
      not_tried.empty() ? "This host has no RDMA device." : "None of its ports is ready for a reliable connection.",
      "Mend what else doctor finds, and try again.",
      {}};
  for (const auto& one : not_tried) made.evidence.push_back({one.where, one.reason});
  if (not_tried.empty()) made.evidence.push_back({"/sys/class/infiniband", "no device"});
  return made;
}

const CheckFamily rc_checks{rc_table, rc_places};

}  // namespace rdmastate::doctor
