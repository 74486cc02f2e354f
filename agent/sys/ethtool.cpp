// SPDX-License-Identifier: Apache-2.0
#include "sys/ethtool.hpp"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "base/error.hpp"
#include "base/handle.hpp"
#include "sys/codec/counters_codec.hpp"

namespace rdmastate {
namespace {

/// The ioctls of one network device. Kernels write as many counters as the driver has at that moment, whatever the
/// buffer holds: `room` is far more than a driver adds between two calls.
class Ethtool {
 public:
  explicit Ethtool(const std::string& netdev)
      : netdev_(netdev), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    if (!socket_) throw SystemError(doing(), errno);
  }

  /// How many counters the driver has now; 0: none, or there is no such device.
  std::uint32_t count() {
    std::array<std::uint64_t, sizeof(ethtool_sset_info) / sizeof(std::uint64_t) + 1> asked{};  // head and one number
    auto* head = reinterpret_cast<ethtool_sset_info*>(asked.data());
    head->cmd = ETHTOOL_GSSET_INFO;
    head->sset_mask = 1ULL << ETH_SS_STATS;
    if (!ask(head) || head->sset_mask == 0) return 0;
    if (head->data[0] > room) throw Error(doing() + ": its driver says that it has more than any driver has");
    return head->data[0];
  }

  /// Their names, ETH_GSTRING_LEN bytes each; empty: there are not that many any more.
  std::vector<std::byte> names(std::uint32_t count) {
    std::vector<std::byte> bytes(sizeof(ethtool_gstrings) + std::size_t{count + room} * ETH_GSTRING_LEN);
    auto* head = reinterpret_cast<ethtool_gstrings*>(bytes.data());
    *head = {ETHTOOL_GSTRINGS, ETH_SS_STATS, count};
    if (!ask(head) || head->len != count) return {};
    bytes.erase(bytes.begin(), bytes.begin() + sizeof(ethtool_gstrings));
    bytes.resize(std::size_t{count} * ETH_GSTRING_LEN);
    return bytes;
  }

  /// Their values; empty: there are not that many any more.
  std::vector<std::uint64_t> values(std::uint32_t count) {
    static_assert(sizeof(ethtool_stats) == sizeof(std::uint64_t), "the head takes the place of one value");
    std::vector<std::uint64_t> values(1 + count + room);
    auto* head = reinterpret_cast<ethtool_stats*>(values.data());
    head->cmd = ETHTOOL_GSTATS;
    head->n_stats = count;
    if (!ask(head) || head->n_stats != count) return {};
    values.erase(values.begin());
    values.resize(count);
    return values;
  }

 private:
  static constexpr std::uint32_t room = 1U << 15U;

  std::string doing() const { return "reading the counters of " + netdev_; }

  // Whether it was answered; not where there is no such device, or its driver has no such thing.
  bool ask(void* command) {
    ifreq request{};
    if (netdev_.size() >= sizeof request.ifr_name) return false;
    std::copy(netdev_.begin(), netdev_.end(), request.ifr_name);
    request.ifr_data = static_cast<char*>(command);
    if (::ioctl(socket_.get(), SIOCETHTOOL, &request) == 0) return true;
    if (errno != ENODEV && errno != EOPNOTSUPP) throw SystemError(doing(), errno);
    return false;
  }

  const std::string& netdev_;
  UniqueFd socket_;
};

}  // namespace

FlowCounters flow_counters_of(const std::string& netdev) {
  constexpr int attempts = 3;
  Ethtool ethtool(netdev);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::uint32_t count = ethtool.count();
    if (count == 0) return {};
    const auto names = ethtool.names(count);
    const auto values = ethtool.values(count);
    if (!names.empty() && !values.empty()) return codec::flow_counters_from(names, values);
  }
  throw Error("reading the counters of " + netdev + ": what its driver counts changes all the time");
}

}  // namespace rdmastate
