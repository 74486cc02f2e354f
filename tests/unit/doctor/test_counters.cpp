// SPDX-License-Identifier: Apache-2.0
// What only two looks tell.
#include "patients.hpp"

namespace rdmastate::doctor {
namespace {

const std::string port_path = "/sys/class/infiniband/mlx5_8/ports/1/";
const std::string netdev_path = "/sys/class/net/enp170s0f0np0/statistics/";

// compute.json's first Ethernet adapter, with all counters.
HostModel counted() {
  HostModel model = example("compute");
  for (const char* counter :
       {"counters/link_downed", "counters/link_error_recovery", "counters/symbol_error", "counters/port_rcv_errors",
        "hw_counters/out_of_buffer", "hw_counters/rx_icrc_encapsulated", "hw_counters/out_of_sequence",
        "hw_counters/packet_seq_err", "hw_counters/local_ack_timeout_err", "hw_counters/roce_adp_retrans",
        "hw_counters/np_cnp_sent", "hw_counters/rp_cnp_handled"})
    put(model, port_path + counter, "7\n");
  for (const char* counter : {"rx_dropped", "rx_missed_errors"}) put(model, netdev_path + counter, "7\n");
  return model;
}

struct Rise {
  std::string path;
  std::string id;
  Severity severity = Severity::warning;
};
const Rise rises[] = {{port_path + "counters/link_downed", "link-flaps"},
                      {port_path + "counters/link_error_recovery", "link-flaps"},
                      {port_path + "counters/symbol_error", "link-errors"},
                      {port_path + "counters/port_rcv_errors", "link-errors"},
                      {port_path + "hw_counters/rx_icrc_encapsulated", "link-errors"},
                      {port_path + "hw_counters/out_of_sequence", "packets-lost"},
                      {port_path + "hw_counters/packet_seq_err", "packets-lost"},
                      {port_path + "hw_counters/local_ack_timeout_err", "packets-lost"},
                      {port_path + "hw_counters/roce_adp_retrans", "packets-lost"},
                      {port_path + "hw_counters/out_of_buffer", "receive-buffers-short"},
                      {port_path + "hw_counters/np_cnp_sent", "congestion", Severity::info},
                      {port_path + "hw_counters/rp_cnp_handled", "congestion", Severity::info},
                      {netdev_path + "rx_dropped", "drops-without-pause"},
                      {netdev_path + "rx_missed_errors", "drops-without-pause"}};

TEST(DoctorCounters, WhatRoseIsFoundAndNothingElse) {
  const HostModel model = counted();
  const Diagnosis first = diagnosis_of(model);
  ASSERT_EQ(first.counters.size(), std::size(rises));
  EXPECT_TRUE(added(first, diagnosis_of(model, &first.counters)).empty());
  for (const auto& rise : rises) {
    HostModel later = model;
    put(later, rise.path, "9\n");
    const auto found = added(first, diagnosis_of(later, &first.counters));
    ASSERT_EQ(found.size(), 1U) << rise.path << testing::PrintToString(found);
    EXPECT_EQ(found[0].id, rise.id);
    EXPECT_EQ(found[0].severity, rise.severity);
    EXPECT_EQ(found[0].subject.name, "mlx5_8/1");
    EXPECT_EQ(found[0].evidence.front(), (Evidence{rise.path, "2 more, now 9"}));
  }
}

TEST(DoctorCounters, OneLookSaysNothingOfThem) {
  const Diagnosis once = diagnosis_of(counted());
  const Diagnosis twice = diagnosis_of(counted(), &once.counters);
  EXPECT_EQ(twice.looked.size(), once.looked.size() + 6);
  EXPECT_TRUE(once.findings == twice.findings);
}

// A driver's return, or a boot, begins them anew.
TEST(DoctorCounters, WhatBeganAnewDidNotRise) {
  const HostModel model = counted();
  Counters before = diagnosis_of(model).counters;
  for (auto& [path, value] : before) value = 1000;
  EXPECT_TRUE(added(diagnosis_of(model), diagnosis_of(model, &before)).empty());
}

TEST(DoctorCounters, DropsBesidePausedPrioritiesAreNoFinding) {
  HostModel model = counted();
  const Diagnosis first = diagnosis_of(model);
  DcbState dcb;
  dcb.flow_control = FlowControl{1U << 3U, 8, 0, 0};
  model.find("enp170s0f0np0")->dcb = dcb;
  put(model, netdev_path + "rx_dropped", "9\n");
  EXPECT_TRUE(added(first, diagnosis_of(model, &first.counters)).empty());
}

TEST(DoctorCounters, WhoOwnsThePrioritiesIsAskedFirst) {
  HostModel model = counted();
  model.find("enp170s0f0np0")->dcb->dcbx = DcbxMode{0x0c};
  const Diagnosis first = diagnosis_of(model);
  const std::string owner = "the firmware of mlx5_8 may negotiate the priorities of enp170s0f0np0 with the switch";
  for (const std::string& counter : {netdev_path + "rx_dropped", port_path + "hw_counters/out_of_sequence"}) {
    HostModel later = model;
    put(later, counter, "9\n");
    const auto found = added(first, diagnosis_of(later, &first.counters));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found[0].fix.find(owner), std::string::npos) << found[0].fix;
    EXPECT_EQ(found[0].fix.find("pfc: [3]"), std::string::npos) << found[0].fix;
  }
}

TEST(DoctorCounters, AnOlderRecordTellsNoOwner) {
  HostModel model = counted();
  model.find("enp170s0f0np0")->dcb->dcbx = DcbxMode{0x0c};
  model.find("enp170s0f0np0")->dcb->is_older = true;
  const Diagnosis first = diagnosis_of(model);
  put(model, netdev_path + "rx_dropped", "9\n");
  const auto found = added(first, diagnosis_of(model, &first.counters));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].fix.find("pfc: [3]"), std::string::npos) << found[0].fix;
}

// Whether drops beside that pause, of which that many more were sent meanwhile, are found.
std::string found_beside(PauseState pause, std::uint64_t more) {
  HostModel model = counted();
  model.find("enp170s0f0np0")->pause = pause;
  const Diagnosis first = diagnosis_of(model);
  if (pause.tx_frames) model.find("enp170s0f0np0")->pause->tx_frames = *pause.tx_frames + more;
  put(model, netdev_path + "rx_dropped", "9\n");
  std::string ids;
  for (const auto& one : added(first, diagnosis_of(model, &first.counters))) ids += one.id;
  return ids;
}

TEST(DoctorCounters, DropsWhileGlobalPauseIsSentAreNoFinding) {
  EXPECT_EQ(found_beside({false, true, true, 5}, 1), "");
  EXPECT_EQ(found_beside({false, true, true, std::nullopt}, 0), "") << "not counted";
  EXPECT_EQ(found_beside({false, true, true, 5}, 0), "drops-without-pause") << "on, and none sent";
  EXPECT_EQ(found_beside({false, true, false, std::nullopt}, 0), "drops-without-pause") << "obeyed alone";
}

// What two looks at a port with flow control for priority 3 read.
struct Looks {
  FlowCounters before = {{"rx_discards_phy", 5}, {"tx_prio3_pause", 70}};
  FlowCounters after = {{"rx_discards_phy", 6}, {"tx_prio3_pause", 70}};
  std::uint8_t priorities = 1U << 3U;
  const char* missing = "9\n";  ///< out_of_sequence, which was 7
  PauseState pause = {};
};

std::vector<Finding> found_beside_pfc(const Looks& looks) {
  HostModel model = counted();
  RecordedLink& link = *model.find("enp170s0f0np0");
  link.dcb = DcbState{FlowControl{looks.priorities, 8, 0, 0}, {}};
  link.pause = looks.pause;
  link.flow_counters = looks.before;
  const Diagnosis first = diagnosis_of(model);
  link.flow_counters = looks.after;
  put(model, port_path + "hw_counters/out_of_sequence", looks.missing);
  put(model, netdev_path + "rx_dropped", "9\n");
  auto found = added(first, diagnosis_of(model, &first.counters));
  std::erase_if(found, [](const Finding& one) { return one.id == "packets-lost" || one.id == "pause-beside-pfc"; });
  return found;
}

TEST(DoctorCounters, LossesBesidePfcThatSentNoPauseAreFound) {
  const auto found = found_beside_pfc({});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, "drops-without-pause");
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_EQ(found[0].evidence,
            (std::vector<Evidence>{{"ethtool -S enp170s0f0np0: rx_discards_phy", "1 more, now 6"},
                                   {port_path + "hw_counters/out_of_sequence", "2 more, now 9"},
                                   {"ethtool -S enp170s0f0np0: tx_prio3_pause", "none more, still 70"}}));
  Looks obeying;
  obeying.pause.rx = true;
  EXPECT_EQ(found_beside_pfc(obeying).size(), 1U) << "global pause that is only obeyed holds nobody back";
}

TEST(DoctorCounters, BesidePfcAllThreeSignsAreNeeded) {
  Looks paused, never_dropped, nothing_missing, sent_by_one, global;
  paused.after["tx_prio3_pause"] = 71;
  EXPECT_TRUE(found_beside_pfc(paused).empty()) << "the switch was told to wait";
  never_dropped.after["rx_discards_phy"] = 5;
  EXPECT_TRUE(found_beside_pfc(never_dropped).empty()) << "a far switch dropped them";
  nothing_missing.missing = "7\n";
  EXPECT_TRUE(found_beside_pfc(nothing_missing).empty()) << "other traffic was dropped";
  sent_by_one.priorities = 1U << 3U | 1U << 4U;
  sent_by_one.before["tx_prio4_pause"] = 1;
  sent_by_one.after["tx_prio4_pause"] = 2;
  EXPECT_TRUE(found_beside_pfc(sent_by_one).empty()) << "one of two priorities sent pauses";
  global.pause = {false, true, true, std::nullopt};
  EXPECT_TRUE(found_beside_pfc(global).empty()) << "global pause may have been sent";
}

TEST(DoctorCounters, BesidePfcWhatWasNotCountedTwiceIsNotJudged) {
  Looks uncounted, new_priority, began_anew;
  uncounted.before.erase("tx_prio3_pause");
  uncounted.after.erase("tx_prio3_pause");
  EXPECT_TRUE(found_beside_pfc(uncounted).empty()) << "a driver without these counters";
  new_priority.before.erase("tx_prio3_pause");
  EXPECT_TRUE(found_beside_pfc(new_priority).empty()) << "flow control came between the looks";
  began_anew.after["tx_prio3_pause"] = 0;
  EXPECT_TRUE(found_beside_pfc(began_anew).empty()) << "the driver came back";
}

TEST(DoctorCounters, WithoutFlowControlADriverIsNotAskedForItsOwnCounters) {
  HostModel model = counted();
  model.find("enp170s0f0np0")->flow_counters = {{"rx_discards_phy", 5}};
  EXPECT_EQ(diagnosis_of(model).counters.size(), std::size(rises));
}

TEST(DoctorCounters, GlobalPauseBesidePfcIsFound) {
  HostModel model = counted();
  DcbState dcb;
  dcb.flow_control = FlowControl{1U << 3U, 8, 0, 0};
  model.find("enp170s0f0np0")->dcb = dcb;
  const Diagnosis well = diagnosis_of(model);
  for (const PauseState& pause : {PauseState{false, true, false, {}}, PauseState{false, false, true, {}}}) {
    model.find("enp170s0f0np0")->pause = pause;
    const auto found = added(well, diagnosis_of(model));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].id, "pause-beside-pfc");
    EXPECT_EQ(found[0].fix.find("`ethtool -A enp170s0f0np0 rx off tx off`"), 0U) << found[0].fix;
  }
  model.find("enp170s0f0np0")->pause = PauseState{true, false, false, 3};
  EXPECT_TRUE(added(well, diagnosis_of(model)).empty());
}

TEST(DoctorCounters, AnEarlierLookIsReadBack) {
  EXPECT_EQ(counters_of_look(R"({"format_version": 1, "counters": {"/a": 3}})", "old.json"), (Counters{{"/a", 3}}));
  for (const char* wrong : {"", "[]", R"({"format_version": 2, "counters": {}})", R"({"format_version": 1})",
                            R"({"format_version": 1, "counters": {"/a": -3}})"}) {
    try {
      counters_of_look(wrong, "old.json");
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("old.json: ")) << error.what();
    }
  }
}

}  // namespace

std::vector<Diagnosis> counter_looks() {
  const HostModel model = counted();
  const Diagnosis first = diagnosis_of(model);
  std::vector<Diagnosis> looks{diagnosis_of(model, &first.counters)};
  for (const auto& rise : rises) {
    HostModel later = model;
    put(later, rise.path, "9\n");
    looks.push_back(diagnosis_of(later, &first.counters));
  }
  return looks;
}

}  // namespace rdmastate::doctor
