// SPDX-License-Identifier: Apache-2.0
// What may be pinned by whom, now: a service that runs keeps its limit until it is restarted for who asked, and a login
// has what pam_limits makes of all its files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "resources/link_table.hpp"
#include "resources/login_limit/login_limit.hpp"
#include "resources/service_limit.hpp"
#include "resources/unit_files.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

constexpr std::uint64_t mib = 1024 * MemorySize::kib;
const std::string slurmd = "slurmd.service";
const std::string spec = "version: 1\nmemlock: {soft: 64GiB, hard: unlimited, services: [slurmd.service]}\n";
const MemlockLimit usual{{8 * mib}, {8 * mib}};
const MemlockLimit wanted{{64 * 1024 * mib}, {MemorySize::no_limit}};

HostModel with_slurmd() {
  HostModel model = guide_model();
  model.files["/usr/lib/systemd/system/" + slurmd] = {
      {FileType::regular, 0644, 0, 0}, "[Service]\nExecStart=/usr/sbin/slurmd -D\n", {}};
  add_parents(model.files);
  model.systemd.emplace().units[slurmd] = {812, usual};
  return model;
}

TEST(ServiceLimit, OfWhatRunsIsPendingUntilARestart) {
  RecordedHost host(with_slurmd());
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(host.model().systemd->units.at(slurmd).memlock, usual);
  const Plan plan = plan_spec(host, spec);
  EXPECT_TRUE(plan.is_empty());
  const Item* item = find_item(plan, service_limit_kind, slurmd);
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->gap.pending.sentence,
            "slurmd.service runs with 8MiB (hard 8MiB) until it is started anew: --restart slurmd.service does it now");
  EXPECT_EQ(item->gap.pending.until, Until::unit);
}

// Whoever allows daemons to be disturbed has not said that of the user's own.
TEST(ServiceLimit, IsGivenToWhoIsNamedAlone) {
  RecordedHost host(with_slurmd());
  PlanOptions services;
  services.max_disruption = Disruption::service;
  ASSERT_EQ(apply_spec(host, spec, services).code, ExitCode::done);
  EXPECT_EQ(count_calls(host, "restarting " + slurmd), 0U);
}

TEST(ServiceLimit, ComesWithTheRestartThatWasAskedFor) {
  RecordedHost host(with_slurmd());
  const Plan plan = plan_spec(host, spec, restarting(slurmd));
  const Item* item = find_item(plan, service_limit_kind, slurmd);
  ASSERT_TRUE(item != nullptr && item->has_step());
  EXPECT_EQ(item->disruption, Disruption::service);
  ASSERT_EQ(apply_spec(host, spec, restarting(slurmd)).code, ExitCode::done);
  EXPECT_EQ(host.model().systemd->units.at(slurmd).memlock, wanted);
  EXPECT_EQ(count_calls(host, "restarting " + slurmd), 1U);
  EXPECT_TRUE(plan_spec(host, spec, restarting(slurmd)).is_empty());
  EXPECT_EQ(plan_spec(host, spec, restarting(slurmd)).count_pending(), 0U);
}

// systemd says that a service has started, and its process gets the limit only when somebody has waited `wait` times.
class LateProcess : public Clock {
 public:
  LateProcess(HostModel& model, Clock& clock, int wait) : model_(model), clock_(clock), wait_(wait) {}
  std::int64_t now() override { return clock_.now(); }
  std::chrono::milliseconds ticks() override { return clock_.ticks(); }
  void sleep(std::chrono::milliseconds time) override {
    clock_.sleep(time);
    waited += time;
    if (--wait_ == 0) model_.systemd->units.at(slurmd).memlock = wanted;
  }
  std::chrono::milliseconds waited{0};

 private:
  HostModel& model_;
  Clock& clock_;
  int wait_;
};

// A step on slurmd of a host whose process is that late. Returns how long it waited.
std::chrono::milliseconds restart_waiting(RecordedHost& host, int wait) {
  const Host doors = host.host();
  LateProcess process(host.model(), doors.clock, wait);
  Host late{.description = doors.description, .files = doors.files, .clock = process};
  late.units = doors.units;
  LinkTable links(late);
  Tools tools{late, links};
  const State to(service_limit_kind, ServiceLimitState{wanted.soft, wanted.hard});
  service_limit_kind.move(tools, slurmd, nullptr, &to);
  return process.waited;
}

TEST(ServiceLimit, OfAProcessThatGetsItLateIsAwaited) {
  RecordedHost host(with_slurmd());
  EXPECT_EQ(restart_waiting(host, 3), std::chrono::milliseconds(150));
  EXPECT_EQ(host.model().systemd->units.at(slurmd).memlock, wanted);
  EXPECT_EQ(count_calls(host, "restarting " + slurmd), 1U);
}

TEST(ServiceLimit, OfAProcessThatNeverGetsItIsNotAwaitedForEver) {
  RecordedHost host(with_slurmd());
  EXPECT_EQ(restart_waiting(host, 1000), std::chrono::seconds(5));
}

TEST(ServiceLimit, OfWhatDoesNotRunIsNobodys) {
  HostModel model = with_slurmd();
  model.systemd->units.clear();
  RecordedHost host(std::move(model));
  ASSERT_EQ(apply_spec(host, spec, restarting(slurmd)).code, ExitCode::done);
  EXPECT_EQ(count_calls(host, "starting " + slurmd) + count_calls(host, "restarting " + slurmd), 0U);
  EXPECT_EQ(plan_spec(host, spec).count_pending(), 0U);
}

TEST(ServiceLimit, OfATemplateIsTheLeastOfItsInstances) {
  HostModel model = with_slurmd();
  model.files["/usr/lib/systemd/system/user@1000.service"] = {{FileType::regular, 0644, 0, 0}, "[Service]\n", {}};
  model.files["/usr/lib/systemd/system/user@1001.service"] = {{FileType::regular, 0644, 0, 0}, "[Service]\n", {}};
  model.systemd->units["user@1000.service"] = {900, wanted};
  model.systemd->units["user@1001.service"] = {901, usual};
  RecordedHost host(std::move(model));
  const std::string users = "version: 1\nmemlock: {soft: 64GiB, hard: unlimited, services: [\"user@.service\"]}\n";
  const Plan plan = plan_spec(host, users);
  const Item* item = find_item(plan, service_limit_kind, "user@.service");
  ASSERT_NE(item, nullptr);
  EXPECT_TRUE(item->gap.pending.sentence.starts_with("an instance runs with 8MiB")) << item->gap.pending.sentence;
}

// systemd sets the limits of the unit, and then asks PAM: what that sets counts, and a new start would change nothing.
TEST(ServiceLimit, OfAUsersManagerIsThatOfPamWherePamSetsIt) {
  const auto pending = [](const std::string& pam, const std::string& line, const std::string& uid = "1001") {
    HostModel model = with_slurmd();
    const auto put = [&](const std::string& path, const std::string& text) {
      model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
    };
    put("/etc/os-release", "ID=rhel\nVERSION_ID=9.4\n");
    const std::string manager = "user@" + uid + ".service";
    put("/usr/lib/systemd/system/" + manager, "[Service]\n");
    put("/etc/passwd", "root:x:0:0::/root:/bin/sh\nhpcuser:x:1000:1000::/:/bin/sh\nguest:x:1001:1001::/:/bin/sh\n");
    put("/etc/group", "hpcuser:x:1000:\nguest:x:1001:\n");
    put("/etc/security/limits.d/10-site.conf", line);
    put("/usr/lib/pam.d/systemd-user", "session include common-session\n");
    put("/etc/pam.d/common-session", pam);
    add_parents(model.files);
    model.systemd->units[manager] = {901, usual};
    RecordedHost host(std::move(model));
    const std::string users =
        "version: 1\nmemlock: {group: rdma, members: [hpcuser], soft: 64GiB, hard: unlimited, "
        "services: [\"user@.service\"]}\n";
    return !find_item(plan_spec(host, users), service_limit_kind, "user@.service")->gap.pending.empty();
  };
  const std::string all = "session required pam_limits.so set_all\n", some = "session required pam_limits.so\n";
  EXPECT_FALSE(pending(all, ""));                          // nobody's line: as process 1
  EXPECT_TRUE(pending(some, ""));                          // the unit's
  EXPECT_TRUE(pending("", "guest - memlock 64\n"));        // nobody asks pam_limits
  EXPECT_FALSE(pending(some, "guest - memlock 64\n"));     // the line's
  EXPECT_FALSE(pending(some, "guest hard memlock 64\n"));  // its soft limit is cut to that
  EXPECT_TRUE(pending(all, "guest -\n"));                  // exempt: the unit's
  EXPECT_TRUE(pending(all, "", "1000"));                   // a member, whose group has the same limits
  EXPECT_TRUE(pending(all, "", "1002"));                   // a user of LDAP may be a member
  EXPECT_FALSE(pending(some, "", "0"));                    // no limit holds root
}

// Its drop-in changes and goes as any other, and systemd is asked of its instances alone.
TEST(ServiceLimit, OfATemplateIsLetGo) {
  HostModel model = with_slurmd();
  model.files["/usr/lib/systemd/system/user@.service"] = {{FileType::regular, 0644, 0, 0}, "[Service]\n", {}};
  RecordedHost host(std::move(model));
  const auto users = [](const char* soft) {
    return fmt::format("version: 1\nmemlock: {{soft: {}, hard: unlimited, services: [\"user@.service\"]}}\n", soft);
  };
  const std::string drop_in = "/etc/systemd/system/user@.service.d/50-rdmastate-memlock.conf";
  ASSERT_EQ(apply_spec(host, users("64GiB")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, users("32GiB")).code, ExitCode::done);
  EXPECT_TRUE(host.model().files.contains(drop_in));
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  EXPECT_FALSE(host.model().files.contains(drop_in));
}

// As containerd's shims: who restarts it would take its containers for restarted too.
TEST(ServiceLimit, OfWhatARestartLeftIsPendingUntilThatEnds) {
  HostModel model = with_slurmd();
  RecordedHost host(std::move(model));
  ASSERT_EQ(apply_spec(host, spec, restarting(slurmd)).code, ExitCode::done);
  RecordedUnit& unit = host.model().systemd->units.at(slurmd);
  unit.older = OlderProcesses{1, "slurmstepd", usual};
  const auto sentence = [&] {
    const Plan plan = plan_spec(host, spec, restarting(slurmd));
    EXPECT_TRUE(plan.is_empty()) << "a restart would change nothing";
    const Item* item = find_item(plan, service_limit_kind, slurmd);
    return item == nullptr ? "" : item->gap.pending.sentence;
  };
  EXPECT_EQ(sentence(),
            "1 process of slurmd.service, slurmstepd, runs since before its last start with 8MiB (hard "
            "8MiB) until it ends, and so does what it starts");
  unit.older->count = 2;
  EXPECT_EQ(sentence(),
            "2 processes of slurmd.service, such as slurmstepd, run since before its last start with 8MiB "
            "(hard 8MiB) until they end, and so does what they start");
  unit.older.reset();
  EXPECT_EQ(plan_spec(host, spec).count_pending(), 0U);
}

// Its main process has to be started anew in any case, and that is said first.
TEST(ServiceLimit, OfWhatARestartLeftIsNotAskedBeforeThatOfTheService) {
  HostModel model = with_slurmd();
  model.systemd->units.at(slurmd).older = OlderProcesses{1, "slurmstepd", {{65536}, {65536}}};
  RecordedHost host(std::move(model));
  EXPECT_EQ(find_item(plan_spec(host, spec), service_limit_kind, slurmd)->gap.pending.sentence,
            "slurmd.service runs with 8MiB (hard 8MiB) until it is started anew: --restart slurmd.service does it now");
}

TEST(UnitFiles, AreReadOnceWhenOneChangesAndWhenItGoes) {
  const std::string reading = "making systemd read its files again";
  RecordedHost host(with_slurmd());
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(count_calls(host, reading), 1U);
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(count_calls(host, reading), 1U) << "the second run is silent";
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  EXPECT_EQ(count_calls(host, reading), 2U);
}

TEST(UnitFiles, ThatOthersChangedAreRead) {
  RecordedHost host(with_slurmd());
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  host.model().systemd->units.at(slurmd).needs_reload = true;
  const Plan plan = plan_spec(host, spec);
  const Item* item = find_item(plan, unit_files_kind, slurmd);
  ASSERT_TRUE(item != nullptr && item->has_step());
}

// What these files mean for hpcuser, whose primary group is hpcuser (1600), and who is a member of rdma (1700).
LimitsOf limits(std::initializer_list<LimitsFile> files) {
  return limits_of(files,
                   {.name = "hpcuser", .groups = {"hpcuser", "rdma"}, .uid = 1500, .gid = 1600, .gids = {1600, 1700}});
}

std::string lines_of(const LimitsOf& limits) {
  return fmt::format("{}; {}", limits.soft ? limits.soft->line : "none", limits.hard ? limits.hard->line : "none");
}

TEST(LoginLimit, AmongEqualsTheLastLineCounts) {
  EXPECT_EQ(
      lines_of(limits({{"/a", "@rdma soft memlock 64\n@rdma hard memlock 64\n"}, {"/b", "@rdma - memlock 128\n"}})),
      "@rdma - memlock 128 in /b; @rdma - memlock 128 in /b");
}

TEST(LoginLimit, TheMoreExactLineCountsWhereverItStands) {
  EXPECT_EQ(lines_of(limits({{"/a", "hpcuser hard memlock 64 # by hand\n"},
                             {"/b", "@rdma soft memlock 128\n@rdma hard memlock unlimited\n* - memlock 1\n"}})),
            "@rdma soft memlock 128 in /b; hpcuser hard memlock 64 in /a");
}

TEST(LoginLimit, OfOthersDoesNotCount) {
  EXPECT_EQ(
      lines_of(limits({{"/a", "@other - memlock 64\nroot - memlock 64\n@rdma - nofile 64\n@rdma - memlock many\n"}})),
      "none; none");
}

TEST(LoginLimit, WordsAreReadAsPamLimitsReadsThem) {
  EXPECT_EQ(lines_of(limits({{"/a", "hpcuser SOFT MemLock 64GB of-it\nhpcuser Hard memlock Unlimited\n"}})),
            "hpcuser SOFT MemLock 64GB of-it in /a; hpcuser Hard memlock Unlimited in /a");
  EXPECT_EQ(limits({{"/a", "hpcuser - memlock 64GB\n"}}).soft->size.bytes, 64 * MemorySize::kib);
  for (const char* none : {"-", "-1", "Infinity", "unlimited", "99999999999999999999"})
    EXPECT_EQ(limits({{"/a", std::string("hpcuser - memlock ") + none}}).hard->size.bytes, MemorySize::no_limit)
        << none;
}

// Of a line of two words pam_limits asks only whether the second begins with "-", so "-x" counts too.
TEST(LoginLimit, ALineWithADashAloneExemptsTheUser) {
  for (const char* line : {"hpcuser -", "@rdma -", "1000:2000 -", "@:1700 -x"}) {
    const LimitsOf found = limits({{"/a", "hpcuser - memlock 64\n"}, {"/b", line}, {"/c", "hpcuser - memlock 65\n"}});
    EXPECT_EQ(found.exempt, std::string(line) + " in /b");
    EXPECT_FALSE(found.soft || found.hard) << line;
  }
  for (const char* line : {"other -", "@other -", "* -", "hpcuser soft", "hpcuser - memlock"})
    EXPECT_EQ(limits({{"/a", line}}).exempt, "") << line;
}

// limits.conf(5): "1000:2000" are uids, "@1000:1650" gids, of which pam_limits compares the user's primary group alone.
// "@:1700" is the gid 1700 alone, of any group of the user; so "@1700:1700" is not for hpcuser, and "@:1700" is.
TEST(LoginLimit, LinesForRangesOfIdsCount) {
  const auto line_for = [](const std::string& domain) {
    const auto found = limits({{"/a", "* - memlock 1\n" + domain + " - memlock 2\n* - memlock 3\n"}});
    return found.soft->size.bytes == 2 * MemorySize::kib;
  };
  for (const char* domain : {"1500:", "1000:2000", ":1500", "1500:1500", "@1600:", "@1000:1650", "@:1700"})
    EXPECT_TRUE(line_for(domain)) << domain;
  for (const char* domain : {"1501:", "1000:1499", ":1501", "@1601:", "@1700:1700", "@:1500", ":", "@:", "x:y", "1500",
                             "%", "%rdma", "%other"})
    EXPECT_FALSE(line_for(domain)) << domain;
  EXPECT_EQ(lines_of(limits({{"/a", "1000:2000 - memlock 2\n@rdma - memlock 3\n"}})),
            "1000:2000 - memlock 2 in /a; 1000:2000 - memlock 2 in /a");
}

const std::string group_spec = "version: 1\nmemlock: {group: rdma, members: [daemon], soft: 64GiB, hard: unlimited}\n";

TEST(LoginLimit, ThatAnotherFileGivesIsBlockedAndTheLineIsNamed) {
  HostModel model = guide_model();
  model.files["/etc/security/limits.conf"] = {{FileType::regular, 0644, 0, 0}, "daemon hard memlock 64\n", {}};
  add_parents(model.files);
  RecordedHost host(std::move(model));
  const Plan plan = plan_spec(host, group_spec);
  EXPECT_EQ(find_item(plan, login_limit_kind, "daemon")->gap.blocked,
            "daemon has 64KiB for a hard limit: daemon hard memlock 64 in /etc/security/limits.conf counts more than a "
            "line for the group; remove it there");
}

TEST(LoginLimit, ThatAnExemptionPreventsIsBlocked) {
  HostModel model = guide_model();
  model.files["/etc/security/limits.d/site.conf"] = {{FileType::regular, 0644, 0, 0}, "daemon -\n", {}};
  add_parents(model.files);
  RecordedHost host(std::move(model));
  EXPECT_EQ(find_item(plan_spec(host, group_spec), login_limit_kind, "daemon")->gap.blocked,
            "daemon - in /etc/security/limits.d/site.conf keeps pam_limits from setting any limit of daemon: remove it "
            "there");
}

// Of files of one name libpam reads that of /etc, and else the vendor's.
TEST(LoginLimit, IsReadFromTheVendorsFilesToo) {
  const auto blocked_by = [](const std::map<std::string, std::string>& files) {
    HostModel model = guide_model();
    model.files.erase("/etc/security/limits.conf");
    for (const auto& [path, text] : files) model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
    add_parents(model.files);
    RecordedHost host(std::move(model));
    return find_item(plan_spec(host, group_spec), login_limit_kind, "daemon")->gap.blocked;
  };
  const std::string line = "daemon hard memlock 64\n";
  for (const std::string name : {"limits.conf", "limits.d/99-vendor.conf"}) {
    EXPECT_NE(blocked_by({{"/usr/etc/security/" + name, line}}).find("in /usr/etc/security/" + name),
              std::string::npos);
    EXPECT_EQ(blocked_by({{"/usr/etc/security/" + name, line}, {"/etc/security/" + name, "# ours\n"}}), "");
  }
}

// PAM asks the name service for a user's groups, rdmastate reads files. Of a user whom /etc/passwd lacks, as one of
// LDAP, the primary group is not known: a group of the user's name is taken for it, as useradd(8) makes one for each
// user. The fourth word of passwd is the primary group: 5 is adm, and 1 is daemon.
TEST(LoginLimit, AGroupWithTheUsersNameCountsOnlyWherePasswdLacksTheUser) {
  const auto blocked_by = [](const std::string& passwd) {
    HostModel model = guide_model();
    const auto put = [&](const std::string& path, const std::string& text) {
      model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
    };
    put("/etc/passwd", passwd);
    put("/etc/group", "daemon:x:1:\nadm:x:5:\n");
    put("/etc/security/limits.d/zz-site.conf", "@daemon hard memlock 64\n");
    add_parents(model.files);
    RecordedHost host(std::move(model));
    return find_item(plan_spec(host, group_spec), login_limit_kind, "daemon")->gap.blocked;
  };
  EXPECT_EQ(blocked_by("daemon:x:1:5::/:/usr/sbin/nologin\n"), "");
  EXPECT_NE(blocked_by("daemon:x:1:1::/:/usr/sbin/nologin\n"), "");
  EXPECT_NE(blocked_by("root:x:0:0::/:/bin/sh\n"), "");
}

TEST(LoginLimit, FollowsFromOurFileBeforeItIsWritten) {
  RecordedHost host(guide_model());
  EXPECT_EQ(find_item(plan_spec(host, group_spec), login_limit_kind, "daemon")->gap.blocked, "");
}

TEST(LoginLimit, AnSshServerWithoutPamIsNamed) {
  HostModel model = guide_model();
  const auto put = [&](const std::string& path, const std::string& text) {
    model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
    add_parents(model.files);
  };
  const auto warning = [&] {
    RecordedHost host(model);
    return find_item(plan_spec(host, group_spec), login_limit_kind, "daemon")->warning;
  };
  put("/etc/ssh/sshd_config", "Include /etc/ssh/sshd_config.d/*.conf\nUsePAM yes\n");
  put("/etc/pam.d/sshd", "@include common-session\n");
  put("/etc/pam.d/common-session", "session required pam_limits.so\n");
  EXPECT_EQ(warning(), "");
  put("/etc/ssh/sshd_config.d/10-site.conf", "UsePAM no\n");
  EXPECT_EQ(
      warning(),
      "who comes by SSH has no limits of PAM: /etc/ssh/sshd_config.d/10-site.conf says UsePAM no; write UsePAM yes there");
  put("/etc/ssh/sshd_config.d/10-site.conf", "UsePAM yes\n");
  put("/etc/ssh/sshd_config", "Include site.d/*.conf sshd_config.d/*.conf\n");
  EXPECT_EQ(warning(), "") << "a relative path is one below /etc/ssh, and a line may have several";
  put("/etc/pam.d/common-session", "# session required pam_limits.so\n");
  EXPECT_NE(warning().find("has a session line with pam_limits.so"), std::string::npos) << warning();
}

// pam.d(5): `TYPE include FILE` includes the lines of that type alone.
TEST(LoginLimit, PamsIncludesTakeLinesOfTheirType) {
  const auto is_told = [](const std::string& sshd) {
    HostModel model = guide_model();
    model.files["/etc/ssh/sshd_config"] = {{FileType::regular, 0644, 0, 0}, "UsePAM yes\n", {}};
    model.files["/etc/pam.d/sshd"] = {{FileType::regular, 0644, 0, 0}, sshd, {}};
    model.files["/etc/pam.d/system"] = {{FileType::regular, 0644, 0, 0}, "session required pam_limits.so\n", {}};
    add_parents(model.files);
    RecordedHost host(model);
    return !find_item(plan_spec(host, group_spec), login_limit_kind, "daemon")->warning.empty();
  };
  for (const char* sshd : {"session include system\n", "-session  substack system\n", "@include system\n"})
    EXPECT_FALSE(is_told(sshd)) << sshd;
  for (const char* sshd : {"auth include system\naccount include system\n", "auth substack system\n"})
    EXPECT_TRUE(is_told(sshd)) << sshd;
}

// The value of UsePAM that counts, by what the plan warns of: "" of yes.
std::string warned_of(const std::map<std::string, std::string>& files) {
  HostModel model = guide_model();
  const auto put = [&](const std::string& path, const std::string& text) {
    model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
  };
  put("/etc/pam.d/sshd", "session required pam_limits.so\n");
  for (const auto& [path, text] : files) put(path, text);
  add_parents(model.files);
  RecordedHost host(model);
  return find_item(plan_spec(host, group_spec), login_limit_kind, "daemon")->warning;
}

TEST(LoginLimit, SshdsIncludesAreReadAsSshdReadsThem) {
  const std::string config = "/etc/ssh/sshd_config";
  using Files = std::map<std::string, std::string>;
  const Files yes[] = {
      {{config, "Include conf.d/*.conf\n"}, {"/etc/ssh/conf.d/a.conf", "UsePAM yes\n"}},
      {{config, "Include /no/*.conf \"conf.d/*\"\nUsePAM no\n"}, {"/etc/ssh/conf.d/a", "usepam=yes\n"}},
      {{config, "include=/srv/*/sshd/?.conf\n"}, {"/srv/site/sshd/1.conf", "UsePAM \"yes\" # it is\n"}},
      {{config, "Include a.conf\n"},
       {"/etc/ssh/a.conf", "Include b.conf\nUsePAM no\n"},
       {"/etc/ssh/b.conf", "UsePAM yes\n"}},
      {{config, "Include conf.d/*\n"}, {"/etc/ssh/conf.d/1", "UsePAM yes\n"}, {"/etc/ssh/conf.d/2", "UsePAM no\n"}},
      {{config, "Include a.conf\nUsePAM yes\n"},
       {"/etc/ssh/a.conf", "Match User x\n  Include no.conf\n"},
       {"/etc/ssh/no.conf", "UsePAM no\n"}}};
  for (const auto& files : yes) EXPECT_EQ(warned_of(files), "") << files.at(config);
  const Files no[] = {{{config, "Include conf.d/*\n"}, {"/etc/ssh/conf.d/.hidden", "UsePAM yes\n"}},
                      {{config, "Include conf.d/*\nUsePAM yes\n"}, {"/etc/ssh/conf.d/a", "UsePAM no\n"}},
                      {{config, "# UsePAM yes\nUsePAMs yes\n"}}};
  for (const auto& files : no) EXPECT_NE(warned_of(files), "") << files.at(config);
}

}  // namespace
}  // namespace rdmastate
