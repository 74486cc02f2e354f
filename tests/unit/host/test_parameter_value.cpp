// SPDX-License-Identifier: Apache-2.0
// What people write for a module's parameter, and what the kernel prints of it.
#include <gtest/gtest.h>

#include "host/parameter_value.hpp"

namespace rdmastate {
namespace {

struct Case {
  const char* live;
  const char* wanted;
  const char* printed;
  bool is;
  bool takes;
};

TEST(ParameterValues, AreComparedAsTheKernelReadsThem) {
  for (const auto& [live, wanted, printed, is, takes] : {
           Case{"256", "256", "256", true, true},
           Case{"256", "0x100", "256", true, true},
           Case{"8", "010", "8", true, true},
           Case{"256", "512", "512", false, true},
           Case{"-1", "-1", "-1", true, true},
           Case{"18446744073709551615", "0xffffffffffffffff", "18446744073709551615", true, true},
           Case{"0x10", "16", "0x10", true, true},
           Case{"256", "many", "many", false, false},
           Case{"256", "", "", false, false},
           Case{"600", "off", "off", false, true},  // ib_srp's timeouts
           Case{"256", "99999999999999999999", "99999999999999999999", false, false},
           Case{"Y", "1", "Y", true, true},
           Case{"Y", "on", "Y", true, true},
           Case{"Y", "y", "Y", true, true},
           Case{"N", "0", "N", true, true},
           Case{"N", "off", "N", true, true},
           Case{"N", "Y", "Y", false, true},
           Case{"Y", "2", "2", false, false},
           Case{"1,2", "1,0x2", "1,2", true, true},
           Case{"1,0", "1", "1", true, true},
           Case{"1,2", "1", "1", false, true},
           Case{"1", "1,2", "1,2", false, true},
           Case{"(null)", "eth0", "eth0", false, true},
           Case{"eth0", "eth0", "eth0", true, true},
           Case{"", "eth0", "eth0", false, true},
       }) {
    EXPECT_EQ(printed_like(live, wanted), printed) << live << " " << wanted;
    EXPECT_EQ(is_value(live, wanted), is) << live << " " << wanted;
    EXPECT_EQ(takes_value(live, wanted), takes) << live << " " << wanted;
  }
}

}  // namespace
}  // namespace rdmastate
