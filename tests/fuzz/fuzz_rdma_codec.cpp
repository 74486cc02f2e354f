// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever RDMA netlink could send is a value or an Error.
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "sys/codec/rdma_codec.hpp"

namespace {

template <class Work>
void tried(Work&& work) {
  try {
    work();
  } catch (const rdmastate::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rdmastate::codec;
  const Bytes bytes = std::as_bytes(std::span(data, size));
  std::vector<rdmastate::RdmaUser> users;
  tried([&] { rdma_index_from(bytes); });
  tried([&] { rdma_netdev_from(bytes); });
  tried([&] { rdma_driver_from(bytes); });
  tried([&] { rdma_netns_mode_from(bytes); });
  tried([&] { add_rdma_users(bytes, RdmaResource::queue_pair, users); });
  tried([&] { add_rdma_users(bytes, RdmaResource::cm_id, users); });
  return 0;
}
