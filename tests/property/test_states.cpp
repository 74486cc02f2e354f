// SPDX-License-Identifier: Apache-2.0
// read(write(x)) is x, for the states that runs and boot.json keep.

#include "property/rich.hpp"
#include "resources/file/file.hpp"
#include "resources/link_id.hpp"
#include "resources/registry.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

std::string there_and_back(const State& state) {
  const Kind& kind = state.kind();
  const std::string text = kind.to_json(state).dump();
  const State back = kind.from_json(parse_json(text));
  if (!kind.equal(state, back)) return text + " becomes " + kind.to_json(back).dump();
  if (digest(state) != digest(back)) return text + " changes its digest";
  return {};
}

void comes_back(const State& state) {
  const std::string what = there_and_back(state);
  if (!what.empty()) falsify(what);
}

// Adds the kinds of the states that are wanted.
void all_come_back(const Plan& plan, std::set<std::string_view>& kinds) {
  for (const auto& item : plan.items) {
    if (const State* now = state_of(item.observed)) comes_back(*now);
    if (item.wanted() == nullptr) continue;
    comes_back(*item.wanted());
    kinds.insert(item.kind->name);
  }
}

const std::string ifupdown_child =
    "version: 1\nnetwork: {backend: ifupdown}\nipoib:\n  - {name: ib2, ipv4: {method: manual, addresses: [192.0.2.1/24]}}\n"
    "  - {parent: ib2, pkey: 0x8002}\n";

const std::string netplan_port =
    "version: 1\nnetwork: {backend: netplan}\nipoib:\n  - {name: ib2, ipv4: {method: manual, addresses: [192.0.2.1/24]}}\n";

TEST(States, OfEveryStepOfAnyPlanComeBackFromJson) {
  std::set<std::string_view> kinds;
  for_all("from_json(to_json(state)) is the state", [&](Case& drawn) {
    const auto spec = any_spec(drawn);
    RecordedHost host(any_host(drawn).model());
    all_come_back(plan_spec(host, spec.text()), kinds);
  });
  for (const auto& one : rich_cases()) {
    RecordedHost host = rich_host(one);
    all_come_back(plan_spec(host, one.spec), kinds);
  }
  RecordedHost host(model_with_ifupdown());
  all_come_back(plan_spec(host, ifupdown_child), kinds);
  RecordedHost with_netplan(model_with_netplan("networkd"));
  all_come_back(plan_spec(with_netplan, netplan_port), kinds);
  for (const Kind* kind : all_kinds()) EXPECT_TRUE(kinds.contains(kind->name)) << kind->name;
}

TEST(States, OfFilesHoldAnyBytes) {
  for_all("any bytes, owner, mode and attributes", [](Case& drawn) {
    FileState state;
    state.type = std::array{FileType::regular, FileType::symlink, FileType::directory}[drawn.index(3)];
    state.mode = FileMode{static_cast<std::uint32_t>(drawn.number(0, 010000))};
    state.uid = static_cast<std::uint32_t>(drawn.bits(32));
    if (drawn.flip()) state.content = Bytes{drawn.text()};
    if (drawn.flip()) state.content = Bytes{"hex:" + drawn.text()};
    state.xattrs["user.note"] = Bytes{drawn.text()};
    comes_back(State(file_kind, state));
  });
}

TEST(States, KeysOfInterfacesComeBack) {
  for_all("link_id_from(to_text(id)) is the id", [](Case& drawn) {
    LinkId id;
    switch (drawn.number(0, 3)) {
      case 0:
        id.guid.value = std::max<std::uint64_t>(drawn.bits(64), 1);
        break;
      case 1:
        id.device = "mlx4_" + std::to_string(drawn.number(0, 99));
        id.port = static_cast<std::uint32_t>(drawn.number(1, 255));
        break;
      default:
        id.name = std::array{"ib0", "mlx4_ib0", "a", "ib-0.x_y"}[drawn.index(4)];
    }
    if (drawn.flip()) id.pkey = PKey{static_cast<std::uint16_t>(drawn.number(0x8001, 0xffff))};
    must(link_id_from(to_text(id)) == id, to_text(id) + " comes back");
  });
}

}  // namespace
}  // namespace rdmastate
