// SPDX-License-Identifier: Apache-2.0
#include "support/property.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>

namespace rdmastate {
namespace {

// Every draw is a list of numbers, also one of one number: a smaller case may take another path, and is then given what
// was drawn for something else.
using Numbers = std::vector<std::uint64_t>;

constexpr unsigned all_bits = 64;

std::uint64_t fitting(const Range& range, std::uint64_t number) {
  if (range.spread != Range::Spread::bits) return number % range.end;
  return range.end < all_bits ? number & ((std::uint64_t{1} << range.end) - 1) : number;
}

std::uint64_t drawn(const Range& range, rc::Random random, int size) {
  if (range.spread == Range::Spread::even) return random.next() % range.end;
  if (range.spread == Range::Spread::growing)
    return random.next() % (rc::gen::detail::scaleInteger(range.end - 1, size) + 1);
  const auto bits = (static_cast<int>(range.end) * std::min(size, rc::kNominalSize) + rc::kNominalSize / 2);
  return rc::detail::bitStreamOf(random).next<std::uint64_t>(bits / rc::kNominalSize);
}

rc::Seq<Numbers> with_one_smaller(const Numbers& numbers) {
  return rc::shrink::eachElement(numbers, [](std::uint64_t number) { return rc::shrink::towards(number, {}); });
}

rc::Gen<Numbers> all_of(std::vector<Range> ranges) {
  return [ranges = std::move(ranges)](const rc::Random& random, int size) {
    rc::Random next(random);
    Numbers numbers;
    for (const auto& range : ranges) numbers.push_back(drawn(range, next.split(), size));
    return rc::shrinkable::shrinkRecur(std::move(numbers), &with_one_smaller);
  };
}

rc::Gen<Numbers> list_of(Range each) {
  return [each](const rc::Random& random, int size) {
    rc::Random next(random);
    Numbers numbers(next.split().next() % (static_cast<std::uint64_t>(size) + 1));
    for (auto& number : numbers) number = drawn(each, next.split(), size);
    return rc::shrinkable::shrinkRecur(std::move(numbers), [](const Numbers& now) {
      return rc::seq::concat(rc::shrink::removeChunks(now), with_one_smaller(now));
    });
  };
}

// Learns what is asked for.
struct Asked final : Draw {
  std::uint64_t from(const Range& range) override {
    ranges.push_back(range);
    return 0;
  }
  std::vector<Range> ranges;
};

struct Given final : Draw {
  explicit Given(Numbers given) : numbers(std::move(given)) {}
  std::uint64_t from(const Range& range) override {
    return fitting(range, next < numbers.size() ? numbers[next++] : 0);
  }
  Numbers numbers;
  std::size_t next = 0;
};

std::string escaped(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char code[5];
    std::snprintf(code, sizeof code, "\\x%02x", byte);
    made += byte < ' ' || byte == '"' || byte == '\\' || byte >= 0x7f ? std::string(code) : std::string(1, c);
  }
  return made + "\"";
}

std::uint64_t chosen_seed() {
  const char* given = std::getenv("RDMASTATE_SEED");
  if (given == nullptr || *given == '\0') return std::random_device()();
  const std::string_view text(given);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::runtime_error("RDMASTATE_SEED is no decimal number: " + std::string(text));
  return seed;
}

std::uint64_t seed() {
  static const std::uint64_t chosen = [] {
    const std::uint64_t number = chosen_seed();
    std::printf("random cases of RDMASTATE_SEED=%llu\n", static_cast<unsigned long long>(number));
    ::setenv("RC_PARAMS", ("seed=" + std::to_string(number)).c_str(), 1);  // it tells its own once, unasked
    return number;
  }();
  return chosen;
}

std::string how_to_repeat() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return "RDMASTATE_SEED=" + std::to_string(seed()) + " " + program_invocation_name +
         " --gtest_filter=" + (test == nullptr ? "*" : std::string(test->test_suite_name()) + "." + test->name());
}

struct Falsified : std::runtime_error {
  using runtime_error::runtime_error;
};
struct NoCase {};

void judge(const std::function<void(Case&)>& body) {
  using Result = rc::detail::CaseResult;
  Case drawn_now;
  std::string why;
  try {
    body(drawn_now);
    return;
  } catch (const NoCase&) {
    throw Result(Result::Type::Discard, "this is no case");
  } catch (const Falsified& falsified) {
    why = falsified.what();
  } catch (const std::exception& error) {
    why = std::string("it throws: ") + error.what();
  }
  std::string told = "\ndrawn:";
  for (const auto& shown : drawn_now.shown()) told += "\n" + shown;
  throw Result(Result::Type::Failure, why + told);
}

struct Deaf final : rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

// What is wrong, or nothing.
std::string complaint_of(const rc::detail::TestResult& result) {
  if (result.is<rc::detail::SuccessResult>()) return {};
  if (!result.is<rc::detail::FailureResult>()) {
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    return text.str();
  }
  const auto& failure = result.get<rc::detail::FailureResult>();
  return "not so in case " + std::to_string(failure.numSuccess + 1) + ", made smaller in " +
         std::to_string(failure.reproduce.shrinkPath.size()) + " steps: " + failure.description;
}

}  // namespace

int Draw::number(int least, int end) {
  return least + static_cast<int>(from({Range::Spread::growing, static_cast<std::uint64_t>(end - least)}));
}

std::uint64_t Draw::bits(unsigned count) { return from({Range::Spread::bits, count}); }

bool Draw::flip() { return from({Range::Spread::even, 2}) != 0; }

std::size_t Draw::index(std::size_t count) { return from({Range::Spread::even, count}); }

std::uint64_t Case::from(const Range& range) {
  const Numbers numbers = *all_of({range});
  const std::uint64_t number = fitting(range, numbers.empty() ? 0 : numbers.front());
  show(std::to_string(number));
  return number;
}

Numbers Case::list(const Range& each) {
  Numbers numbers = *list_of(each);
  std::string told = "[";
  for (auto& number : numbers) {
    number = fitting(each, number);
    told += (told.size() > 1 ? ", " : "") + std::to_string(number);
  }
  show(told + "]");
  return numbers;
}

std::string Case::text_of(const std::vector<std::string>& parts) {
  const Range any_part{Range::Spread::even, parts.size()};
  std::string text;
  for (const auto number : *list_of(any_part)) text += parts[fitting(any_part, number)];
  show(escaped(text));
  return text;
}

std::string Case::text() {
  const auto numbers = *rc::gen::map(rc::gen::string<std::string>(), [](const std::string& made) {
    Numbers letters;
    for (const char c : made) letters.push_back(static_cast<unsigned char>(c));
    return letters;
  });
  std::string text;
  for (const auto number : numbers) text += static_cast<char>(number & 0xffU);
  show(escaped(text));
  return text;
}

std::string Case::bytes() {
  std::string text;
  const Range byte{Range::Spread::bits, 8};
  for (const auto number : *list_of(byte)) text += static_cast<char>(fitting(byte, number));
  show(escaped(text));
  return text;
}

void Case::together(const std::function<void(Draw&)>& build) {
  Asked asked;
  build(asked);
  Given given(*all_of(asked.ranges));
  build(given);
}

void for_all(const std::string& what, const std::function<void(Case&)>& body) {
  rc::detail::TestParams params;
  params.seed = seed();
  Deaf deaf;
  const auto result =
      rc::detail::checkTestable([&body] { judge(body); }, rc::detail::TestMetadata{what, what}, params, deaf);
  const std::string complaint = complaint_of(result);
  if (!complaint.empty()) ADD_FAILURE() << what << ": " << complaint << "\nrepeat it: " << how_to_repeat();
}

void falsify(const std::string& why) { throw Falsified(why); }

void must(bool holds, std::string_view what) {
  if (!holds) falsify("not so: " + std::string(what));
}

void assume(bool is_case) {
  if (!is_case) throw NoCase();
}

}  // namespace rdmastate
