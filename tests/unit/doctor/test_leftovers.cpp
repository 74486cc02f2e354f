// SPDX-License-Identifier: Apache-2.0
// The files that guides have people write, each as the guide has it, and the fields of a spec that are named for it.
#include "base/lines.hpp"
#include "doctor/hand_made.hpp"
#include "fixes.hpp"
#include "patients.hpp"
#include "support/scene.hpp"

namespace rdmastate::doctor {
namespace {

struct ByHand {
  std::string path;
  std::string text;
  std::string fields;
};

// Of Red Hat's guides for RHEL 7, 8 and 9, of Debian's wiki, and what scripts that people copy have.
const ByHand guides[] = {
    {"/etc/systemd/network/70-custom-ifnames.link",
     "[Match]\nMACAddress=80:00:0a:28:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:e1:b1\n\n[Link]\nName=mlx4_ib0\n",
     "ipoib.name"},
    {"/etc/udev/rules.d/70-persistent-ipoib.rules",
     "ACTION==\"add\", SUBSYSTEM==\"net\", DRIVERS==\"?*\", ATTR{type}==\"32\", "
     "ATTR{address}==\"?*00:02:c9:03:00:31:78:f2\", NAME=\"mlx4_ib0\"\n",
     "ipoib.name"},
    {"/etc/security/limits.conf", "@rdma soft memlock unlimited\n@rdma hard memlock unlimited\n", "memlock"},
    {"/etc/security/limits.d/90-jobs.conf", "@rdma - memlock unlimited\n", "memlock"},
    {"/etc/security/limits.d/rdma.conf", "* soft memlock unlimited\n* hard memlock unlimited\n", "memlock"},
    {"/etc/systemd/system/slurmd.service.d/limits.conf", "[Service]\nLimitMEMLOCK=infinity\n", "memlock.services"},
    {"/etc/systemd/system/pbs.service.d/a.conf", "[Service]\nLimitMEMLOCK = infinity\n", "memlock.services"},
    {"/etc/systemd/system/containerd.service.d/a.conf", "[Service]\nLimitMEMLOCK=64G\n", "memlock.services"},
    {"/etc/systemd/system/docker.service.d/a.conf", "[Service]\nLimitMEMLOCK=64G\n", "memlock.services"},
    {"/etc/systemd/system/crio.service.d/a.conf", "[Service]\nLimitMEMLOCK=64G\n", "memlock.services"},
    {"/etc/nfs.conf", "[nfsd]\nrdma = y\nrdma-port = 20050\n", "nfs.server.rdma_port"},
    {"/etc/nfs.conf.d/rdma.conf", "[nfsd]\nrdma = 20049\n", "nfs.server.rdma_port"},
    {"/etc/fstab", "server.example.com:/nfs/projects /mnt nfs rdma,port=20050 0 0\n", "nfs.client.mounts"},
    {"/etc/fstab", "server.example.com:/nfs\t/mnt\tnfs\trdma\t0 0\n", "nfs.client.mounts"},
    {"/etc/fstab", "server.example.com:/nfs /mnt nfs4 vers=4.2,rdma 0 0\n", "nfs.client.mounts"},
    {"/etc/fstab", "server.example.com:/nfs /mnt nfs4 proto=rdma 0 0\n", "nfs.client.mounts"},
    {"/etc/firewalld/zones/public.xml",
     "<zone>\n  <port port=\"20049\" protocol=\"tcp\"/>\n  <port port=\"20049\" protocol=\"udp\"/>\n</zone>\n",
     "nfs.server.firewall"},
    {"/etc/modprobe.d/mlx4.conf", "options mlx4_en pfctx=0x08 pfcrx=0x08\n", "modules.options"},
    {"/etc/modprobe.d/types.conf", "options mlx4_core port_type_array=1,2\n", "devices.ports.link_type"},
    {"/etc/modprobe.d/a.conf", "options mlx5_core prof_sel=3\n", "modules.options"},
    {"/etc/modprobe.d/b.conf", "options ib_ipoib recv_queue_size=512\n", "modules.options"},
    {"/etc/modprobe.d/c.conf", "options rdma_ucm max_backlog=2048\n", "modules.options"},
    {"/etc/modprobe.d/d.conf", "options rpcrdma xprt_rdma_pad_optimize=1\n", "modules.options"},
    {"/etc/rdma/modules/rdma.conf", "# RDS over RDMA support\nrds_rdma\n", "modules.load"},
    {"/etc/rdma/mlx4.conf", "0000:01:00.0 eth ib\n", "devices.ports.link_type"},
    {"/etc/udev/rules.d/60-rdma-persistent-naming.rules",
     "ACTION==\"add\", SUBSYSTEM==\"infiniband\", PROGRAM=\"rdma_rename %k NAME_GUID\"\n", "devices.name"},
    {"/etc/udev/rules.d/99-umad.rules", "KERNEL==\"umad*\", NAME=\"infiniband/%k\", MODE=\"0666\"\n",
     "permissions.umad"},
    {"/usr/lib/udev/rules.d/90-rdma-umad.rules", "KERNEL==\"umad*\", NAME=\"infiniband/%k\", MODE=\"0666\"\n",
     "permissions.umad"},
    {"/lib/udev/rules.d/90-rdma-umad.rules", "KERNEL==\"umad*\", NAME=\"infiniband/%k\", MODE=\"0666\"\n",
     "permissions.umad"},
    {"/etc/network/interfaces", "auto ib0\niface ib0 inet static\n  address 10.20.0.34\n", "ipoib.ipv4"},
    {"/etc/network/interfaces.d/ib0", "iface ib0 inet static\n", "ipoib.ipv4"},
    {"/etc/network/interfaces", "auto mlx4_ib0\niface mlx4_ib0 inet static\n  address 192.0.2.1/24\n", "ipoib.ipv4"},
    {"/etc/network/interfaces.d/storage", "iface mlx4_ib0.8002 inet static\n", "ipoib.ipv4"},
    {"/etc/sysconfig/network-scripts/ifcfg-mlx4_ib0", "DEVICE=mlx4_ib0\nTYPE=InfiniBand\n", "ipoib.ipv4"},
    {"/etc/systemd/system/rxe.service", "[Service]\nExecStart=/usr/bin/rdma link add rxe0 type rxe netdev eno1\n",
     "soft_devices"},
    {"/etc/systemd/system/netns.service", "[Service]\nExecStart=/usr/bin/rdma system set netns exclusive\n",
     "rdma.netns"},
    {"/etc/systemd/system/tos.service", "[Service]\nExecStart=/usr/sbin/cma_roce_tos -d mlx5_0 -t 106\n",
     "devices.ports.roce.tos"},
    {"/etc/systemd/system/mode.service", "[Service]\nExecStart=/usr/sbin/cma_roce_mode -d mlx5_0 -p 1 -m 2\n",
     "devices.ports.roce.default_mode"},
    {"/etc/rc.local", "#!/bin/sh\necho \"IB/RoCE v1\" > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode\n",
     "devices.ports.roce.default_mode"},
    {"/etc/rc.d/rc.local", "#!/bin/sh\nmlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0 --trust dscp\n", "devices.ports.qos"},
    {"/usr/local/bin/rxe.sh", "#!/bin/sh\nrdma link add rxe0 type rxe netdev eno1\n", "soft_devices"},
    {"/usr/local/sbin/children.sh", "#!/bin/sh\necho 0x8002 > /sys/class/net/ib0/create_child\n", "ipoib.pkey"},
};

std::string found_by_hand(const HostModel& model, const std::string& path) {
  for (const auto& one : diagnosis_of(model).findings)
    if (one.id == "set-up-by-hand" && one.subject.name == path) {
      EXPECT_EQ(why_refused(one.fix), "") << one.fix;
      return one.evidence.front().value;
    }
  return "nothing";
}

std::string fix_of(const HostModel& model, const std::string& path) {
  for (const auto& one : diagnosis_of(model).findings)
    if (one.id == "set-up-by-hand" && one.subject.name == path) return one.fix;
  return "nothing";
}

TEST(DoctorLeftovers, EachGuidesFileIsNamedWithItsField) {
  for (const auto& guide : guides)
    for (const char* host : {"storage", "minimal", "rhel-guide"}) {
      HostModel model = example(host);
      EXPECT_EQ(found_by_hand(model, guide.path), "nothing") << guide.path << " of " << host;
      if (guide.path.starts_with("/lib/")) model.files.erase("/lib");  // a link, where the two are merged
      put(model, guide.path, guide.text);
      EXPECT_EQ(found_by_hand(model, guide.path), "as " + guide.fields) << guide.path << " of " << host;
    }
}

bool is_line_of(const HandMade& row, const ByHand& guide) {
  bool is = false;
  for_lines(guide.text, [&](std::string_view line) { is = is || row.is(line); });
  return is && guide.fields.find(row.field) != std::string::npos;
}

// A row that no guide's file has is one that nobody has seen to match anything. Rows of scripts are all pairs of a
// command and a place.
TEST(DoctorLeftovers, EachRowIsOfAGuide) {
  const auto is_any = [](auto&& is) { return std::any_of(std::begin(guides), std::end(guides), is); };
  for (const auto& row : all_hand_made()) {
    EXPECT_FALSE(example_of(row.field).empty()) << row.field;
    EXPECT_TRUE(is_any([&](const ByHand& guide) { return is_line_of(row, guide); })) << row.pattern << ": " << row.word;
    EXPECT_TRUE(is_any([&](const ByHand& guide) { return is_named_by(row.pattern, guide.path); })) << row.pattern;
  }
}

// What a distribution ships, what is a comment, and what rdmastate wrote itself.
TEST(DoctorLeftovers, WhatNobodyWroteByHandIsSilent) {
  const ByHand others[] = {
      {"/etc/nfs.conf", "[nfsd]\nrdma = y\nrdma-port = 20049\n", ""},
      {"/etc/fstab", "# server:/nfs /mnt nfs rdma 0 0\nserver:/rdma-data /mnt nfs defaults 0 0\n", ""},
      {"/etc/systemd/system/database.service", "[Service]\nExecStart=/usr/sbin/database\nLimitMEMLOCK=infinity\n", ""},
      {"/etc/systemd/network/10-lan.link", "[Match]\nMACAddress=00:00:5e:00:53:01\n[Link]\nName=lan0\n", ""},
      {"/usr/lib/udev/rules.d/90-rdma-umad.rules",
       "SUBSYSTEM==\"infiniband_mad\", KERNEL==\"umad*\", TAG+=\"systemd\"\n", ""},
      {"/etc/rdma/modules/rdma.conf", "ib_iser\nib_isert\nib_srpt\nib_uverbs\nrdma_ucm\n# rds_rdma\nsvcrdma\n", ""},
      {"/etc/network/interfaces", "auto lo\niface lo inet loopback\niface eno1 inet dhcp\n  up echo mlx4_ib0\n", ""},
      {"/etc/modprobe.d/nvme.conf", "options nvme_core multipath=N\n", ""},
      {"/etc/firewalld/zones/public.xml", "<zone>\n  <port port=\"2049\" protocol=\"tcp\"/>\n</zone>\n", ""},
      {"/etc/systemd/system/slurmd.service.d/rdmastate.conf",
       "# Managed by rdmastate\n[Service]\nLimitMEMLOCK=infinity\n", ""},
  };
  for (const auto& other : others) {
    HostModel model = example("rhel-guide");
    put(model, other.path, other.text);
    EXPECT_EQ(found_by_hand(model, other.path), "nothing") << other.path;
  }
}

// What `nmcli connection add type infiniband` writes, by the guides of RHEL 8 and 9.
TEST(DoctorLeftovers, ProfilesOfNmcliAreNamed) {
  const std::string profiles = "/etc/NetworkManager/system-connections/";
  const std::string port = profiles + "mlx4_ib0.nmconnection";
  const std::string child = profiles + "mlx4_ib0.8002.nmconnection";
  HostModel model = example("rhel-guide");
  put(model, port,
      "[connection]\nid=mlx4_ib0\ntype=infiniband\ninterface-name=mlx4_ib0\n\n[infiniband]\nmtu=65520\n"
      "transport-mode=connected\n\n[ipv4]\naddress1=192.0.2.1/24,192.0.2.254\ndns=192.0.2.253;\n"
      "method=manual\n\n[ipv6]\nmethod=auto\n");
  put(model, child,
      "[connection]\nid=mlx4_ib0.8002\ntype=infiniband\ninterface-name=mlx4_ib0.8002\n\n[infiniband]\n"
      "p-key=32770\nparent=mlx4_ib0\ntransport-mode=datagram\n\n[ipv4]\nmethod=disabled\n\n[ipv6]\nmethod=ignore\n");
  EXPECT_EQ(found_by_hand(model, port),
            "as ipoib.name, ipoib.mode, ipoib.mtu, ipoib.ipv4.addresses, ipoib.ipv4.dns, ipoib.ipv4.method, "
            "ipoib.ipv6.method");
  EXPECT_EQ(found_by_hand(model, child), "as ipoib.name, ipoib.mode, ipoib.pkey, ipoib.parent");
  EXPECT_EQ(
      fix_of(model, port),
      "A spec says it as ipoib: [{name: mlx4_ib0, mode: connected, mtu: 65520, ipv4: {method: manual, "
      "addresses: [192.0.2.1/24], gateway: 192.0.2.254, dns: [192.0.2.253]}, ipv6: {method: auto}}]. `apply --adopt` takes the file over.");
  // A spec takes no child without its parent.
  EXPECT_EQ(fix_of(model, child),
            "A spec says it as ipoib: [{name: mlx4_ib0, mode: connected, mtu: 65520, ipv4: {method: manual, "
            "addresses: [192.0.2.1/24], gateway: 192.0.2.254, dns: [192.0.2.253]}, ipv6: {method: auto}}, "
            "{parent: mlx4_ib0, pkey: 0x8002, mode: datagram}]. `apply --adopt` takes the file over.");
  model.files.at(port).bytes.insert(0, "# Managed by rdmastate\n");
  EXPECT_EQ(found_by_hand(model, port), "nothing");
}

// OpenSM's ports in its package's settings, as `show --as-spec` reads them.
TEST(DoctorLeftovers, OpensmsSettingsAreNamed) {
  HostModel debian = example("head");
  put(debian, "/etc/default/opensm", "PORTS=\"0xe8ebd30300660010\"\n");
  EXPECT_EQ(found_by_hand(debian, "/etc/default/opensm"), "as subnet_manager");
  EXPECT_EQ(fix_of(debian, "/etc/default/opensm"),
            "A spec says it as subnet_manager: {run: true, instances: [{port_guid: \"e8eb:d303:0066:0010\"}]}. "
            "`apply --adopt` takes the file over.");
  HostModel rhel = example("rhel-guide");
  put(rhel, "/etc/sysconfig/opensm", "GUIDS=\"0xf4521403007bcba1\"\n");
  rhel.files["/etc/systemd/system/network.target.wants/opensm.service"] = {
      {FileType::symlink, 0777, 0, 0}, "/usr/lib/systemd/system/opensm.service", {}};
  EXPECT_EQ(found_by_hand(rhel, "/etc/sysconfig/opensm"), "as subnet_manager");
}

// What a section must have stands beside what the file says.
TEST(DoctorLeftovers, WhatIsReadIsALineThatASpecTakes) {
  HostModel model = example("minimal");
  const std::string path = "/etc/systemd/system/slurmd.service.d/50-rdmastate-memlock.conf";
  put(model, path, "[Service]\nLimitMEMLOCK=64G\n");
  EXPECT_EQ(found_by_hand(model, path), "as memlock.services");
  EXPECT_EQ(fix_of(model, path),
            "A spec says it as memlock: {soft: 64GiB, hard: 64GiB, services: [slurmd.service]}. `apply --adopt` takes "
            "the file over.");
}

// A script that makes devices: the host has them, and those of other scripts too.
TEST(DoctorLeftovers, WhatAScriptMadeIsALineWithItsValues) {
  const std::string unit = "/etc/systemd/system/rxe.service";
  HostModel model = example("storage");
  put(model, unit, "[Service]\nExecStart=/usr/bin/rdma link add rxe0 type rxe netdev eno1\n");
  EXPECT_TRUE(fix_of(model, unit).starts_with("An example")) << "nothing is made yet";
  for (const char* name : {"rxe0", "rxe1"}) {
    RdmaDevice device;
    device.name = name;
    device.ports.resize(1);
    device.ports[0].link_layer = LinkLayer::ethernet;
    model.devices.push_back(device);
  }
  model.soft["rxe0"] = {SoftType::rxe, "eno1", "rxe0"};
  model.soft["rxe1"] = {SoftType::rxe, "eno2", "rxe1"};
  EXPECT_EQ(found_by_hand(model, unit), "as soft_devices");
  EXPECT_EQ(
      fix_of(model, unit),
      "A spec says what this host has now as soft_devices: [{name: rxe0, type: rxe, netdev: eno1}]; then take the file's "
      "line out. `rdmastate show --as-spec` prints what this host has, and `apply --adopt` takes files over.");
  put(model, unit,
      "[Service]\nExecStart=/usr/bin/rdma link add rxe0 type rxe netdev eno1\nExecStart=/usr/sbin/cma_roce_tos -d rxe0 "
      "-t 106\n");
  EXPECT_NE(fix_of(model, unit).find("out. An example, with another host's values: devices: [{match"),
            std::string::npos);
}

// A line with sample values would be copied as it stands.
TEST(DoctorLeftovers, WhatIsNotReadHasAnExampleThatSaysSo) {
  HostModel model = example("storage");
  put(model, "/etc/security/limits.conf", "@rdma hard memlock 1024\n");
  EXPECT_EQ(fix_of(model, "/etc/security/limits.conf"),
            "An example, with another host's values: memlock: {group: rdma, soft: unlimited, hard: unlimited}. "
            "`rdmastate show --as-spec` prints what this host has, and `apply --adopt` takes files over.");
}

// Entries of rdmastate in files of others are its own, by its ledger.
TEST(DoctorLeftovers, WhatRdmastateKeepsInOthersFilesIsSilent) {
  HostModel model = example("head");
  RecordedHost recorded(model);
  apply_spec(recorded, "version: 1\nsubnet_manager: {run: true, instances: [{port_guid: \"0xe8ebd30300660010\"}]}\n");
  EXPECT_EQ(found_by_hand(recorded.model(), "/etc/default/opensm"), "nothing");
}

// What doctor says of mlx4.conf where rdmastate has written its line beside these.
std::string found_beside_our_line(const std::string& lines) {
  HostModel model = example("rhel-guide");
  put(model, "/etc/rdma/mlx4.conf", lines);
  RecordedHost recorded(model);
  apply_spec(
      recorded,
      "version: 1\ndevices: [{match: {node_guid: \"f452:1403:007b:cba0\"}, ports: {1: {link_type: infiniband}, 2: {link_type: infiniband}}}]\n");
  EXPECT_NE(recorded.model().files.at("/etc/rdma/mlx4.conf").bytes, lines);
  return found_by_hand(recorded.model(), "/etc/rdma/mlx4.conf");
}

TEST(DoctorLeftovers, WhatStandsBesideAnEntryOfOursIsFound) {
  EXPECT_EQ(found_beside_our_line("# none\n"), "nothing");
  EXPECT_EQ(found_beside_our_line("0000:01:00.0 eth ib\n"), "as devices.ports.link_type");
}

}  // namespace
}  // namespace rdmastate::doctor
