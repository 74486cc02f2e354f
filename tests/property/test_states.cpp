// SPDX-License-Identifier: Apache-2.0
// read(write(x)) is x, for the states that runs and boot.json keep.

#include "property/rich.hpp"
#include "resources/file.hpp"
#include "resources/link_id.hpp"
#include "resources/networkd_file.hpp"
#include "resources/nm_profile.hpp"
#include "resources/registry.hpp"

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

TEST(States, OfEveryStepOfAnyPlanComeBackFromJson) {
  std::set<std::string_view> kinds;
  EXPECT_TRUE(rc::check("from_json(to_json(state)) is the state", [&] {
    const auto spec = *rc::gen::arbitrary<SpecPart>();
    RecordedHost host((*rc::gen::arbitrary<HostPart>()).model());
    const Plan plan = plan_spec(host, spec.text());
    for (const auto& item : plan.items) {
      if (item.wanted) RC_ASSERT(there_and_back(*item.wanted) == "");
      if (const State* now = state_of(item.observed)) RC_ASSERT(there_and_back(*now) == "");
      if (item.wanted) kinds.insert(item.kind->name);
    }
  }));
  for (const Kind* kind : all_kinds())
    EXPECT_TRUE(kinds.contains(kind->name) || kind == &nm_profile_kind || kind == &networkd_file_kind) << kind->name;
}

TEST(States, OfFilesHoldAnyBytes) {
  EXPECT_TRUE(rc::check("any bytes, owner, mode and attributes", [] {
    FileState state;
    state.type = *rc::gen::element(FileType::regular, FileType::symlink, FileType::directory);
    state.mode = FileMode{*rc::gen::inRange(0U, 010000U)};
    state.uid = *rc::gen::arbitrary<std::uint32_t>();
    if (*rc::gen::arbitrary<bool>()) state.content = Bytes{*rc::gen::string<std::string>()};
    if (*rc::gen::arbitrary<bool>()) state.content = Bytes{"hex:" + *rc::gen::string<std::string>()};
    state.xattrs["user.note"] = Bytes{*rc::gen::string<std::string>()};
    const std::string what = there_and_back(State(file_kind, state));
    if (!what.empty()) RC_FAIL(what);
  }));
}

TEST(States, KeysOfInterfacesComeBack) {
  EXPECT_TRUE(rc::check("link_id_from(to_text(id)) is the id", [] {
    LinkId id;
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        id.guid.value = *rc::gen::nonZero<std::uint64_t>();
        break;
      case 1:
        id.device = "mlx4_" + std::to_string(*rc::gen::inRange(0, 99));
        id.port = *rc::gen::inRange(1U, 255U);
        break;
      default:
        id.name = *rc::gen::element<std::string>("ib0", "mlx4_ib0", "a", "ib-0.x_y");
    }
    if (*rc::gen::arbitrary<bool>())
      id.pkey = PKey{static_cast<std::uint16_t>(0x8001U + *rc::gen::inRange(0U, 0x7ffeU))};
    RC_ASSERT(link_id_from(to_text(id)) == id);
  }));
}

}  // namespace
}  // namespace rdmastate
