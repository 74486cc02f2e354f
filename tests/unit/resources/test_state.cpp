// SPDX-License-Identifier: Apache-2.0
// A state is what its kind says it is, and nothing else may be read out of it.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "resources/entry/entry.hpp"
#include "resources/module.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(State, IsReadAsItsKindsStruct) {
  const State state(module_kind, ModuleState{{"ib_umad"}});
  EXPECT_EQ(state.as<ModuleState>().name.value, "ib_umad");
  EXPECT_TRUE(state.is<ModuleState>());
  EXPECT_FALSE(state.is<FileState>());
}

TEST(State, IsNotReadAsAnotherKindsStruct) {
  const State state(module_kind, ModuleState{{"ib_umad"}});
  EXPECT_EQ(refusal([&] { state.as<EntryState>(); }),
            "internal error: a state of the kind module was taken for one of entry");
  const State file(file_kind, regular_file("x"));
  EXPECT_NE(refusal([&] { file.as<NmProfileState>(); }), "") << "a file is no profile";
}

TEST(State, OfAFileAndMoreIsReadAsAFileToo) {
  const State profile(nm_profile_kind, wanted_nm_profile("[connection]\nuuid=a\n"));
  EXPECT_EQ(profile.as<FileState>().content->value, "[connection]\nuuid=a\n");
  const State network(networkd_file_kind, wanted_networkd_file("/etc/systemd/network/a.network", "[Match]\n"));
  EXPECT_EQ(file_of(network).content->value, "[Match]\n");
}

TEST(State, IsNotMadeOfAnotherKindsStruct) {
  EXPECT_NE(refusal([] { State(nm_profile_kind, regular_file("x")); }), "") << "it would lack what a profile has more";
}

TEST(State, ACopyKeepsWhatTheKindHasMore) {
  const State profile(nm_profile_kind, wanted_nm_profile("[connection]\nuuid=a\n"));
  const State copy = profile.changed<FileState>([](FileState& file) { file.content->value = "b"; });
  EXPECT_EQ(copy.as<NmProfileState>().content->value, "b");
  EXPECT_EQ(copy.as<NmProfileState>().active, "a");
  EXPECT_EQ(profile.as<NmProfileState>().content->value, "[connection]\nuuid=a\n");
}

TEST(State, OfEveryKindIsMadeAndReadAsItself) {
  for (const Kind* kind : all_kinds()) {
    const auto fresh = kind->fresh();
    EXPECT_EQ(kind->seen_as(*kind->type, fresh.get()), fresh.get()) << kind->name;
    EXPECT_EQ(kind->seen_as(typeid(int), fresh.get()), nullptr) << kind->name;
  }
}

TEST(Kinds, AnswerWhatEveryPlanAsks) {
  for (const Kind* kind : all_kinds()) {
    EXPECT_TRUE(kind->observe && kind->gap && kind->needs && kind->move && kind->title) << kind->name;
  }
}

TEST(Kinds, HaveNoNullWhereTheDefaultIsNothing) {
  for (const Kind* kind : all_kinds()) {
    EXPECT_TRUE(kind->stage && kind->no_way_back && kind->loses && kind->still && kind->ours) << kind->name;
    EXPECT_TRUE(kind->mentioned_by && kind->goes_with && kind->put_back && kind->copy_of && kind->warn &&
                kind->places && kind->keep && kind->short_name && kind->present_name)
        << kind->name;
  }
}

}  // namespace
}  // namespace rdmastate
