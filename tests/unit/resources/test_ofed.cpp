// SPDX-License-Identifier: Apache-2.0
// openib.conf as openibd's shell reads it.
#include <gtest/gtest.h>

#include "platform/ofed.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view conf =
    "# Load IPoIB\nIPOIB_LOAD=yes\n  RDMA_UCM_LOAD=\"no\"\nUMAD_LOAD='yes' # said why\n#UVERBS_LOAD=no\nE_IPOIB_LOAD=no\n"
    "RENICE_IB_MAD=no\nIPOIB_LOAD=no;\nSET_IPOIB_CM=auto\r\n";

TEST(Openib, ValuesAreThoseOfAShell) {
  EXPECT_EQ(openib_value(conf, "IPOIB_LOAD"), "no") << "the last one counts, and E_IPOIB_LOAD is another key";
  EXPECT_EQ(openib_value(conf, "RDMA_UCM_LOAD"), "no");
  EXPECT_EQ(openib_value(conf, "UMAD_LOAD"), "yes");
  EXPECT_EQ(openib_value(conf, "UVERBS_LOAD"), "") << "a comment says nothing";
  EXPECT_EQ(openib_value(conf, "SET_IPOIB_CM"), "auto");
  EXPECT_EQ(openib_value("", "IPOIB_LOAD"), "");
}

TEST(Openib, ARecordKeepsWhatIsLookedAt) {
  const std::string kept = openib_lines(conf);
  EXPECT_EQ(kept,
            "IPOIB_LOAD=yes\nRDMA_UCM_LOAD=\"no\"\nUMAD_LOAD='yes' # said why\nIPOIB_LOAD=no;\nSET_IPOIB_CM=auto\n");
  EXPECT_EQ(openib_lines(kept), kept);
}

TEST(Openib, KnowsItsModules) {
  EXPECT_EQ(openib_key("mlx5_ib"), "MLX5_LOAD");
  EXPECT_EQ(openib_key("rpcrdma"), "");
}

}  // namespace
}  // namespace rdmastate
