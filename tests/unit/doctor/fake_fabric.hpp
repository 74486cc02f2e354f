// SPDX-License-Identifier: Apache-2.0
// Queue pairs in memory with the faults of a fabric, and a peer that says what a test wants.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>

#include "doctor/peer.hpp"
#include "patients.hpp"

namespace rdmastate::doctor {

/// A fabric on which each message of a queue pair comes to the one that it is connected with; messages to a queue pair
/// that this process has not made are sent back, as a peer does.
class FakeFabric final : public QueuePairs {
 public:
  std::uint32_t mtu = 4096;
  int refuses_make = 0;              ///< an errno; 0: it does not
  int refuses_connect = 0;           ///< the same
  std::string no_library;            ///< what active_mtu() throws; empty: nothing
  std::size_t lost_from = SIZE_MAX;  ///< messages of so many bytes are lost
  bool silent = false;               ///< nothing ever ends
  bool not_ready = false;            ///< the far end has no receive posted
  bool broken_bytes = false;         ///< a byte of each message is another one
  bool speaks_first = false;         ///< the far end is a connector: its messages come without ours

  std::vector<QueuePairPlace> made;  ///< in their order
  std::vector<RcWay> ways;           ///< of each connect(), in their order
  std::size_t alive = 0;             ///< queue pairs that are not released

  std::uint32_t active_mtu(const std::string& device, std::uint32_t port) override;
  std::unique_ptr<QueuePair> make(const QueuePairPlace& place) override;

 private:
  friend class FakeQueuePair;
  std::map<std::uint32_t, class FakeQueuePair*> pairs_;
};

/// A peer of which a test says each line: `answer` gets what was said to it last.
class FakePeer final : public Conversation {
 public:
  explicit FakePeer(std::deque<std::string> lines) : lines_(std::move(lines)) {}
  std::string with() const override { return "192.0.2.2"; }
  void say(const std::string& line) override { said.push_back(line); }
  std::string hear(std::chrono::milliseconds patience) override;
  std::vector<std::string> said;
  Clock* clock = nullptr;  ///< when given, each answer takes as long as it may

 private:
  std::deque<std::string> lines_;
};

/// A host with such a fabric, and what doctor says of it when it has sent messages.
struct Bench {
  explicit Bench(HostModel model) : recorded(std::move(model)) {}
  RecordedHost recorded;
  FakeFabric fabric;
  ActiveWish wish{};

  /// Findings of the messages alone.
  Diagnosis alone();
  Diagnosis with(Conversation& peer, Side side);

 private:
  Diagnosis look(const std::function<void(const Sender&, const Snapshot&, const Facts&, Diagnosis&)>& work);
};

/// compute.json with GIDs of RoCE v2 on its two Ethernet adapters, mlx5_8 and mlx5_9.
HostModel roce_host();

}  // namespace rdmastate::doctor
