// SPDX-License-Identifier: Apache-2.0
// How long `apply --wait` waits, on a recorded host to which an adapter comes.
#include "cli/late_hardware.hpp"

#include <utility>

#include "spec/desire.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

using namespace std::chrono_literals;

const std::string head = "version: 1\nnetwork: {backend: none}\n";

// How long a minute's wait for this spec's hardware lasts where the adapters come five seconds after its begin.
std::chrono::milliseconds waited(const std::string& spec) {
  HostModel model = guide_model();
  const auto devices = std::exchange(model.devices, {});
  RecordedHost recorded(std::move(model));
  Host host = recorded.host();
  const auto begun = host.clock.ticks();
  Report report;
  const auto loaded = load_spec("spec.yaml", head + spec, report);
  EXPECT_TRUE(loaded && !report.failed()) << render(report, false);
  Wish wish;
  wish.desire = [&](const Facts& facts, const std::vector<Impossible>& impossible, Report& more) {  // for each plan
    if (host.clock.ticks() - begun >= 5s) recorded.model().devices = devices;
    return desire(*loaded, facts, impossible, more);
  };
  await_hardware(host, wish, begun + 60s);
  return host.clock.ticks() - begun;
}

const std::string store = "ipv4: {method: manual, addresses: [192.0.2.1/24]}}]\n";

TEST(AwaitHardware, EndsWhenTheHardwareIsThere) {
  for (const std::string match : {"{port_guid: \"f452:1403:007b:cba1\"}", "{device: mlx4_0, port: 1}"}) {
    const auto time = waited("modules: {load: [ib_ipoib]}\nipoib: [{name: store0, match: " + match + ", " + store);
    EXPECT_GE(time, 5s) << match;
    EXPECT_LT(time, 6s) << match;
  }
}

TEST(AwaitHardware, EndsAtItsDeadline) {
  EXPECT_EQ(waited("ipoib: [{name: store0, match: {device: hca9, port: 1}, " + store), 60s);
}

TEST(AwaitHardware, BeginsForNothingElse) {
  EXPECT_EQ(waited("modules: {load: [no_such_module]}\n"), 0s);
  EXPECT_EQ(waited("modules: {load: [ib_ipoib]}\nipoib: [{name: ib0, " + store), 0s) << "a step comes first";
  EXPECT_EQ(waited("devices: [{match: {pci: \"0000:99:00.0\"}, name: hca9, optional: true}]\n"), 0s);
}

}  // namespace
}  // namespace rdmastate
