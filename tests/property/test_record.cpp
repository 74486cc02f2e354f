// SPDX-License-Identifier: Apache-2.0
// A record plans as the host that it was made of, whatever spec comes later, and says so where it does not hold what a
// plan looks at.
#include <fmt/format.h>

#include "base/error.hpp"
#include "host/recorded/model.hpp"
#include "plan/print.hpp"
#include "plan/record.hpp"
#include "property/rich.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

std::string planned(RecordedHost& host, const std::string& spec) {
  const Plan plan = plan_spec(host, spec);
  std::string text = plan_text(plan, Paint(false));
  for (const auto& refusal : plan.refused()) text += refusal + "\n";
  return text;
}

HostModel recorded(RecordedHost& host) {
  Host doors = host.host();
  const Snapshot snapshot(doors);
  return record_host(snapshot, read_facts(snapshot));
}

// As a file, which is what people send around.
HostModel read_again(const HostModel& model) { return read_host_model(write_host_model(model), "record"); }

TEST(Record, PlansEverySpecAsTheHostDoes) {
  for_all("apply A, record; B is planned on the record as on the host", [](Case& drawn) {
    const auto before = any_spec(drawn);
    const auto later = any_spec(drawn);
    RecordedHost host(any_host(drawn).model());
    apply_spec(host, before.text());
    RecordedHost record(read_again(recorded(host)));
    const std::string here = planned(host, later.text()), there = planned(record, later.text());
    if (here != there) falsify("host:\n" + here + "\nrecord:\n" + there);
  });
}

// Name services that refuse to answer.
class Closed final : public Accounts {
 public:
  bool knows_user(const std::string&) override { refuse(); }
  bool knows_group(const std::string&) override { refuse(); }
  bool uses_id(std::uint32_t) override { refuse(); }
  Directory directory() override { refuse(); }
  void locked(const std::function<void()>&) override { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw SystemError("asking for names", EACCES); }
};

TEST(Record, OfWhoMayNotSeeAllSaysWhatItLacks) {
  RecordedHost host(guide_model());
  EXPECT_TRUE(recorded(host).unseen_kinds.empty());
  Host doors = host.host();
  Closed closed;
  doors.accounts = &closed;
  const Snapshot snapshot(doors);
  RecordedHost record(record_host(snapshot, read_facts(snapshot)));
  EXPECT_EQ(record.model().unseen_kinds, std::set<std::string>{"group"});
  EXPECT_EQ(recorded(record).unseen_kinds, std::set<std::string>{"group"});
  const Plan plan = plan_spec(record, memlock("hpcuser"));
  EXPECT_GT(plan.count_unseen(), 0U) << plan_text(plan, Paint(false));
}

class Recorded : public testing::TestWithParam<RichCase> {};

TEST_P(Recorded, PlansAsTheHostDoes) {
  const RichCase& one = GetParam();
  RecordedHost host = rich_host(one);
  RecordedHost record(read_again(recorded(host)));
  EXPECT_EQ(planned(record, one.spec), planned(host, one.spec));
  EXPECT_EQ(planned(record, "version: 1\n"), planned(host, "version: 1\n"));
}

// A record of a record knows no more and no less.
TEST_P(Recorded, IsTheSameOfARecord) {
  RecordedHost host = rich_host(GetParam());
  HostModel first = recorded(host);
  RecordedHost record(first);
  EXPECT_EQ(comparable_text(recorded(record)), comparable_text(first));
}

INSTANTIATE_TEST_SUITE_P(Rich, Recorded, testing::ValuesIn(rich_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

// Whatever writes files says where: else a record would not hold them, and a plan on it would call them unseen.
TEST_P(Recorded, EveryFileOfASpecIsInAPlaceThatItsSectionNames) {
  RecordedHost host = rich_host(GetParam());
  Host doors = host.host();
  const Snapshot snapshot(doors);
  const Facts facts = read_facts(snapshot);
  std::vector<std::string> patterns;
  for (const auto& place : all_places(snapshot, facts)) patterns.push_back(place.pattern);
  for (const auto& wanted : desired_by(GetParam().spec, facts).wanted) {
    if (!wanted.kind->durable || wanted.kind->copies_others) continue;
    const std::string path = wanted.kind->file_of_key(wanted.key);
    EXPECT_TRUE(is_held(patterns, path)) << path;
  }
}

}  // namespace
}  // namespace rdmastate
