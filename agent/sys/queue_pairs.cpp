// SPDX-License-Identifier: Apache-2.0
#include "sys/queue_pairs.hpp"

#include <fmt/format.h>
#include <infiniband/verbs.h>
#include <sys/random.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "sys/libibverbs.hpp"

// The header defines macros of these names that call inline functions; this file needs the library's own symbols.
#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr

namespace rdmastate {
namespace {

struct Calls {
  DynamicLibrary library = libibverbs();
  RDMASTATE_FUNCTION(library, ibv_get_device_list);
  RDMASTATE_FUNCTION(library, ibv_free_device_list);
  RDMASTATE_FUNCTION(library, ibv_get_device_name);
  RDMASTATE_FUNCTION(library, ibv_open_device);
  RDMASTATE_FUNCTION(library, ibv_close_device);
  RDMASTATE_FUNCTION(library, ibv_query_port);
  RDMASTATE_FUNCTION(library, ibv_query_pkey);
  RDMASTATE_FUNCTION(library, ibv_alloc_pd);
  RDMASTATE_FUNCTION(library, ibv_dealloc_pd);
  RDMASTATE_FUNCTION(library, ibv_reg_mr);
  RDMASTATE_FUNCTION(library, ibv_dereg_mr);
  RDMASTATE_FUNCTION(library, ibv_create_cq);
  RDMASTATE_FUNCTION(library, ibv_destroy_cq);
  RDMASTATE_FUNCTION(library, ibv_create_qp);
  RDMASTATE_FUNCTION(library, ibv_modify_qp);
  RDMASTATE_FUNCTION(library, ibv_destroy_qp);
  RDMASTATE_FUNCTION(library, ibv_wc_status_str);
};

const Calls& verbs() { return dynamic_table<Calls>(); }

struct Release {
  void operator()(ibv_device** list) const noexcept { verbs().ibv_free_device_list(list); }
  void operator()(ibv_context* one) const noexcept { verbs().ibv_close_device(one); }
  void operator()(ibv_pd* one) const noexcept { verbs().ibv_dealloc_pd(one); }
  void operator()(ibv_mr* one) const noexcept { verbs().ibv_dereg_mr(one); }
  void operator()(ibv_cq* one) const noexcept { verbs().ibv_destroy_cq(one); }
  void operator()(ibv_qp* one) const noexcept { verbs().ibv_destroy_qp(one); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

// Throws what a call of libibverbs failed with: "doing (ibv_...)" and the errno `number`.
[[noreturn]] void fail(const std::string& doing, const char* call, int number) {
  throw SystemError(fmt::format("{} ({})", doing, call), number);
}

// What a call that makes something returned, or an error by errno.
template <class T>
Owned<T> made(T* one, const std::string& doing, const char* call) {
  if (one == nullptr) fail(doing, call, errno == 0 ? ENODEV : errno);
  return Owned<T>(one);
}

Owned<ibv_context> open_device(const std::string& name) {
  int count = 0;
  errno = 0;
  const std::unique_ptr<ibv_device*, Release> list(verbs().ibv_get_device_list(&count));
  if (!list) fail("asking libibverbs for its devices", "ibv_get_device_list", errno == 0 ? ENOSYS : errno);
  for (int i = 0; i < count; ++i)
    if (name == verbs().ibv_get_device_name(list.get()[i]))
      return made(verbs().ibv_open_device(list.get()[i]), "opening " + name, "ibv_open_device");
  throw Error(
      fmt::format("libibverbs does not know {}: it has no provider for it, or this user may not open its node", name));
}

std::uint32_t bytes_of(ibv_mtu mtu) {
  constexpr std::uint32_t half_of_least = 128;  // IBV_MTU_256 is 1
  return half_of_least << static_cast<unsigned>(mtu);
}

// The largest MTU of at most so many bytes; below 256 the least.
ibv_mtu mtu_of(std::uint32_t bytes) {
  auto mtu = IBV_MTU_4096;
  while (mtu > IBV_MTU_256 && bytes_of(mtu) > bytes) mtu = static_cast<ibv_mtu>(mtu - 1);
  return mtu;
}

ibv_port_attr port_of(ibv_context& context, const QueuePairPlace& place) {
  ibv_port_attr attributes{};
  // The library's symbol takes the struct under this name; it does not fill the members that were appended later.
  auto* answer = reinterpret_cast<_compat_ibv_port_attr*>(&attributes);
  const int failed = verbs().ibv_query_port(&context, static_cast<std::uint8_t>(place.port), answer);
  if (failed != 0)
    fail(fmt::format("asking for port {} of {}", place.port, place.device), "ibv_query_port", std::abs(failed));
  return attributes;
}

std::uint32_t random_psn() {
  constexpr std::uint32_t most = 0xffffff;  // a packet sequence number (PSN) has 24 bits
  std::uint32_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) throw SystemError("asking for random bytes", errno);
  return random & most;
}

/// A queue pair with all that it needs; what is declared later is released earlier.
class VerbsQueuePair final : public QueuePair {
 public:
  explicit VerbsQueuePair(QueuePairPlace place);
  QueuePairEnd end() const override { return {pair_->qp_num, psn_}; }
  void connect(const RcWay& way) override;
  void send(std::string_view bytes) override;
  std::optional<WorkEnd> poll() override;

 private:
  /// memory_ has a part for each of three messages, and a work request has the number of its part as its id: 0 and 1
  /// are receives, 2 is the send.
  static constexpr std::uint64_t receives = 2;
  static constexpr std::uint64_t send_id = receives;

  /// Where the P_Key stands in the port's table. Throws SystemError (EINVAL) where it does not.
  std::uint16_t pkey_index();
  void initialise();
  void ready_to_receive(const RcWay& way);
  void ready_to_send();
  /// Changes the attributes that `mask` (IBV_QP_*) names; `to` is the state that follows, for messages.
  void modify(ibv_qp_attr& attributes, int mask, std::string_view to) const;
  void post_receive(std::uint64_t id);
  /// The memory of the message `id`.
  char* part(std::uint64_t id) { return memory_.data() + id * QueuePairs::longest; }
  /// The first `size` bytes of part(id), as libibverbs takes them.
  ibv_sge piece(std::uint64_t id, std::size_t size) {
    return {reinterpret_cast<std::uintptr_t>(part(id)), static_cast<std::uint32_t>(size), region_->lkey};
  }

  QueuePairPlace place_;
  std::string name_;  ///< "rxe0/1"
  std::uint32_t psn_ = random_psn();
  std::vector<char> memory_ = std::vector<char>((receives + 1) * QueuePairs::longest);
  Owned<ibv_context> context_;
  Owned<ibv_pd> domain_;
  Owned<ibv_mr> region_;
  Owned<ibv_cq> queue_;
  Owned<ibv_qp> pair_;
};

VerbsQueuePair::VerbsQueuePair(QueuePairPlace place)
    : place_(std::move(place)), name_(fmt::format("{}/{}", place_.device, place_.port)) {
  constexpr int completions = 8;  // at least the two receives and the send that may be posted at once
  context_ = open_device(place_.device);
  errno = 0;
  domain_ = made(verbs().ibv_alloc_pd(context_.get()), "making a protection domain on " + name_, "ibv_alloc_pd");
  region_ = made(verbs().ibv_reg_mr(domain_.get(), memory_.data(), memory_.size(), IBV_ACCESS_LOCAL_WRITE),
                 fmt::format("registering {} KiB of memory with {}", memory_.size() >> 10U, name_), "ibv_reg_mr");
  queue_ = made(verbs().ibv_create_cq(context_.get(), completions, nullptr, nullptr, 0),
                "making a completion queue on " + name_, "ibv_create_cq");
  ibv_qp_init_attr wanted{};
  wanted.send_cq = wanted.recv_cq = queue_.get();
  wanted.qp_type = IBV_QPT_RC;
  wanted.sq_sig_all = 1;
  wanted.cap.max_send_wr = wanted.cap.max_recv_wr = receives;
  wanted.cap.max_send_sge = wanted.cap.max_recv_sge = 1;
  pair_ = made(verbs().ibv_create_qp(domain_.get(), &wanted), "making a queue pair on " + name_, "ibv_create_qp");
  initialise();
  for (std::uint64_t id = 0; id < receives; ++id) post_receive(id);
}

// Looks at every index of the table, since used entries may lie behind free ones.
std::uint16_t VerbsQueuePair::pkey_index() {
  const int count = port_of(*context_, place_).pkey_tbl_len;
  for (int index = 0; index < count; ++index) {
    __be16 entry = 0;
    const bool is_read =
        verbs().ibv_query_pkey(context_.get(), static_cast<std::uint8_t>(place_.port), index, &entry) == 0;
    if (is_read && be16toh(entry) == place_.pkey) return static_cast<std::uint16_t>(index);
  }
  throw SystemError(fmt::format("looking for the P_Key 0x{:04x} in the table of {}", place_.pkey, name_), EINVAL);
}

void VerbsQueuePair::modify(ibv_qp_attr& attributes, int mask, std::string_view to) const {
  const int failed = verbs().ibv_modify_qp(pair_.get(), &attributes, mask);
  if (failed != 0)
    fail(fmt::format("taking a queue pair of {} to the state {}", name_, to), "ibv_modify_qp", std::abs(failed));
}

void VerbsQueuePair::initialise() {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.pkey_index = pkey_index();
  attributes.port_num = static_cast<std::uint8_t>(place_.port);
  attributes.qp_access_flags = 0;  // the far end may write into posted receives alone
  modify(attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, "INIT");
}

void VerbsQueuePair::ready_to_receive(const RcWay& way) {
  constexpr std::uint8_t hops = 64;
  constexpr std::uint8_t rnr_timer = 12;  // 0.64 ms
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTR;
  attributes.path_mtu = mtu_of(way.mtu);
  attributes.dest_qp_num = way.far.number;
  attributes.rq_psn = way.far.psn;
  attributes.max_dest_rd_atomic = 1;
  attributes.min_rnr_timer = rnr_timer;
  attributes.ah_attr.port_num = static_cast<std::uint8_t>(place_.port);
  attributes.ah_attr.dlid = static_cast<std::uint16_t>(way.lid);
  if (way.gid) {
    attributes.ah_attr.is_global = 1;
    std::copy(way.gid->bytes.begin(), way.gid->bytes.end(), std::begin(attributes.ah_attr.grh.dgid.raw));
    attributes.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(place_.gid_index.value_or(0));
    attributes.ah_attr.grh.hop_limit = hops;
  }
  modify(attributes,
         IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
             IBV_QP_MIN_RNR_TIMER,
         "RTR");
}

// A packet that is lost is sent again after 67 ms (some adapters wait four times as long), seven times.
void VerbsQueuePair::ready_to_send() {
  constexpr std::uint8_t timeout = 14;
  constexpr std::uint8_t retries = 7;
  constexpr std::uint8_t rnr_retries = 6;  // 7 would be without end
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTS;
  attributes.timeout = timeout;
  attributes.retry_cnt = retries;
  attributes.rnr_retry = rnr_retries;
  attributes.sq_psn = psn_;
  attributes.max_rd_atomic = 1;
  modify(attributes,
         IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC,
         "RTS");
}

void VerbsQueuePair::connect(const RcWay& way) {
  ready_to_receive(way);
  ready_to_send();
}

void VerbsQueuePair::post_receive(std::uint64_t id) {
  ibv_sge where = piece(id, QueuePairs::longest);
  ibv_recv_wr work{};
  work.wr_id = id;
  work.sg_list = &where;
  work.num_sge = 1;
  ibv_recv_wr* bad = nullptr;
  const int failed = ::ibv_post_recv(pair_.get(), &work, &bad);
  if (failed != 0) fail("posting a receive on " + name_, "ibv_post_recv", std::abs(failed));
}

void VerbsQueuePair::send(std::string_view bytes) {
  const std::size_t size = std::min(bytes.size(), QueuePairs::longest);
  std::copy_n(bytes.data(), size, part(send_id));
  ibv_sge where = piece(send_id, size);
  ibv_send_wr work{};
  work.wr_id = send_id;
  work.sg_list = &where;
  work.num_sge = 1;
  work.opcode = IBV_WR_SEND;
  work.send_flags = IBV_SEND_SIGNALED;
  ibv_send_wr* bad = nullptr;
  const int failed = ::ibv_post_send(pair_.get(), &work, &bad);
  if (failed != 0) fail("posting a send on " + name_, "ibv_post_send", std::abs(failed));
}

// RESP_TIMEOUT_ERR: the local side gave up while it waited for an answer.
WorkEnd::How how_of(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_SUCCESS:
      return WorkEnd::How::done;
    case IBV_WC_RETRY_EXC_ERR:
    case IBV_WC_RESP_TIMEOUT_ERR:
      return WorkEnd::How::unanswered;
    case IBV_WC_RNR_RETRY_EXC_ERR:
      return WorkEnd::How::not_ready;
    default:
      return WorkEnd::How::failed;
  }
}

std::optional<WorkEnd> VerbsQueuePair::poll() {
  ibv_wc found{};
  const int count = ::ibv_poll_cq(queue_.get(), 1, &found);
  if (count < 0) fail("polling a completion queue of " + name_, "ibv_poll_cq", std::abs(count));
  if (count == 0) return std::nullopt;
  WorkEnd end;
  end.what = found.wr_id == send_id ? WorkEnd::What::send : WorkEnd::What::receive;
  end.how = how_of(found.status);
  end.status = verbs().ibv_wc_status_str(found.status);
  if (end.what == WorkEnd::What::receive && end.how == WorkEnd::How::done && found.wr_id < receives)
    end.bytes.assign(part(found.wr_id), std::min<std::size_t>(found.byte_len, QueuePairs::longest));
  return end;
}

}  // namespace

std::uint32_t VerbsQueuePairs::active_mtu(const std::string& device, std::uint32_t port) {
  const auto context = open_device(device);
  const std::uint32_t bytes = bytes_of(port_of(*context, {device, port, /*pkey=*/0, /*gid_index=*/{}}).active_mtu);
  return std::clamp(bytes, bytes_of(IBV_MTU_256), bytes_of(IBV_MTU_4096));
}

std::unique_ptr<QueuePair> VerbsQueuePairs::make(const QueuePairPlace& place) {
  return std::make_unique<VerbsQueuePair>(place);
}

}  // namespace rdmastate
