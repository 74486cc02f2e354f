// SPDX-License-Identifier: Apache-2.0
// read_counters() takes one look; the checks above it compare that look with an earlier one (risen()).
#include "doctor/counters.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "doctor/examination.hpp"
#include "doctor/spec_lines.hpp"
#include "resources/qos_port/owner.hpp"

namespace rdmastate::doctor {
namespace {

// Of a port: Documentation/ABI/stable/sysfs-class-infiniband; hw_counters differ by driver, of these mlx5 has all.
constexpr std::string_view port_counters[] = {
    "counters/link_downed",         "counters/link_error_recovery", "counters/symbol_error",
    "counters/port_rcv_errors",     "hw_counters/out_of_buffer",    "hw_counters/rx_icrc_encapsulated",
    "hw_counters/out_of_sequence",  "hw_counters/packet_seq_err",   "hw_counters/local_ack_timeout_err",
    "hw_counters/roce_adp_retrans", "hw_counters/np_cnp_sent",      "hw_counters/rp_cnp_handled"};
constexpr std::string_view netdev_counters[] = {"rx_dropped", "rx_missed_errors"};

/// One port and what is counted of it.
struct Counted {
  const RdmaDevice& device;
  const RdmaPort& port;
  std::string netdev{};  ///< of an Ethernet port its network device; empty: it has none, or is of InfiniBand

  Subject subject() const { return subject_of(device, port); }
  std::string port_path(std::string_view counter) const { return sysfs_of(device, port) + std::string(counter); }
  /// No path in sysfs: ethtool netlink has it.
  std::string pause_path() const { return fmt::format("ethtool -I -a {}: tx_pause_frames", netdev); }
  /// No path in sysfs either: a counter that the driver has by its own name.
  std::string flow_path(std::string_view counter) const { return fmt::format("ethtool -S {}: {}", netdev, counter); }
  std::string pause_path(unsigned priority) const { return flow_path(fmt::format("tx_prio{}_pause", priority)); }
  std::string netdev_path(std::string_view counter) const {
    return fmt::format("/sys/class/net/{}/statistics/{}", netdev, counter);
  }
  /// How it gets flow control (PFC): by a spec's line; or, where another program owns its priorities, by that one. Of
  /// an earlier version's record nobody can tell.
  std::string flow_control_advice(const Snapshot& snapshot) const {
    const auto dcb = netdev.empty() ? std::nullopt : snapshot.dcb(netdev);
    const DcbOwner owner = dcb && !dcb->is_older ? other_dcb_owner(snapshot, device, netdev, *dcb) : DcbOwner{};
    if (!owner.other.empty()) return owner.other;
    return port_line(device, port, "qos: {trust: dscp, pfc: [3], dscp: {26: 3}}");
  }
};

template <class Each>
void each_port(Examination& look, Each&& each) {
  for (const auto& device : look.facts.devices)
    for (const auto& port : device.ports) {
      const Link* link = port.link_layer == LinkLayer::ethernet ? look.interface_of(device, port) : nullptr;
      each(Counted{device, port, link == nullptr ? std::string() : link->name});
    }
}

// How much a counter rose since the earlier look; 0 also where the counter is new, or was reset.
std::uint64_t rise(const Examination& look, const std::string& path) {
  const auto before = look.before->find(path);
  const auto now = look.counters.find(path);
  if (before == look.before->end() || now == look.counters.end() || now->second < before->second) return 0;
  return now->second - before->second;
}

Evidence evidence_of_rise(const Examination& look, const std::string& path) {
  return {path, fmt::format("{} more, now {}", rise(look, path), look.counters.at(path))};
}

/// The counters of these paths that rose. read_counters() runs before all checks, so a counter that it could not read
/// is not noted as unseen yet: it is read again, which notes it for the check that looks now.
std::vector<Evidence> risen(Examination& look, const std::vector<std::string>& paths) {
  std::vector<Evidence> all;
  for (const auto& path : paths)
    if (!look.counters.contains(path)) look.text(path);
  for (const auto& path : paths)
    if (rise(look, path) != 0) all.push_back(evidence_of_rise(look, path));
  return all;
}

void look_for_flaps(Examination& look) {
  each_port(look, [&](const Counted& one) {
    auto evidence = risen(look, {one.port_path("counters/link_downed"), one.port_path("counters/link_error_recovery")});
    if (evidence.empty()) return;
    look.found(one.subject(), "the link went down, or had to recover, between the two looks",
               "A cable, a connector or the link partner is failing, or somebody worked at the switch.",
               "Clean or change the cable; `journalctl -k` and the switch's log say when.", std::move(evidence));
  });
}

void look_for_errors(Examination& look) {
  each_port(look, [&](const Counted& one) {
    auto evidence = risen(look, {one.port_path("counters/symbol_error"), one.port_path("counters/port_rcv_errors"),
                                 one.port_path("hw_counters/rx_icrc_encapsulated")});
    if (evidence.empty()) return;
    look.found(one.subject(), "packets came in broken between the two looks", "The cable or a connector is bad.",
               "Clean or change the cable.", std::move(evidence));
  });
}

void look_for_losses(Examination& look) {
  each_port(look, [&](const Counted& one) {
    auto evidence = risen(
        look, {one.port_path("hw_counters/out_of_sequence"), one.port_path("hw_counters/packet_seq_err"),
               one.port_path("hw_counters/local_ack_timeout_err"), one.port_path("hw_counters/roce_adp_retrans")});
    if (evidence.empty()) return;
    const bool ethernet = one.port.link_layer == LinkLayer::ethernet;
    look.found(one.subject(), "packets were lost on the way, and sent again, between the two looks",
               ethernet ? "A switch or a far end drops packets: nothing tells the senders to wait, or to slow down."
                        : "A link on the way is bad, or a far end went away.",
               ethernet
                   ? fmt::format("Set up flow or congestion control on all hosts and switches of the way, here: {}; "
                                 "`rdma statistic` shows which counters rise.",
                                 one.flow_control_advice(look.snapshot))
                   : "Look at the switches' error counters (`ibqueryerrors`), and at the far end.",
               std::move(evidence));
  });
}

void look_for_buffers(Examination& look) {
  each_port(look, [&](const Counted& one) {
    auto evidence = risen(look, {one.port_path("hw_counters/out_of_buffer")});
    if (evidence.empty()) return;
    look.found(one.subject(), "packets were dropped because no receive buffer was posted",
               "A program posts too few receives, or does not keep up.",
               "Raise its receive queue; for IPoIB modules: {options: {ib_ipoib: {recv_queue_size: 512}}}.",
               std::move(evidence));
  });
}

void look_for_congestion(Examination& look) {
  each_port(look, [&](const Counted& one) {
    auto evidence =
        risen(look, {one.port_path("hw_counters/np_cnp_sent"), one.port_path("hw_counters/rp_cnp_handled")});
    if (evidence.empty()) return;
    look.found(one.subject(), "senders were slowed down by congestion notifications between the two looks",
               "A switch on the way marked packets (ECN): more was sent than it could pass on.",
               "Nothing, where it is seldom. Else look for many senders to one port, and at the switch's thresholds.",
               std::move(evidence));
  });
}

// Whether the device told the link partner to wait between the two looks, or may have: not every driver counts pauses.
bool was_paused(const Examination& look, const Counted& one, const std::optional<PauseState>& pause) {
  if (!pause || !pause->tx) return false;
  return !pause->tx_frames || !look.before->contains(one.pause_path()) || rise(look, one.pause_path()) != 0;
}

std::string text_of(const std::optional<PauseState>& pause) {
  if (!pause) return "no global pause is seen";
  return fmt::format("rx {}, tx {}{}", pause->rx ? "on" : "off", pause->tx ? "on" : "off",
                     pause->tx_frames ? fmt::format(", sent {}", *pause->tx_frames) : "");
}

// Of each priority with flow control that it had the link partner wait at neither look and not between them: the same
// number twice. Empty where one rose, or is not known at both looks, as of drivers that do not count it.
std::vector<Evidence> unmoved_pauses(const Examination& look, const Counted& one, std::uint8_t priorities) {
  std::vector<Evidence> all;
  for (unsigned priority = 0; priority < 8; ++priority) {
    if ((priorities >> priority & 1U) == 0) continue;
    const auto before = look.before->find(one.pause_path(priority));
    const auto now = look.counters.find(one.pause_path(priority));
    if (before == look.before->end() || now == look.counters.end() || now->second != before->second) return {};
    all.push_back({now->first, fmt::format("none more, still {}", now->second)});
  }
  return all;
}

// Drops of other traffic are usual on a port whose RoCE is held back. So the port has to have dropped for want of
// buffers, RoCE packets have to be missing, and no pause may have been sent.
void look_for_drops_beside_pfc(Examination& look, const Counted& one, std::uint8_t priorities) {
  const std::string drops = one.flow_path("rx_discards_phy");
  if (rise(look, drops) == 0 || was_paused(look, one, look.snapshot.pause(one.netdev))) return;
  const auto lost = risen(look, {one.port_path("hw_counters/out_of_sequence")});
  const auto pauses = unmoved_pauses(look, one, priorities);
  if (lost.empty() || pauses.empty()) return;
  std::vector<Evidence> evidence{evidence_of_rise(look, drops), lost.front()};
  evidence.insert(evidence.end(), pauses.begin(), pauses.end());
  look.found(
      one.subject(),
      fmt::format("{} dropped packets between the two looks, RoCE packets are missing, and its priority flow "
                  "control (PFC) sent no pause",
                  one.netdev),
      "RoCE packets come in with a priority that has no flow control, or the priority's buffer is too small for "
      "a pause to come in time.",
      fmt::format("`ethtool -S {} | grep rx_prio` tells which priorities come in and are dropped. Let all senders "
                  "give RoCE the DSCP of a priority with flow control, here: {}.",
                  one.netdev, one.flow_control_advice(look.snapshot)),
      std::move(evidence));
}

void look_for_drops(Examination& look) {
  each_port(look, [&](const Counted& one) {
    if (one.netdev.empty()) return;
    const auto dcb = look.snapshot.dcb(one.netdev);
    if (dcb && dcb->uses_flow_control()) return look_for_drops_beside_pfc(look, one, dcb->flow_control->priorities);
    auto evidence = risen(look, {one.netdev_path("rx_dropped"), one.netdev_path("rx_missed_errors")});
    if (evidence.empty()) return;
    const auto pause = look.snapshot.pause(one.netdev);
    if (was_paused(look, one, pause)) return;
    const bool known = dcb && dcb->flow_control;
    evidence.push_back(
        {"dcb of " + one.netdev, known ? "no priority has flow control" : "its driver has no priority flow control"});
    evidence.push_back({"ethtool -I -a " + one.netdev, text_of(pause)});
    look.found(one.subject(), fmt::format("{} dropped packets between the two looks, and sent no pause", one.netdev),
               "More comes in than the host takes, and nobody tells the switch to wait: neither priority flow control "
               "(PFC) nor global pause (802.3x) does.",
               fmt::format("Where switches are set up for PFC: {}. Where they are for global pause: `ethtool -A {} rx "
                           "on tx on`.",
                           one.flow_control_advice(look.snapshot), one.netdev),
               std::move(evidence));
  });
}

// --- pause-beside-pfc

void look_for_both(Examination& look) {
  each_port(look, [&](const Counted& one) {
    if (one.netdev.empty() || look.speaks_iwarp(one.device)) return;
    const auto dcb = look.snapshot.dcb(one.netdev);
    if (!dcb || !dcb->uses_flow_control()) return;
    const auto pause = look.snapshot.pause(one.netdev);
    if (!pause || (!pause->rx && !pause->tx)) return;
    look.found(
        one.subject(),
        fmt::format("{} has priority flow control (PFC) and global pause (802.3x) at the same time", one.netdev),
        "Global pause was not turned off when PFC was set up, or was turned on later.",
        fmt::format(
            "`ethtool -A {} rx off tx off`; for good RxFlowControl=no and TxFlowControl=no in [Link] of its .link file.",
            one.netdev),
        {{"dcb of " + one.netdev, fmt::format("priorities {:#04x}", dcb->flow_control->priorities)},
         {"ethtool -I -a " + one.netdev, text_of(pause)}});
  });
}

constexpr Check counter_table[] = {
    {"link-flaps", Severity::warning, "A port's link went down or had to recover between two looks",
     "link_downed and link_error_recovery rose. One change may be somebody's work at the switch; more of them are a cable, a "
     "connector or a transceiver. Needs two looks: `--interval 10s`, or `--since FILE` with the JSON of an earlier look.",
     look_for_flaps, Looks::two},
    {"link-errors", Severity::warning, "A port received broken packets between two looks",
     "symbol_error, port_rcv_errors or the ICRC errors of RoCE rose: bits change on the way. RDMA repeats what was lost, and "
     "loses its speed. Needs two looks.",
     look_for_errors, Looks::two},
    {"packets-lost", Severity::warning, "A port's packets were lost and sent again between two looks",
     "out_of_sequence, packet_seq_err, local_ack_timeout_err or roce_adp_retrans of mlx5 rose: a receiver missed packets, or a "
     "sender waited in vain. Reliable connections send again, and lose most of their speed long before one in a thousand is "
     "lost. Needs two looks.",
     look_for_losses, Looks::two},
    {"receive-buffers-short", Severity::warning, "A port dropped packets for want of receive buffers between two looks",
     "out_of_buffer counts packets that came for a queue pair without a posted receive. On a reliable connection they are "
     "repeated (RNR), on a datagram one they are lost. Needs two looks.",
     look_for_buffers, Looks::two},
    {"congestion", Severity::info, "A RoCE port sent or obeyed congestion notifications between two looks",
     "np_cnp_sent counts the notifications (CNP) that this port sent as a receiver of marked packets, rp_cnp_handled those "
     "for which it slowed down as a sender. That they rise shows that ECN and DCQCN work from end to end; that they never "
     "rise while packets are lost, that they do not. Needs two looks.",
     look_for_congestion, Looks::two},
    {"drops-without-pause", Severity::warning,
     "A RoCE port's network device drops packets, and no flow control holds them back",
     "RoCE needs a network that does not drop, or congestion control that keeps it from dropping. rx_dropped or "
     "rx_missed_errors rose while no priority has flow control (PFC) and no global pause (802.3x) was sent. Where priorities "
     "have it, as far as mlx5 tells: rx_discards_phy and out_of_sequence rose, and tx_prioN_pause (`ethtool -S`) of none of "
     "them did. Needs two looks.",
     look_for_drops, Looks::two},
    {"pause-beside-pfc", Severity::warning, "A RoCE port has priority flow control and global pause at the same time",
     "A global pause stops all priorities, also those that PFC is to let go on, and a device may ignore one of the two: "
     "mlx4_en turns global pause off by itself where PFC is on. NVIDIA's guides turn it off before they set up PFC.",
     look_for_both},
};

FilePlaces counter_places() {
  FilePlaces places;
  for (const auto counter : port_counters)
    places.push_back({fmt::format("/sys/class/infiniband/*/ports/*/{}", counter)});
  for (const auto counter : netdev_counters) places.push_back({fmt::format("/sys/class/net/*/statistics/{}", counter)});
  return places;
}

// What a driver does not count, and what this user may not ask for, is left out. Only a device with flow control is
// asked for its own counters: it asks its firmware for each of them.
void read_pauses(const Examination& look, const Counted& one, Counters& counters) try {
  if (const auto dcb = look.snapshot.dcb(one.netdev); dcb && dcb->uses_flow_control())
    for (const auto& [name, value] : look.snapshot.flow_counters(one.netdev))
      counters.emplace(one.flow_path(name), value);
  const auto pause = look.snapshot.pause(one.netdev);
  if (pause && pause->tx_frames) counters.emplace(one.pause_path(), *pause->tx_frames);
} catch (const Error&) {
  return;
}

}  // namespace

Counters read_counters(Examination& look) {
  Counters counters;
  const auto read = [&](const std::string& path) {
    if (const auto value = look.number(path)) counters.emplace(path, *value);
  };
  each_port(look, [&](const Counted& one) {
    for (const auto counter : port_counters) read(one.port_path(counter));
    if (one.netdev.empty()) return;
    for (const auto counter : netdev_counters) read(one.netdev_path(counter));
    read_pauses(look, one, counters);
  });
  return counters;
}

Counters counters_of_look(std::string_view text, const std::string& name) {
  const Json json = in_context(name, [&] { return parse_json(text); });
  const Json& all = json["counters"];
  if (json.number_or("format_version", 0) != 1 || !all.is_object())
    throw Error(name + ": it has no counters: give --since what `rdmastate doctor -o json` printed");
  Counters counters;
  for (const auto& [path, value] : all.members()) {
    if (!value.is_unsigned()) throw Error(fmt::format("{}: counters.{} is no number", name, path));
    counters.emplace(path, value.number());
  }
  return counters;
}

const CheckFamily counter_checks{counter_table, counter_places};

}  // namespace rdmastate::doctor
