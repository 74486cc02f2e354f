// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever a kernel could send is a value or an Error.
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "sys/codec/address_codec.hpp"
#include "sys/codec/link_codec.hpp"
#include "sys/codec/route_codec.hpp"

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
  tried([&] { link_from(bytes); });
  tried([&] { address_from(bytes); });
  tried([&] { route_from(bytes); });
  tried([&] {
    for_each_message(bytes, [&](const Received& message) {
      tried([&] { answer_from(message); });
      tried([&] { link_from(message.payload); });
      return true;
    });
  });
  return 0;
}
