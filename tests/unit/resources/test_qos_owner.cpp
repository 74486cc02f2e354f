// SPDX-License-Identifier: Apache-2.0
// Who else negotiates the priorities of a port (DCBX): its firmware, or lldpad.
#include <gtest/gtest.h>

#include "apply/undo.hpp"
#include "qos_scene.hpp"

namespace rdmastate {
namespace {

using namespace qos_scene;

TEST(QosPort, AFirmwareThatNegotiatesIsTheOwner) {
  DcbState state = state_of(0x08, {});
  state.dcbx = DcbxMode{0x0a};
  const Gap gap = gap_of(spec("{pfc: [4]}"), with(state));
  EXPECT_EQ(
      gap.blocked,
      "the firmware of mlx4_1 may negotiate the priorities of enp129s0d1 with the switch (DCBX), and overwrite what "
      "is set: turn that off with the vendor's tool of mlx4_1");
  EXPECT_FALSE(gap.move);
  EXPECT_FALSE(gap.never);
  EXPECT_TRUE(gap_of(spec("{pfc: [3]}"), with(state)).in_sync()) << "what is as asked is nobody's fault";
  HostModel model = with(state);
  for (auto& device : model.devices) device.driver = "mlx5_core";
  const std::string mlx5 =
      "the firmware of mlx4_1 may negotiate the priorities of enp129s0d1 with the switch (DCBX), and overwrite what "
      "is set: `dcb dcbx set dev enp129s0d1 host ieee` gives them to the host now, and mlxconfig's LLDP_NB_DCBX_P1=0 "
      "(or _P2) from the firmware's next reset on";
  EXPECT_EQ(gap_of(spec("{pfc: [4]}"), model).blocked, mlx5);
  model.find(netdev)->dcb->dcbx = DcbxMode{0};
  EXPECT_EQ(gap_of(spec("{pfc: [4]}"), model).blocked, mlx5) << "no bit is left";
  for (auto& device : model.devices) device.driver = "mlx4_core";
  EXPECT_TRUE(gap_of(spec("{pfc: [4]}"), model).move);
}

TEST(QosPort, LldpadIsTheOwnerWhileItRuns) {
  HostModel model = with(state_of(0x08, {}));
  model.systemd.emplace();
  EXPECT_TRUE(gap_of(spec("{pfc: [4]}"), model).move);
  model.systemd->units["lldpad.service"] = {800};
  const Gap gap = gap_of(spec("{pfc: [4]}"), model);
  EXPECT_EQ(gap.blocked,
            "lldpad negotiates the priorities of enp129s0d1 with the switch (DCBX), and may overwrite what is set: set "
            "them with lldptool, or turn it off: `systemctl disable --now lldpad.service lldpad.socket`");
  EXPECT_FALSE(gap.move);
}

const std::string units = "/usr/lib/systemd/system/";
const std::string wants = "/etc/systemd/system/";

/// A host where lldpad is installed; systemd answers nobody there, as at a boot.
HostModel with_lldpad() {
  HostModel model = with(state_of(0x08, {}));
  model.systemd.reset();
  for (const char* name : {"lldpad.service", "lldpad.socket"}) put(model, units + name, "[Unit]\n");
  return model;
}

HostModel linked(HostModel model, const std::string& path, const std::string& target) {
  put(model, wants + path, target);
  model.files.at(wants + path).meta.type = FileType::symlink;
  return model;
}

TEST(QosPort, LldpadIsTheOwnerWhereItStartsAtBoot) {
  const std::string enabled =
      "lldpad is enabled: once started it negotiates the priorities of enp129s0d1 with the switch (DCBX), and may "
      "overwrite what is set: set them with lldptool, or turn it off: `systemctl disable --now lldpad.service "
      "lldpad.socket`";
  const auto blocked = [](const HostModel& model) { return gap_of(spec("{pfc: [4]}"), model).blocked; };
  const HostModel by_service =
      linked(with_lldpad(), "multi-user.target.wants/lldpad.service", units + "lldpad.service");
  const HostModel by_socket = linked(with_lldpad(), "sockets.target.wants/lldpad.socket", units + "lldpad.socket");
  EXPECT_EQ(blocked(by_service), enabled);
  EXPECT_EQ(blocked(by_socket), enabled);
  EXPECT_EQ(blocked(linked(by_socket, "lldpad.service", "/dev/null")), "") << "the socket's service is masked";
  EXPECT_EQ(blocked(linked(by_socket, "lldpad.socket", "/dev/null")), "");
  HostModel answering = by_service;
  answering.systemd.emplace();
  EXPECT_EQ(blocked(answering), enabled);
}

TEST(QosPort, LldpadThatIsNotEnabledIsSeenByItsGroupWhereSystemdIsSilent) {
  HostModel model = with_lldpad();
  const Gap silent = gap_of(spec("{pfc: [4]}"), model);
  EXPECT_EQ(
      silent.unseen,
      "whether lldpad runs, and negotiates the priorities of enp129s0d1, is not seen: systemd does not answer here");
  EXPECT_FALSE(silent.move);
  HostModel answering = model;
  answering.systemd.emplace();
  EXPECT_TRUE(gap_of(spec("{pfc: [4]}"), answering).move);
  put(model, "/sys/fs/cgroup/system.slice/cgroup.procs", "");
  EXPECT_TRUE(gap_of(spec("{pfc: [4]}"), model).move) << "a boot, before D-Bus runs";
  put(model, "/sys/fs/cgroup/system.slice/lldpad.service/cgroup.procs", "800\n");
  EXPECT_EQ(gap_of(spec("{pfc: [4]}"), model).blocked.substr(0, 17), "lldpad negotiates");
}

}  // namespace
}  // namespace rdmastate
