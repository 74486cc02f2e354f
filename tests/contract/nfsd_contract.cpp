// SPDX-License-Identifier: Apache-2.0
#include "nfsd_contract.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace rdmastate {
namespace {

bool has(const NfsdState& state, const NfsListener& listener) {
  return std::count(state.listeners.begin(), state.listeners.end(), listener) == 1;
}

TEST_P(NfsdContract, Fact12AListenerIsAddedWhileItRunsAndIsOneForBothFamilies) {
  const NfsListener listener{"tcp", 20999};
  const NfsdState before = nfsd().look().value();
  EXPECT_TRUE(before.threads != 0 && before.grace != 0);
  EXPECT_FALSE(has(before, listener));
  nfsd().listen(listener);
  const NfsdState after = nfsd().look().value();
  EXPECT_TRUE(has(after, listener));
  EXPECT_EQ(after.threads, before.threads);
  EXPECT_EQ(after.listeners.size(), before.listeners.size() + 1);
}

TEST_P(NfsdContract, ThreadsAreRaisedAndLoweredWhileItRunsAndAreNeverNone) {
  const std::uint32_t before = nfsd().look().value().threads;
  nfsd().set_threads(before + 3);
  EXPECT_EQ(nfsd().look().value().threads, before + 3);
  nfsd().set_threads(before);
  EXPECT_EQ(nfsd().look().value().threads, before);
  EXPECT_THROW(nfsd().set_threads(0), Error);
  EXPECT_EQ(nfsd().look().value().threads, before);
}

TEST_P(NfsdContract, NobodyIsItsClient) { EXPECT_TRUE(nfsd().clients().empty()); }

}  // namespace

void NfsdContract::SetUp() {
  if (host.nfsd == nullptr || !nfsd().look() || nfsd().look()->threads == 0) GTEST_SKIP() << "no NFS server runs here";
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NfsdContract);

}  // namespace rdmastate
