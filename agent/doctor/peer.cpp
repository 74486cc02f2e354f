// SPDX-License-Identifier: Apache-2.0
// Flow of PeerTrial: both sides say a greeting, their ports; both derive the same pairs from the two greetings; for
// each pair both make a queue pair, connect it and send messages, and after each of these steps both say how it went.
// What the greetings differ in is told before a pair is tried.
#include "doctor/peer.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "doctor/pairing.hpp"

namespace rdmastate::doctor {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds to_answer{10000};  ///< beside the time that messages may take
// Of the whole conversation: a peer that answers as late as it may, for each of many ports, keeps nobody for hours.
constexpr std::chrono::minutes longest_conversation{30};

/// A pair of ports as this side sees it.
struct OurPair {
  const RcPort& ours;
  const RcPort& theirs;
  std::optional<RcGid> our_gid{};  ///< of RoCE
  std::optional<RcGid> their_gid{};
  std::uint16_t pkey = 0;  ///< of our port
  std::uint32_t mtu = 0;   ///< in bytes: the smaller one of both ports
  PortPair::Obstacle obstacle = PortPair::Obstacle::none;

  QueuePairPlace place() const {
    QueuePairPlace made{ours.device, ours.number, pkey, {}};
    if (our_gid) made.gid_index = our_gid->index;
    return made;
  }
  RcWay way(const QueuePairEnd& far) const {
    RcWay made{far, theirs.lid, {}, mtu};
    if (their_gid) made.gid = gid_of(*their_gid);
    return made;
  }
  std::string words() const {
    if (!our_gid || !their_gid) return fmt::format("LID {} to LID {}, P_Key 0x{:04x}", ours.lid, theirs.lid, pkey);
    return fmt::format("{} to {}, RoCE {}", rdmastate::to_text(our_gid->address),
                       rdmastate::to_text(their_gid->address), rdmastate::to_text(our_gid->type));
  }
};

// For evidence: "0xffff, 0x8002" of P_Keys; "192.0.2.1 (v2)" of GIDs; "none".
std::string list_of(const std::vector<std::uint16_t>& pkeys) {
  std::string text;
  for (const auto pkey : pkeys) text += fmt::format("{}0x{:04x}", text.empty() ? "" : ", ", pkey);
  return text.empty() ? "none" : text;
}

std::string list_of(const std::vector<RcGid>& gids) {
  std::string text;
  for (const auto& gid : gids)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", rdmastate::to_text(gid.address),
                        rdmastate::to_text(gid.type));
  return text.empty() ? "none" : text;
}

// A finding that the two ports of a pair differ in `what` ("its partitions"); the caller adds the evidence.
Finding differs(RcCheck which, const OurPair& pair, const std::string& peer, const char* what, std::string cause,
                std::string fix) {
  const Check& check = rc_check(which);
  return {std::string(check.id),
          check.severity,
          pair.ours.subject(),
          fmt::format("{} differ from those of {} of {}", what, pair.theirs.subject().name, peer),
          std::move(cause),
          std::move(fix),
          {}};
}

Finding partition_differs(const OurPair& pair, const std::string& peer) {
  auto made = differs(RcCheck::partition_differs, pair, peer, "its partitions",
                      "The two ports have no P_Key in common of which one is a full member's.",
                      "Where this host runs the subnet manager: subnet_manager.partitions, with one of the two as full "
                      "member; else ask its administrator.");
  made.evidence = {{"P_Keys here", list_of(pair.ours.pkeys)}, {"P_Keys of the peer", list_of(pair.theirs.pkeys)}};
  return made;
}

Finding gids_differ(const OurPair& pair, const std::string& peer) {
  const bool version = pair.obstacle == PortPair::Obstacle::roce;
  auto made = differs(version ? RcCheck::roce_differs : RcCheck::no_counterpart, pair, peer,
                      version ? "its RoCE versions" : "its addresses",
                      version ? "No GID of the one has the RoCE version of any of the other."
                              : "One has IPv4 addresses alone, say, and the other IPv6 ones.",
                      version ? "Look at `show`: give both ports GIDs of RoCE v2."
                              : "Give both ports' network devices addresses of one network.");
  made.evidence = {{"GIDs here", list_of(pair.ours.gids)}, {"GIDs of the peer", list_of(pair.theirs.gids)}};
  return made;
}

Finding mtu_differs(const OurPair& pair, const std::string& peer) {
  auto made =
      differs(RcCheck::mtu_differs, pair, peer, "its packets", "The active MTUs of the two ports are not the same.",
              pair.ours.is_roce() ? "Give both network devices, and the switches between them, the same MTU."
                                  : "Look at the ports' maximum and at what the subnet manager sets.");
  made.evidence = {{"active MTU here", std::to_string(pair.ours.mtu)},
                   {"active MTU of the peer", std::to_string(pair.theirs.mtu)}};
  return made;
}

Finding no_counterpart(const RcPort& port, const std::string& peer, Severity severity) {
  const Check& check = rc_check(RcCheck::no_counterpart);
  return {std::string(check.id),
          severity,
          port.subject(),
          fmt::format("{} has no port that this one can be tried with", peer),
          "None of its ports has the same link layer and, on InfiniBand, the same subnet prefix.",
          "If it should have one, look there with `rdmastate doctor`.",
          {{"link layer here", rdmastate::to_text(port.link_layer)}}};
}

Finding peer_has_nothing(const std::string& peer) {
  const Check& check = rc_check(RcCheck::nothing_to_try);
  return {std::string(check.id),
          check.severity,
          {About::host, ""},
          fmt::format("no port of the peer {} could be tried", peer),
          "It has no RDMA device, or none of its ports is ready for a reliable connection.",
          "Look there with `rdmastate doctor`.",
          {{"ports of " + peer, "none"}}};
}

Finding broke_off(const std::string& peer, const std::string& why) {
  const Check& check = rc_check(RcCheck::broke_off);
  return {std::string(check.id),
          check.severity,
          {About::host, ""},
          fmt::format("the conversation with {} ended before all ports were tried", peer),
          "The peer was ended, the network between the two broke, or it is no rdmastate of this release.",
          "Look there at what `rdmastate doctor` printed, and try again.",
          {{"conversation with " + peer, why}}};
}

/// One conversation, from the greeting to the last pair of ports.
class PeerTrial {
 public:
  PeerTrial(const Sender& sender, Conversation& conversation, Side side, Greeting ours, Diagnosis& to)
      : sender_(sender), conversation_(conversation), side_(side), ours_(std::move(ours)), to_(to) {}

  // A conversation that ends early takes nothing away from what was found before.
  void run() {
    try {
      converse();
    } catch (const Error& error) {
      to_.findings.push_back(broke_off(peer_, error.what()));
      for (std::size_t at = 0; at < tried_.size(); ++at)
        if (!tried_[at])
          to_.unlooked.push_back({std::string(rc_check(RcCheck::tried).id), ours_.ports[at].subject().name,
                                  "not tried: the conversation with the peer ended before"});
    }
  }

  /// What the conversation came to.
  RcLooked looked() const { return looked_; }

 private:
  void converse() {
    conversation_.say(print_greeting(ours_));
    theirs_ = heard([&](const std::string& line) { return read_greeting(line); });
    looked_.peer = true;
    patience_ = std::max(ours_.patience, theirs_.patience);
    const bool connects = side_ == Side::connector;
    const auto pairs = connects ? pairs_of(ours_, theirs_) : pairs_of(theirs_, ours_);
    for (const auto& pair : pairs) {
      try_pair(of_this_side(pair));
      tried_[connects ? pair.connector : pair.listener] = true;
    }
    if (theirs_.ports.empty()) return to_.findings.push_back(peer_has_nothing(peer_));
    for (std::size_t at = 0; at < tried_.size(); ++at)
      if (!tried_[at])
        to_.findings.push_back(
            no_counterpart(ours_.ports[at], peer_, pairs.empty() ? Severity::error : Severity::info));
  }

  // What `read` makes of the peer's next line. Throws Error where none comes in time, or another line than is expected.
  template <class Read>
  auto heard(Read&& read) -> decltype(read(std::string())) {
    if (sender_.clock.ticks() - start_ > longest_conversation)
      throw Error(fmt::format("the peer {} is too slow: the conversation took {} minutes", peer_,
                              longest_conversation.count()));
    const std::string line = conversation_.hear(patience_ + to_answer);
    return in_context(fmt::format("what the peer {} says is not what rdmastate says", peer_),
                      [&] { return read(line); });
  }

  OurPair of_this_side(const PortPair& pair) const {
    const bool connects = side_ == Side::connector;
    OurPair made{ours_.ports.at(connects ? pair.connector : pair.listener),
                 theirs_.ports.at(connects ? pair.listener : pair.connector),
                 {},
                 {},
                 connects ? pair.pkeys.first : pair.pkeys.second,
                 pair.mtu,
                 pair.obstacle};
    if (pair.gids) {
      made.our_gid = connects ? pair.gids->one : pair.gids->other;
      made.their_gid = connects ? pair.gids->other : pair.gids->one;
    }
    return made;
  }

  // Says how a step went here, and hears how it went there.
  StepWord step(StepWord word) {
    conversation_.say(print_step(word));
    return heard([&](const std::string& line) { return read_step(line, word.step); });
  }

  void try_pair(const OurPair& pair) {
    if (pair.ours.mtu != pair.theirs.mtu) to_.findings.push_back(mtu_differs(pair, peer_));
    if (pair.obstacle == PortPair::Obstacle::partition) return to_.findings.push_back(partition_differs(pair, peer_));
    if (pair.obstacle != PortPair::Obstacle::none) return to_.findings.push_back(gids_differ(pair, peer_));
    const RcRoute route{pair.ours, &pair.theirs, peer_, pair.mtu, pair.words()};
    looked_.messages = true;
    const auto start = sender_.clock.ticks();
    const auto [here, there] = send_and_receive(pair);
    if (here) to_.findings.push_back(finding_of(*here, route));
    // Messages that get lost are missed on both sides; a queue pair that cannot be made is a trouble of one.
    if (there && (!here || there->kind == Trouble::Kind::setup)) to_.findings.push_back(finding_of_peer(*there, route));
    if (!here && !there) to_.findings.push_back(passed(route, sender_.clock.ticks() - start));
  }

  // What went wrong here, and what there. A step in which something went wrong on either side is the last one.
  std::pair<std::optional<Trouble>, std::optional<Trouble>> send_and_receive(const OurPair& pair) {
    std::unique_ptr<QueuePair> queue_pair;
    const StepWord made = make(pair, queue_pair);
    const StepWord far_made = step(made);
    if (made.trouble || far_made.trouble) return {made.trouble, far_made.trouble};
    const StepWord connected = connect(*queue_pair, pair.way(far_made.end));
    const StepWord far_connected = step(connected);
    if (connected.trouble || far_connected.trouble) return {connected.trouble, far_connected.trouble};
    const StepWord done{StepWord::Step::done, {}, trouble_of([&] { return messages(*queue_pair); })};
    return {done.trouble, step(done).trouble};
  }

  // Sets `queue_pair`, unless there is trouble.
  StepWord make(const OurPair& pair, std::unique_ptr<QueuePair>& queue_pair) {
    StepWord made{StepWord::Step::made, {}, {}};
    made.trouble = trouble_of([&]() -> std::optional<Trouble> {
      queue_pair = sender_.queue_pairs.make(pair.place());
      return std::nullopt;
    });
    if (queue_pair) made.end = queue_pair->end();
    return made;
  }

  static StepWord connect(QueuePair& queue_pair, const RcWay& way) {
    StepWord connected{StepWord::Step::connected, {}, {}};
    connected.trouble = trouble_of([&]() -> std::optional<Trouble> {
      queue_pair.connect(way);
      return std::nullopt;
    });
    return connected;
  }

  // Sends and receives each message once.
  std::optional<Trouble> messages(QueuePair& queue_pair) {
    Exchange exchange(queue_pair, sender_.clock, sender_.clock.ticks() + patience_);
    for (const std::size_t size : message_sizes) {
      if (side_ == Side::connector)
        if (auto trouble = exchange.send(size)) return trouble;
      if (auto trouble = exchange.receive(size)) return trouble;
      if (side_ == Side::listener)
        if (auto trouble = exchange.send(size)) return trouble;
    }
    return std::nullopt;
  }

  const Sender& sender_;
  Conversation& conversation_;
  Side side_;
  Greeting ours_;
  Greeting theirs_;
  Diagnosis& to_;
  std::vector<bool> tried_ = std::vector<bool>(ours_.ports.size());  ///< by our ports: a pair with it was tried
  RcLooked looked_{};
  std::string peer_ = conversation_.with();
  milliseconds patience_{0};
  milliseconds start_ = sender_.clock.ticks();
};

}  // namespace

void try_with_peer(const Sender& sender, const Snapshot& snapshot, const Facts& facts, const ActiveWish& wish,
                   Conversation& conversation, Side side, Diagnosis& to) {
  Examination look(snapshot, facts);
  const auto [ports, not_tried] = rc_ports(look, sender.queue_pairs, wish.devices);
  if (ports.empty()) to.findings.push_back(nothing_to_try(not_tried));
  PeerTrial trial(sender, conversation, side, {wish.patience, ports}, to);
  trial.run();
  to.looked.insert(rc_check(RcCheck::nothing_to_try).id);
  add_rc_checks(not_tried, trial.looked(), to);
}

}  // namespace rdmastate::doctor
