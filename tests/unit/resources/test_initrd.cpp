// SPDX-License-Identifier: Apache-2.0
// Kind initrd over whole hosts: when an image is made anew, when it is not, and what is said where it cannot be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "host/recorded/initrds.hpp"
#include "platform/initrd.hpp"
#include "platform/layout.hpp"
#include "resources/initrd/initrd.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string options_path(common_layout().modules_options);
const std::string load_path(common_layout().modules_load);
constexpr const char* empty_spec = "version: 1\nnetwork: {backend: none}\n";

std::string options_spec(int size, const std::string& more = {}) {
  return empty_spec + ("modules: {options: {ib_ipoib: {recv_queue_size: " + std::to_string(size) + "}}}\n") + more;
}

constexpr FileMeta regular{FileType::regular, 0644, 0, 0};
constexpr FileMeta directory{FileType::directory, 0755, 0, 0};

// The guide's host, with a kernel's image for each of these; "running" is its own kernel.
struct Boot {
  explicit Boot(InitrdProgram program_, std::string before_, std::string after_ = {})
      : program(program_), before(std::move(before_)), after(std::move(after_)) {
    const std::string text = model.files.at("/proc/sys/kernel/osrelease").bytes;
    running = text.substr(0, text.find('\n'));
    model.files[path_of(program)] = {{FileType::regular, 0755, 0, 0}, "", {}};
    add(running);
  }
  void add(const std::string& release) {
    model.files["/usr/lib/modules/" + release] = {directory, "", {}};
    model.files[image(release)] = {{FileType::regular, 0600, 0, 0}, initrds::image_of(model, program), {}};
    add_parents(model.files);
  }
  std::string image(const std::string& release) const { return before + release + after; }
  std::string image() const { return image(running); }

  InitrdProgram program;
  std::string before, after, running;
  HostModel model = guide_model();
};

Boot debian() { return Boot(InitrdProgram::update_initramfs, "/boot/initrd.img-"); }
Boot rhel() { return Boot(InitrdProgram::dracut, "/boot/initramfs-", ".img"); }

std::size_t images_made(const RecordedHost& host) {
  return static_cast<std::size_t>(std::count_if(host.calls().begin(), host.calls().end(), [](const std::string& call) {
    return call.starts_with("making /boot/");
  }));
}

bool holds(const RecordedHost& host, const std::string& image, const std::string& path) {
  return host.model().files.at(image).bytes.find("\n" + path + " ") != std::string::npos;
}

const Item* initrd_in(const Plan& plan) {
  const auto found =
      std::find_if(plan.items.begin(), plan.items.end(), [](const Item& item) { return item.kind == &initrd_kind; });
  return found == plan.items.end() ? nullptr : &*found;
}

TEST(InitrdTable, SaysWhatIsCopied) {
  const auto& debian = initrd_makers()[0];
  const auto& rhel = initrd_makers()[1];
  for (const auto* maker : {&debian, &rhel}) {
    EXPECT_NE(initrd_input(*maker, "/etc/modprobe.d/a.conf"), nullptr);
    EXPECT_NE(initrd_input(*maker, "/etc/systemd/network/70-a.link"), nullptr);
    EXPECT_EQ(initrd_input(*maker, "/etc/systemd/network/70-a.network"), nullptr);
    EXPECT_EQ(initrd_input(*maker, "/etc/modprobe.d/a.conf.d/b.conf"), nullptr);
    EXPECT_EQ(initrd_input(*maker, "/etc/udev/rules.d/70-rdmastate-ipoib.rules"), nullptr);
  }
  EXPECT_EQ(initrd_input(debian, "/etc/rdma/mlx4.conf"), nullptr);
  ASSERT_NE(initrd_input(rhel, "/etc/rdma/mlx4.conf"), nullptr);
  ASSERT_NE(initrd_input(rhel, load_path), nullptr);
  EXPECT_TRUE(initrd_input(rhel, load_path)->may_lack);
  EXPECT_EQ(initrd_image(rhel, "6.1"), "/boot/initramfs-6.1.img");
  EXPECT_EQ(initrd_release(rhel, "/boot/initramfs-6.1.img"), "6.1");
  EXPECT_EQ(initrd_release(rhel, "/boot/initramfs-.img"), std::nullopt);
  EXPECT_EQ(initrd_release(rhel, "/boot/initramfs-6.1.img.rdmastate"), std::nullopt);
  EXPECT_EQ(initrd_release(debian, "/boot/initrd-6.1"), std::nullopt);
}

TEST(InitrdTable, HasOneBesideItsKernel) {
  const auto found = std::find_if(initrd_makers().begin(), initrd_makers().end(),
                                  [](const InitrdMaker& maker) { return !maker.before.starts_with("/boot/"); });
  ASSERT_NE(found, initrd_makers().end());
  const auto& beside = *found;
  EXPECT_EQ(initrd_image(beside, "6.1"), "/usr/lib/modules/6.1/initramfs.img");
  EXPECT_EQ(initrd_release(beside, "/usr/lib/modules/6.1/initramfs.img"), "6.1");
  EXPECT_EQ(initrd_release(beside, "/usr/lib/modules//initramfs.img"), std::nullopt);
  EXPECT_NE(initrd_input(beside, options_path), nullptr);
  EXPECT_EQ(initrd_input(beside, load_path), nullptr) << "a list that an image lacks is read from the real root";
}

TEST(InitrdTable, KernelsAreOrderedByNumber) {
  EXPECT_TRUE(is_older_kernel("6.1.0-9-amd64", "6.1.0-40-amd64"));
  EXPECT_FALSE(is_older_kernel("6.1.0-40-amd64", "6.1.0-9-amd64"));
  EXPECT_FALSE(is_older_kernel("6.1.0-40-amd64", "6.1.0-40-amd64"));
  EXPECT_TRUE(is_older_kernel("5.14.0-427.13.1.el9_4.x86_64", "5.14.0-427.100.1.el9_4.x86_64"));
  EXPECT_TRUE(is_older_kernel("6.4.0", "6.4.0-rt"));
  EXPECT_FALSE(is_older_kernel("6.10.0", "6.9.9"));
}

TEST(Initrd, IsMadeOnceForWhatItCopies) {
  for (const Boot& boot : {debian(), rhel()}) {
    RecordedHost host(boot.model);
    EXPECT_EQ(apply_spec(host, options_spec(512)).code, ExitCode::done);
    EXPECT_TRUE(holds(host, boot.image(), options_path));
    EXPECT_EQ(images_made(host), 1U);
    EXPECT_TRUE(plan_spec(host, options_spec(512)).is_empty());
    EXPECT_EQ(apply_spec(host, options_spec(256)).code, ExitCode::done);
    EXPECT_EQ(images_made(host), 2U);
    EXPECT_EQ(host.model().files.at(boot.image()).bytes, initrds::image_of(host.model(), boot.program));
  }
}

TEST(Initrd, WhatGoesLeavesIt) {
  RecordedHost host(debian().model);
  apply_spec(host, options_spec(512));
  const Plan plan = plan_spec(host, empty_spec);
  ASSERT_NE(initrd_in(plan), nullptr);
  EXPECT_EQ(initrd_in(plan)->cause, Cause::goes_with);
  EXPECT_EQ(plan.items[plan.steps.back()].kind, &initrd_kind) << "behind the file that goes";
  EXPECT_EQ(apply_spec(host, empty_spec).code, ExitCode::done);
  EXPECT_FALSE(holds(host, debian().image(), options_path));
  EXPECT_EQ(images_made(host), 2U);
  EXPECT_TRUE(plan_spec(host, empty_spec).is_empty());
}

// As a kernel's update does it, or the one who built the image of a whole system.
TEST(Initrd, OneThatSomebodyElseMadeIsAsGood) {
  Boot boot = rhel();
  RecordedHost first(boot.model);
  apply_spec(first, options_spec(512, "rdma: {netns: exclusive}\n"));
  HostModel model = first.model();
  model.files.erase(std::string(common_layout().initrd_notes));
  RecordedHost host(model);
  EXPECT_TRUE(plan_spec(host, options_spec(512, "rdma: {netns: exclusive}\n")).is_empty());
  apply_spec(host, options_spec(512));
  EXPECT_EQ(images_made(host), 1U) << "it still held the options of ib_core";
  EXPECT_EQ(host.model().files.at(boot.image()).bytes, initrds::image_of(host.model(), boot.program));
}

TEST(Initrd, AnOldImageOfTheSameFilesIsStale) {
  Boot boot = debian();
  RecordedHost first(boot.model);
  apply_spec(first, options_spec(512));
  HostModel model = first.model();
  model.files[boot.image()].bytes = std::string(initrd_head);
  RecordedHost host(model);
  EXPECT_NE(initrd_in(plan_spec(host, options_spec(512))), nullptr);
  EXPECT_EQ(apply_spec(host, options_spec(512)).moved, 1U);
  EXPECT_TRUE(holds(host, boot.image(), options_path));
}

TEST(Initrd, OfNewerKernelsIsMadeAndOfOlderOnesLeft) {
  Boot boot = debian();
  boot.add("6.1.0-9-amd64");
  boot.add("6.1.0-41-amd64");
  boot.model.files["/boot/initrd.img-7.0-not-installed"] = boot.model.files.at(boot.image());
  RecordedHost host(boot.model);
  apply_spec(host, options_spec(512));
  EXPECT_EQ(images_made(host), 2U);
  EXPECT_TRUE(holds(host, boot.image(), options_path));
  EXPECT_TRUE(holds(host, boot.image("6.1.0-41-amd64"), options_path));
  EXPECT_FALSE(holds(host, boot.image("6.1.0-9-amd64"), options_path));
  EXPECT_TRUE(plan_spec(host, options_spec(512)).is_empty());
}

TEST(Initrd, AFailureIsUndoneAndMakesNoOtherImage) {
  Boot boot = debian();
  RecordedHost host(boot.model);
  apply_spec(host, options_spec(512));
  const std::string before = seen(host);
  const HostModel start = host.model();
  for (const When when : {When::before, When::after}) {
    RecordedHost probe(start);
    apply_spec(probe, options_spec(256));
    const auto& calls = probe.calls();
    const auto made = std::find_if(calls.begin(), calls.end(), [](const auto& c) { return c.starts_with("making "); });
    RecordedHost broken(start);
    broken.fail_call(static_cast<std::size_t>(made - calls.begin()) + 1, ENOSPC, when);
    const Outcome outcome = apply_spec(broken, options_spec(256));
    EXPECT_EQ(outcome.code, ExitCode::failed_restored) << outcome.message;
    EXPECT_EQ(seen(broken), before);
    EXPECT_EQ(images_made(broken), when == When::before ? 1U : 2U);
    EXPECT_TRUE(plan_spec(broken, options_spec(512)).is_empty());
  }
}

TEST(Initrd, ARollbackMakesItOfTheOldFiles) {
  RecordedHost host(rhel().model);
  apply_spec(host, options_spec(512));
  const std::string before = seen(host);
  apply_spec(host, options_spec(256));
  Host doors = host.host();
  EXPECT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(seen(host), before);
  EXPECT_EQ(images_made(host), 3U);
}

// dracut copies the list, systemd reads it again from the real root.
TEST(Initrd, AListOfModulesIsMadeAnewOnlyWhereItIsHeld) {
  const std::string one = std::string(empty_spec) + "modules: {load: [ib_umad]}\n";
  const std::string none = empty_spec;
  RecordedHost host(rhel().model);
  apply_spec(host, one);
  EXPECT_EQ(images_made(host), 0U);
  HostModel updated = host.model();
  updated.files[rhel().image()].bytes = initrds::image_of(updated, InitrdProgram::dracut);
  RecordedHost later(updated);
  EXPECT_TRUE(plan_spec(later, one).is_empty());
  apply_spec(later, none);
  EXPECT_EQ(images_made(later), 1U);
  EXPECT_FALSE(holds(later, rhel().image(), load_path));
}

TEST(Initrd, IsLeftWhereTheSpecSaysSo) {
  RecordedHost host(debian().model);
  apply_spec(host, options_spec(512));
  EXPECT_EQ(apply_spec(host, options_spec(256, "initrd: leave\n")).code, ExitCode::done);
  apply_spec(host, std::string(empty_spec) + "initrd: leave\n");
  EXPECT_EQ(images_made(host), 1U);
}

TEST(Initrd, AHostWithoutOneHasNothingStale) {
  RecordedHost host(guide_model());
  const Plan plan = plan_spec(host, options_spec(512));
  ASSERT_NE(initrd_in(plan), nullptr);
  EXPECT_TRUE(initrd_in(plan)->gap.in_sync());
  EXPECT_EQ(apply_spec(host, options_spec(512)).code, ExitCode::done);
  EXPECT_FALSE(host.model().files.contains(std::string(common_layout().initrd_notes)));
}

TEST(Initrd, AnImmutableHostIsToldWhatToRun) {
  const auto blocked = [](const HostModel& model) {
    RecordedHost host(model);
    const Plan plan = plan_spec(host, options_spec(512));
    const std::string said = initrd_in(plan)->gap.blocked;
    EXPECT_EQ(apply_spec(host, options_spec(512)).code, ExitCode::could_not);
    EXPECT_EQ(images_made(host), 0U);
    return said;
  };
  Boot boot = rhel();
  boot.model.files["/proc/self/mounts"] = {regular, "/dev/vda / btrfs ro,relatime 0 0\n", {}};
  add_parents(boot.model.files);
  EXPECT_NE(blocked(boot.model).find("mount it writable"), std::string::npos);
  boot.model.files["/usr/sbin/transactional-update"] = {regular, "", {}};
  EXPECT_NE(blocked(boot.model).find("run transactional-update initrd"), std::string::npos);
  boot.model.files["/proc/self/mounts"].bytes = "/dev/vda / btrfs rw 0 0\n/dev/vdb /boot ext4 rw,noatime,ro 0 0\n";
  EXPECT_NE(blocked(boot.model).find("/boot is read-only"), std::string::npos);
  boot.model.files["/run/ostree-booted"] = {regular, "", {}};
  boot.model.files.erase(boot.image());
  add_parents(boot.model.files);
  EXPECT_NE(blocked(boot.model).find("rpm-ostree initramfs-etc --track=" + options_path), std::string::npos);
}

constexpr const char* conf_path = "/etc/dracut.conf.d/rdmastate.conf";
constexpr const char* items_line = "install_optional_items+=\" /etc/modprobe.d/rdmastate-*.conf \"\n";

Boot debians_dracut(const std::string& conf) {
  Boot boot(InitrdProgram::dracut, "/boot/initrd.img-");
  boot.model.files["/usr/lib/dracut/dracut-version.sh"] = {regular, "DRACUT_VERSION=059-4\n", {}};
  if (!conf.empty()) boot.model.files[conf_path] = {regular, conf, {}};
  add_parents(boot.model.files);
  return boot;
}

// dracut 059 and 106 as Debian has them, and what dracut-config-generic says elsewhere.
TEST(Initrd, AGenericImageIsBlockedWithTheLineThatHelps) {
  Boot generic = rhel();
  generic.model.files["/usr/lib/dracut/dracut.conf.d/02-generic-image.conf"] = {regular, "hostonly=\"no\"\n", {}};
  add_parents(generic.model.files);
  for (const Boot& boot : {debians_dracut(""), debians_dracut("hostonly=\"no\"\n"), generic}) {
    RecordedHost host(boot.model);
    EXPECT_EQ(apply_spec(host, options_spec(512)).code, ExitCode::could_not);
    EXPECT_EQ(images_made(host), 0U);
    const std::string said = initrd_in(plan_spec(host, options_spec(512)))->gap.blocked;
    EXPECT_NE(said.find("install_optional_items+=\" /etc/modprobe.d/rdmastate-*.conf"), std::string::npos) << said;
    EXPECT_NE(said.find(options_path), std::string::npos) << said;
    EXPECT_EQ(apply_spec(host, options_spec(512, "initrd: leave\n")).code, ExitCode::done);
  }
}

// The settings name files of options, and no .link files.
TEST(Initrd, AGenericImageIsMadeAnewForWhatItHolds) {
  Boot boot = rhel();
  boot.model.files[conf_path] = {regular, std::string("hostonly=\"no\"\n") + items_line, {}};
  add_parents(boot.model.files);
  const std::string name =
      "ipoib: [{name: store0, match: {port_guid: \"f452:1403:007b:cba1\"}, named_by: link-file}]\n";
  RecordedHost host(boot.model);
  EXPECT_EQ(apply_spec(host, options_spec(512, name)).code, ExitCode::could_not);
  EXPECT_EQ(images_made(host), 1U);
  EXPECT_TRUE(holds(host, boot.image(), options_path));
  const Gap gap = initrd_in(plan_spec(host, options_spec(512, name)))->gap;
  EXPECT_FALSE(gap.move);
  EXPECT_NE(gap.blocked.find("does not copy /etc/systemd/network/60-rdmastate-store0.link: "), std::string::npos)
      << gap.blocked;
  EXPECT_EQ(gap.blocked.find(options_path), std::string::npos) << gap.blocked;
}

TEST(Initrd, DracutCopiesForThisHostOrWhatItsSettingsName) {
  for (const char* conf : {items_line, "hostonly=\"yes\"\n"}) {
    const Boot boot = debians_dracut(conf);
    RecordedHost host(boot.model);
    EXPECT_EQ(apply_spec(host, options_spec(512)).code, ExitCode::done);
    EXPECT_TRUE(holds(host, boot.image(), options_path)) << conf;
    EXPECT_TRUE(plan_spec(host, options_spec(512)).is_empty());
  }
}

// Before rdmastate read dracut's settings it noted files that such an image did not hold. Then the administrator writes
// the line that the plan named.
TEST(Initrd, ANoteOfAnOlderVersionIsNotBelieved) {
  RecordedHost copying(debians_dracut("hostonly=\"yes\"\n").model);
  apply_spec(copying, options_spec(512));
  HostModel model = copying.model();
  std::string& notes = model.files.at(std::string(common_layout().initrd_notes)).bytes;
  const std::size_t version = notes.find("\"format_version\": 2");
  if (version != std::string::npos) notes.replace(version, 19, "\"format_version\": 1");
  const std::size_t time = notes.find("\"modified\": ");
  ASSERT_NE(time, std::string::npos) << notes;
  notes.replace(time, notes.find(',', time) - time, "\"modified\": 2");  // as initrds::times_of() has it
  RecordedHost host(model);
  EXPECT_TRUE(plan_spec(host, options_spec(512)).is_empty());
  host.host().files.replace(conf_path, {regular, items_line, {}});
  EXPECT_EQ(apply_spec(host, options_spec(512)).moved, 1U);
  EXPECT_EQ(images_made(host), 1U);
  EXPECT_TRUE(plan_spec(host, options_spec(512)).is_empty());
}

TEST(Initrd, ASettingThatIsRemovedTellsNothingOfAnImage) {
  Boot boot = rhel();
  boot.model.files[conf_path] = {regular, "hostonly=\"no\"\n", {}};
  add_parents(boot.model.files);
  RecordedHost first(boot.model);
  apply_spec(first, options_spec(512, "initrd: leave\n"));
  HostModel model = first.model();
  model.files.at(boot.image()).bytes = initrds::image_of(model, InitrdProgram::update_initramfs);  // so it is newest
  RecordedHost host(model);
  host.host().files.remove(conf_path);
  apply_spec(host, options_spec(512));
  EXPECT_EQ(images_made(host), 1U);
}

// Debian's dracut 112 has an update-initramfs that runs dracut.
TEST(Initrd, UpdateInitramfsOfDracutIsDracut) {
  Boot boot = debians_dracut("");
  boot.model.files[path_of(InitrdProgram::update_initramfs)] = {{FileType::regular, 0755, 0, 0}, "", {}};
  add_parents(boot.model.files);
  RecordedHost wrapped(boot.model);
  EXPECT_EQ(apply_spec(wrapped, options_spec(512)).code, ExitCode::could_not);
  boot.model.files["/usr/sbin/mkinitramfs"] = {{FileType::regular, 0755, 0, 0}, "", {}};
  RecordedHost both(boot.model);
  EXPECT_EQ(apply_spec(both, options_spec(512)).code, ExitCode::done);
}

// The run died behind the image; at boot the files go back and the image waits for a person.
TEST(Initrd, IsNeverMadeAtBoot) {
  RecordedHost host(debian().model);
  RecordedHost probe(debian().model);
  apply_spec(probe, options_spec(512));
  const auto& calls = probe.calls();
  const auto made = std::find_if(calls.begin(), calls.end(), [](const auto& c) { return c.starts_with("making "); });
  host.crash_at(static_cast<std::size_t>(made - calls.begin()) + 1, When::after);
  EXPECT_THROW(apply_spec(host, options_spec(512)), OrderedCrash);
  host.clear_orders();
  Host doors = host.host();
  std::string said;
  const Listener listener{[](const Plan&) {}, [](const std::string&) {},
                          [&](const std::string& line) { said += line; }};
  EXPECT_EQ(apply_boot(doors, listener).code, ExitCode::could_not);
  EXPECT_EQ(images_made(host), 1U);
  EXPECT_NE(said.find("initrd in /boot is for later"), std::string::npos) << said;
  EXPECT_FALSE(host.model().files.contains(options_path));
  EXPECT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_FALSE(holds(host, debian().image(), options_path));
}

}  // namespace
}  // namespace rdmastate
