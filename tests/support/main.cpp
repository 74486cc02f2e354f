// SPDX-License-Identifier: Apache-2.0
// The main of every test program: gtest's, and what tests/run counts and shows. The last line is "N passed, N failed";
// no test at all, and a test that was skipped or is disabled, are failures; a crash names the test that ran.
#include <gtest/gtest.h>

#include <unistd.h>
#include <array>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <string>

// Of the sanitizers' runtime, where there is one.
extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace {

std::array<char, 256> running;  // the name of the test that runs, for who can do little more than write
int passed = 0, failed = 0;

void tell_death() {
  std::array<char, 512> text;
  const int length =
      std::snprintf(text.data(), text.size(), "\nFAIL %s\n    the program died in it\n%d passed, %d failed\n",
                    running[0] == '\0' ? "(no test ran)" : running.data(), passed, failed + 1);
  if (::write(STDOUT_FILENO, text.data(), static_cast<std::size_t>(length)) < 0) return;
}

extern "C" void died(int number) {
  tell_death();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

// Of a signal that nobody (no sanitizer) has taken.
void tell_death_by(int number) {
  if (const auto before = std::signal(number, &died); before != SIG_DFL) std::signal(number, before);
}

std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += "    " + line + "\n";
  return result;
}

class Teller final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    std::snprintf(running.data(), running.size(), "%s.%s", test.test_suite_name(), test.name());
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    const auto& result = *test.result();
    const bool good = result.Passed();
    ++(good ? passed : failed);
    if (!good) std::printf("FAIL %s%s\n", running.data(), result.Skipped() ? ": skipped" : "");
    for (int i = 0; !good && i < result.total_part_count(); ++i)
      std::printf("%s", indented(result.GetTestPartResult(i).message()).c_str());
    running[0] = '\0';
  }

  void OnTestProgramEnd(const testing::UnitTest& all) override {
    if (const int disabled = all.reportable_disabled_test_count(); disabled != 0) {
      std::printf("FAIL disabled tests\n");
      failed += disabled;
    }
    std::printf("%d passed, %d failed\n", passed, failed);
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new Teller);  // which gtest owns
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) tell_death_by(number);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(&tell_death);
  const bool all_passed = RUN_ALL_TESTS() == 0;
  if (testing::GTEST_FLAG(list_tests)) return 0;
  if (passed + failed == 0) std::printf("no test ran\n");
  return all_passed && failed == 0 && passed > 0 ? 0 : 1;
}
