// SPDX-License-Identifier: Apache-2.0
#include "fake_fabric.hpp"

#include "base/error.hpp"

namespace rdmastate::doctor {

class FakeQueuePair final : public QueuePair {
 public:
  FakeQueuePair(FakeFabric& fabric, std::uint32_t number) : fabric_(fabric), number_(number) { ++fabric_.alive; }
  ~FakeQueuePair() override {
    --fabric_.alive;
    fabric_.pairs_.erase(number_);
  }
  FakeQueuePair(const FakeQueuePair&) = delete;
  FakeQueuePair& operator=(const FakeQueuePair&) = delete;

  QueuePairEnd end() const override { return {number_, number_ + 7}; }

  void connect(const RcWay& way) override {
    if (fabric_.refuses_connect != 0)
      throw SystemError("taking a queue pair to the state RTR (ibv_modify_qp)", fabric_.refuses_connect);
    fabric_.ways.push_back(way);
    far_ = way.far.number;
    if (fabric_.speaks_first) deliver(message_of(message_sizes.front()));
  }

  void send(std::string_view bytes) override {
    using How = WorkEnd::How;
    if (fabric_.silent) return;
    const bool lost = bytes.size() >= fabric_.lost_from;
    const auto how = lost ? How::unanswered : fabric_.not_ready ? How::not_ready : How::done;
    ended_.push_back(
        {WorkEnd::What::send, how, lost ? "transport retry counter exceeded" : "RNR retry counter exceeded", {}});
    if (how != How::done) return;
    const auto far = fabric_.pairs_.find(far_);
    if (far != fabric_.pairs_.end()) return far->second->deliver(std::string(bytes));
    if (!fabric_.speaks_first) return deliver(std::string(bytes));
    if (bytes.size() == message_sizes.front() && message_sizes.back() < fabric_.lost_from)
      deliver(message_of(message_sizes.back()));
  }

  std::optional<WorkEnd> poll() override {
    if (ended_.empty()) return std::nullopt;
    WorkEnd one = std::move(ended_.front());
    ended_.pop_front();
    return one;
  }

 private:
  void deliver(std::string bytes) {
    if (fabric_.silent) return;
    if (fabric_.broken_bytes) bytes.back() = static_cast<char>(bytes.back() ^ 1);
    ended_.push_back({WorkEnd::What::receive, WorkEnd::How::done, "success", std::move(bytes)});
  }

  FakeFabric& fabric_;
  std::uint32_t number_;
  std::uint32_t far_ = 0;
  std::deque<WorkEnd> ended_;
};

std::uint32_t FakeFabric::active_mtu(const std::string&, std::uint32_t) {
  if (!no_library.empty()) throw Error(no_library);
  return mtu;
}

std::unique_ptr<QueuePair> FakeFabric::make(const QueuePairPlace& place) {
  if (refuses_make != 0) throw SystemError("making a completion queue (ibv_create_cq)", refuses_make);
  made.push_back(place);
  const auto number = static_cast<std::uint32_t>(made.size());
  auto pair = std::make_unique<FakeQueuePair>(*this, number);
  pairs_[number] = pair.get();
  return pair;
}

std::string FakePeer::hear(std::chrono::milliseconds patience) {
  if (clock != nullptr) clock->sleep(patience);
  if (lines_.empty()) throw Error("the peer 192.0.2.2 closed the connection");
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

Diagnosis Bench::look(const std::function<void(const Sender&, const Snapshot&, const Facts&, Diagnosis&)>& work) {
  Host host = recorded.host();
  const Snapshot snapshot(host);
  const Facts facts = read_facts(snapshot);
  Diagnosis diagnosis;
  work({fabric, host.clock}, snapshot, facts, diagnosis);
  return diagnosis;
}

Diagnosis Bench::alone() {
  return look([&](const Sender& sender, const Snapshot& snapshot, const Facts& facts, Diagnosis& to) {
    try_ports(sender, snapshot, facts, wish, to);
  });
}

Diagnosis Bench::with(Conversation& peer, Side side) {
  return look([&](const Sender& sender, const Snapshot& snapshot, const Facts& facts, Diagnosis& to) {
    try_with_peer(sender, snapshot, facts, wish, peer, side, to);
  });
}

HostModel roce_host() {
  HostModel model = example("compute");
  const auto put_gid = [&](const std::string& device, unsigned index, const char* gid, const char* type) {
    const std::string path = "/sys/class/infiniband/" + device + "/ports/1/";
    put(model, path + "gids/" + std::to_string(index), std::string(gid) + "\n");
    put(model, path + "gid_attrs/types/" + std::to_string(index), std::string(type) + "\n");
  };
  for (const char* device : {"mlx5_8", "mlx5_9"}) {
    put_gid(device, 0, "fe80:0000:0000:0000:0000:00ff:fe00:0210", "IB/RoCE v1");
    put_gid(device, 1, "fe80:0000:0000:0000:0000:00ff:fe00:0210", "RoCE v2");
  }
  put_gid("mlx5_8", 2, "0000:0000:0000:0000:0000:ffff:c000:0201", "IB/RoCE v1");
  put_gid("mlx5_8", 3, "0000:0000:0000:0000:0000:ffff:c000:0201", "RoCE v2");  // 192.0.2.1
  put_gid("mlx5_9", 5, "0000:0000:0000:0000:0000:ffff:c633:6401", "RoCE v2");  // 198.51.100.1
  add_parents(model.files);
  return model;
}

}  // namespace rdmastate::doctor
