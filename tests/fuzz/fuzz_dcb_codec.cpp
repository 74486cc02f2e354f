// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever DCB netlink could send is a value or an Error.
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "sys/codec/dcb_codec.hpp"

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
  tried([&] { dcb_from(bytes); });
  tried([&] { dcb_outcome_from(bytes); });
  return 0;
}
