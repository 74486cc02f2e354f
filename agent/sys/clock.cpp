// SPDX-License-Identifier: Apache-2.0
#include "sys/clock.hpp"

#include <thread>

namespace rdmastate {

std::int64_t SystemClock::now() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

std::chrono::milliseconds SystemClock::ticks() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch());
}

void SystemClock::sleep(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

}  // namespace rdmastate
