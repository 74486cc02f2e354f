// SPDX-License-Identifier: Apache-2.0
// Daemons that are missing or too many, limits, subnets, namespaces, GPUs, and what guides left behind.
#include "base/text.hpp"
#include "patients.hpp"

namespace rdmastate::doctor {
namespace {

void limited(HostModel& model, const std::string& unit, std::uint64_t bytes) {
  run(model, unit, {812, MemlockLimit{{bytes}, {bytes}}, false});
}

// Lines of limits.conf for the group ibusers of alice and bob, whose logins by this SSH server, which has 8 MiB, get
// limits of PAM.
void logins(HostModel& model, const std::string& server, const std::string& lines) {
  limited(model, server, 8ULL << 20U);
  put(model, "/etc/passwd", "alice:x:1000:1000::/:/bin/sh\nbob:x:1001:1700::/:/bin/sh\ncarol:x:1002:1002::/:/bin/sh\n");
  put(model, "/etc/group", "alice:x:1000:\nibusers:x:1700:alice\n");
  put(model, "/etc/security/limits.conf", lines);
  put(model, "/etc/ssh/sshd_config", "UsePAM yes\n");
  put(model, "/etc/pam.d/sshd", "session required pam_limits.so\n");
}

// What process 1 may pin, as /proc/1/limits shows it.
void pins_at_first(HostModel& model, const std::string& bytes) {
  put(model, "/proc/1/limits", "Max locked memory         " + bytes + "   " + bytes + "   bytes     \n");
}

// The node description of an adapter of storage.json, whose hostname is storage.example.com.
void describe(HostModel& model, const std::string& description) {
  put(model, "/proc/sys/kernel/hostname", "storage.example.com\n");
  put(model, "/sys/class/infiniband/mlx5_0/node_desc", description);
}

// Makes systemd not answer on the bus.
void silence_systemd(HostModel& model) {
  model.files.erase("/run/systemd/system");
  model.systemd.reset();
}

constexpr const char* near_manager = "opensm@0xe8ebd30300660010.service";

// Debian's OpenSM on the first port of head.json, which has this capability mask, and whose process holds these nodes.
void manage(HostModel& model, const std::string& mask, const std::vector<std::string>& nodes) {
  run(model, near_manager);
  put(model, "/sys/class/infiniband/mlx5_0/ports/1/cap_mask", mask + "\n");
  for (const std::string number : {"0", "1"}) {
    put(model, "/sys/class/infiniband_mad/issm" + number + "/ibdev", "mlx5_" + number + "\n");
    put(model, "/sys/class/infiniband_mad/issm" + number + "/port", "1\n");
  }
  put(model, "/proc/812/fd/0", "");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    model.files["/proc/812/fd/" + std::to_string(5 + i)] = {
        {FileType::symlink, 0777, 0, 0}, "/dev/infiniband/" + nodes[i], {}};
}

void add_address(HostModel& model, const std::string& name, const std::string& text, bool duplicate = false) {
  Address address;
  address.link = link(model, name).index;
  address.duplicate = duplicate;
  EXPECT_FALSE(Text<IpInterface>::read({text, false}, address.value));
  model.addresses.push_back(address);
}

// Two ports of compute.json in one subnet, with these settings of both.
void share(HostModel& model, const char* arp_ignore, const char* rp_filter) {
  for (const std::string name : {"ibp24s0", "ibp64s0"}) {
    link(model, name).up = link(model, name).carrier = true;
    add_address(model, name, name == "ibp24s0" ? "192.0.2.1/24" : "192.0.2.2/24");
  }
  for (const std::string name : {"ibp24s0", "ibp64s0", "all"}) {
    put(model, "/proc/sys/net/ipv4/conf/" + name + "/arp_ignore", name == "all" ? "0\n" : arp_ignore);
    put(model, "/proc/sys/net/ipv4/conf/" + name + "/rp_filter", name == "all" ? "0\n" : rp_filter);
  }
}

constexpr std::uint64_t mib = 1U << 20U;

// A PCIe port's configuration space: a capability, and behind it ACS with this control register.
std::string config_of(unsigned acs) {
  std::string config(4096, '\0');
  const auto set = [&](std::size_t at, std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) config[at++] = static_cast<char>(byte);
  };
  set(0x100, {0x01, 0x00, 0x02, 0x14});  // AER, and the next one at 0x140
  set(0x140, {0x0d, 0x00, 0x01, 0x00, 0x5f, 0x00, acs, 0x00});
  return config;
}

// compute.json with a GPU beside mlx5_0, each behind a port of one switch, which is behind a root port. These are the
// control registers of ACS of the GPU's port and the adapter's.
void share_switch(HostModel& model, unsigned gpu, unsigned adapter) {
  put(model, "/sys/bus/pci/devices/0000:17:00.0/uevent", "DRIVER=nvidia\nPCI_CLASS=30200\nPCI_ID=10DE:2330\n");
  const auto behind = [&](const std::string& bus, const std::string& bridge) {
    put(model, "/sys/class/pci_bus/" + bus + "/device/uevent", "DRIVER=pcieport\nPCI_SLOT_NAME=" + bridge + "\n");
  };
  behind("0000:18", "0000:16:00.0");
  behind("0000:17", "0000:16:01.0");
  behind("0000:16", "0000:15:00.0");
  behind("0000:15", "0000:14:01.0");
  put(model, "/sys/class/pci_bus/0000:17/device/config", config_of(gpu));
  put(model, "/sys/class/pci_bus/0000:18/device/config", config_of(adapter));
  put(model, "/sys/class/pci_bus/0000:16/device/config", config_of(0x1d));
}

// head.json with a node of umad of this mode, and what else may be there.
void open_node(HostModel& model, std::uint32_t mode, const std::string& rule = "") {
  model.files["/dev/infiniband/umad0"] = {{FileType::other, mode, 0, 0}, "", {}};
  put(model, "/usr/lib/udev/rules.d/90-rdma-umad.rules",
      "SUBSYSTEM==\"infiniband_mad\", KERNEL==\"umad*\", TAG+=\"systemd\"\n");
  if (!rule.empty()) put(model, "/usr/lib/udev/rules.d/40-vendor.rules", rule);
  add_parents(model.files);
}

}  // namespace

std::vector<Illness> service_illnesses() {
  return {
      {"second-subnet-manager", "storage", "opensm.service", Severity::warning,
       [](HostModel& model) { run(model, "opensm.service"); }, "subnet_manager: {run: false}",
       [](HostModel& model) { port(model).sm_lid = port(model).lid; }},
      {"memlock-low", "head", "ssh.service", Severity::info,
       [](HostModel& model) {
         logins(model, "ssh.service", "");
         pins_at_first(model, "8388608");
       },
       "what process 1 has"},
      {"memlock-low", "storage", "/etc/security/limits.conf", Severity::warning,
       [](HostModel& model) {
         logins(model, "ssh.service", "@ibusers soft memlock unlimited\n");
         put(model, "/etc/pam.d/sshd", "session include system-auth\n");
         put(model, "/etc/pam.d/system-auth", "session required pam_limits.so set_all\n");
         pins_at_first(model, "65536");
       },
       "alice, bob may pin 64KiB"},
      {"memlock-low", "head", "/etc/security/limits.conf", Severity::warning,
       [](HostModel& model) {  // what process 1 has, which pam_limits would give alice, does not count for her
         logins(model, "ssh.service", "@ibusers - memlock unlimited\nalice -\n");
         pins_at_first(model, "125915136");
       },
       "alice - in /etc/security/limits.conf keeps pam_limits from setting any limit, so a login has that of ssh.service"},
      {"second-subnet-manager", "storage", "opensm@0xe8ebd30300110010.service", Severity::warning,
       [](HostModel& model) {
         run(model, "opensm.service", {});  // it has no process where it has started those of ports
         run(model, "opensm@0xe8ebd30300110010.service");
       }},
      {"opensm-lost-port", "head", near_manager, Severity::error,
       [](HostModel& model) {
         run(model, near_manager, {812, unlimited, false, true});
       },
       "systemctl restart", [](HostModel& model) { run(model, near_manager); }},
      {"opensm-not-announced", "head", near_manager, Severity::warning,
       [](HostModel& model) { manage(model, "0x02514868", {"umad0"}); },
       "IsSM is not set in the capability mask of mlx5_0/1",
       [](HostModel& model) {
         manage(model, "0x0251486a", {"umad0", "issm0"});
       }},
      {"opensm-not-announced", "head", "opensm.service", Severity::warning,
       [](HostModel& model) {
         run(model, "opensm.service");
         for (const std::string device : {"mlx5_0", "mlx5_1"})
           put(model, "/sys/class/infiniband/" + device + "/ports/1/cap_mask", "0x02514868\n");
       },
       "mlx5_0/1, mlx5_1/1"},
      {"opensm-not-announced", "head", near_manager, Severity::warning,
       [](HostModel& model) {
         manage(model, "0x0251486a", {"umad0", "issm1"});
       },
       "another program holds that port's issm0"},
      {"nfs-listener-missing", "storage", "nfs-server.service", Severity::error,
       [](HostModel& model) {
         put(model, "/etc/nfs.conf.d/local.conf", "# Managed by rdmastate\n[nfsd]\nrdma=y\nrdma-port=20049\n");
         model.nfsd.emplace();
         model.nfsd->state.threads = 8;
         model.nfsd->state.listeners = {{"tcp", 2049}};
       },
       "port 20049",
       [](HostModel& model) {
         model.nfsd->state.listeners.push_back({"rdma", 20049});
       }},
      {"iwpmd-missing", "compute", "mlx5_8", Severity::info,
       [](HostModel& model) { put(model, "/sys/class/infiniband/mlx5_8/node_type", "4: RNIC\n"); }, "iwpmd",
       [](HostModel& model) { run(model, "iwpmd.service"); }},
      {"node-description-unset", "storage", "mlx5_0", Severity::info,
       [](HostModel& model) { describe(model, "MT4123 ConnectX-6\n"); }, "rdma-ndd, which sets it, does not run."},
      {"node-description-unset", "storage", "mlx5_0", Severity::info,
       [](HostModel& model) {
         describe(model, "MT4123 ConnectX-6\n");
         run(model, "rdma-ndd.service");
       },
       "rdma-ndd runs with another format.",
       [](HostModel& model) { put(model, "/sys/class/infiniband/mlx5_0/node_desc", "storage mlx5_0\n"); }},
      {"node-description-unset", "storage", "mlx5_0", Severity::info,
       [](HostModel& model) {
         describe(model, "MT4123 ConnectX-6\n");
         silence_systemd(model);
       },
       "Whether rdma-ndd, which sets it, runs is not known."},
      {"rdma-ndd-missing", "storage", "rdma-ndd.service", Severity::info,
       [](HostModel& model) { describe(model, "storage mlx5_0\n"); }, "systemctl start rdma-ndd",
       [](HostModel& model) { run(model, "rdma-ndd.service"); }},
      {"memlock-low", "storage", "slurmd.service", Severity::warning,
       [](HostModel& model) { limited(model, "slurmd.service", 8 * mib); }, "services: [slurmd.service]",
       [](HostModel& model) { limited(model, "slurmd.service", 4096 * mib); }},
      {"memlock-low", "storage", "containerd.service", Severity::info,
       [](HostModel& model) { limited(model, "containerd.service", 8 * mib); }},
      {"memlock-low", "storage", "sshd.service", Severity::info,
       [](HostModel& model) { limited(model, "sshd.service", 8 * mib); }, "memlock: {group: rdma"},
      {"memlock-low", "storage", "ssh.service", Severity::warning,
       [](HostModel& model) {
         logins(model, "ssh.service", "@ibusers - memlock unlimited\n");
         put(model, "/etc/ssh/sshd_config", "Port 22\n");
       },
       "write UsePAM yes there"},
      {"memlock-low", "storage", "/etc/security/limits.d/90-old.conf", Severity::warning,
       [](HostModel& model) {
         logins(model, "ssh.service", "@ibusers - memlock unlimited\n");
         put(model, "/etc/security/limits.d/90-old.conf", "alice hard memlock 64 # by hand\n");
       },
       "alice may pin 64KiB"},
      {"memlock-low", "storage", "/etc/security/limits.conf", Severity::warning,
       [](HostModel& model) { logins(model, "sshd@1-192.0.2.1.service", "@ibusers soft memlock unlimited\n"); },
       "alice, bob may pin 8MiB"},
      {"memlock-low", "storage", "/etc/security/limits.conf", Severity::warning,
       [](HostModel& model) { logins(model, "ssh.service", "@ibusers hard memlock unlimited\n"); },
       "No line sets the soft limit, so a login has that of ssh.service"},
      {"memlock-low", "storage", "ssh.service", Severity::info,
       [](HostModel& model) { logins(model, "ssh.service", "root - memlock unlimited\n"); },
       "who logs in by SSH may pin 8MiB"},
      {"memlock-low", "storage", "containerd.service", Severity::info,
       [](HostModel& model) {
         limited(model, "containerd.service", 4096 * mib);
         model.systemd->units.at("containerd.service").older =
             OlderProcesses{3, "containerd-shim", {{8 * mib}, {8 * mib}}};
       },
       "delete and create the containers"},
      {"arp-flux", "compute", "ibp24s0", Severity::warning, [](HostModel& model) { share(model, "0\n", "2\n"); },
       "arp_ignore = 1",
       [](HostModel& model) {
         for (const std::string name : {"ibp24s0", "ibp64s0"})
           put(model, "/proc/sys/net/ipv4/conf/" + name + "/arp_ignore", "1\n");
       }},
      {"reverse-path-filter", "compute", "ibp24s0", Severity::warning,
       [](HostModel& model) { share(model, "1\n", "1\n"); }, "rp_filter = 2",
       [](HostModel& model) {
         for (const std::string name : {"ibp24s0", "ibp64s0"})
           put(model, "/proc/sys/net/ipv4/conf/" + name + "/rp_filter", "2\n");
       }},
      {"duplicate-address", "storage", "ibp65s0", Severity::error,
       [](HostModel& model) {
         link(model, "ibp65s0").up = link(model, "ibp65s0").carrier = true;
         add_address(model, "ibp65s0", "2001:db8::1/64", true);
       },
       "2001:db8::1", [](HostModel& model) { model.addresses.back().duplicate = false; }},
      {"netns-exclusive", "storage", "", Severity::info,
       [](HostModel& model) { model.netns_mode = NetnsMode::exclusive; }, "netns: shared",
       [](HostModel& model) { model.netns_mode = NetnsMode::shared; }},
      {"gpu-peer-memory", "compute", "", Severity::warning,
       [](HostModel& model) {
         model.modules.loaded.insert("nvidia");
         put(model, "/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54\n");
       },
       "nvidia_peermem", [](HostModel& model) { model.modules.loaded.insert("nvidia_peermem"); }},
      {"acs-redirect", "compute", "mlx5_0", Severity::warning,
       [](HostModel& model) { share_switch(model, 0x1d, 0x11); }, "`setpci -s 0000:16:01.0 ECAP_ACS+6.w=0:000c`",
       [](HostModel& model) { share_switch(model, 0x11, 0x11); }},
      {"acs-redirect", "compute", "mlx5_0", Severity::warning,
       [](HostModel& model) { share_switch(model, 0x11, 0x1d); }, "`setpci -s 0000:16:00.0 ECAP_ACS+6.w=0:000c`"},
      {"set-up-by-hand", "storage", "/etc/systemd/system/rxe.service", Severity::info,
       [](HostModel& model) {
         put(model, "/etc/systemd/system/rxe.service",
             "[Service]\nExecStart=/usr/bin/rdma link add rxe0 type rxe netdev eno1\n");
       },
       "soft_devices: [{",
       [](HostModel& model) {
         put(model, "/etc/systemd/system/rxe.service", "[Service]\n# rdma link add rxe0 type rxe netdev eno1\n");
       }},
      {"set-up-by-hand", "compute", "/etc/security/limits.d/rdma.conf", Severity::info,
       [](HostModel& model) {
         put(model, "/etc/security/limits.d/rdma.conf", "@rdma soft memlock unlimited\n@rdma hard memlock unlimited\n");
       },
       "memlock"},
      {"node-opened-by-hand", "head", "/dev/infiniband/umad0", Severity::warning,
       [](HostModel& model) { open_node(model, 0666); }, "`chmod 0600 /dev/infiniband/umad0`",
       [](HostModel& model) { open_node(model, 0600); }},
      {"node-opened-by-hand", "head", "/dev/infiniband/umad0", Severity::warning,
       [](HostModel& model) {
         open_node(
             model, 0666,
             "# KERNEL==\"umad*\", MODE=\"0666\"\nKERNEL==\"sg*\", MODE=\"0666\"\nKERNEL==\"umad*\", GROUP=\"rdma\"\n");
       },
       "udev gives it 0660"},
      {"node-opened-by-hand", "head", "/dev/infiniband/umad0", Severity::warning,
       [](HostModel& model) {  // asking for a model of storage is no mode, and the vendor's folder is named infiniband
         open_node(model, 0666, "ENV{ID_MODEL}==\"0666\", PROGRAM==\"/opt/infiniband/RUN\", SYMLINK+=\"MODE\"\n");
       },
       "udev gives it 0600"},
  };
}

// What is there and is right: none of it is told.
std::vector<Illness> service_healths() {
  return {
      {"", "storage", "", Severity::info,
       [](HostModel& model) {  // documents of OFED's package, and none of the library's; and a version that is not told
         model.files.erase("/var/lib/dpkg/status");
         put(model, "/usr/share/doc/rdma-core-51mlnx1/README.md", "# RDMA Core\n");
         put(model, "/usr/share/doc/libibverbs/libibverbs.md", "# Introduction\n");
       }},
      {"", "storage", "", Severity::info, [](HostModel& model) { limited(model, "slurmd.service", 4096 * mib); }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {
         limited(model, "containerd.service", 4096 * mib);
         model.systemd->units.at("containerd.service").older =
             OlderProcesses{3, "containerd-shim", {{1024 * mib}, {1024 * mib}}};
       }},
      {"", "storage", "", Severity::info, [](HostModel& model) { run(model, "sshd.service"); }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {  // no limit holds root
         logins(model, "ssh.service", "@ibusers - memlock unlimited\nroot hard memlock 64\ntoor - memlock 64\n");
         put(model, "/etc/group", "ibusers:x:1700:alice,bob,root,toor\n");
         put(model, "/etc/passwd", "root:x:0:0::/:/bin/sh\ntoor:x:0:0::/:/bin/sh\nalice:x:1000:1000::/:/bin/sh\n");
       }},
      {"", "head", "", Severity::info,
       [](HostModel& model) {  // Debian's pam_limits takes what process 1 has
         logins(model, "ssh.service", "@ibusers hard memlock unlimited\n");
         pins_at_first(model, "125915136");
       }},
      {"", "head", "", Severity::info, [](HostModel& model) { limited(model, "ssh.service", 8 * mib); }},
      {"", "compute", "", Severity::info, [](HostModel& model) { share_switch(model, 0x11, 0x11); }},
      {"", "compute", "", Severity::info, [](HostModel& model) { share_switch(model, 0x5d, 0x11); }},
      {"", "compute", "", Severity::info,
       [](HostModel& model) {  // they meet in the root complex alone
         share_switch(model, 0x1d, 0x1d);
         model.files.erase("/sys/class/pci_bus/0000:17/device/uevent");
       }},
      {"", "compute", "", Severity::info,
       [](HostModel& model) {  // who is not root sees the beginning of a configuration space
         share_switch(model, 0x1d, 0x1d);
         for (auto& [path, file] : model.files)
           if (path.ends_with("/config")) file.bytes.resize(64);
       }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) { logins(model, "ssh.service", "@ibusers - memlock unlimited\n"); }},
      {"", "head", "", Severity::info, [](HostModel& model) { open_node(model, 0400); }},
      {"", "head", "", Severity::info,
       [](HostModel& model) { open_node(model, 0660, "SUBSYSTEM==\"infiniband_mad\", GROUP=\"rdma\"\n"); }},
      {"", "head", "", Severity::info,
       [](HostModel& model) { open_node(model, 0666, "KERNEL==\"umad*\", \\\n  MODE:=\"0666\"\n"); }},
      {"", "head", "", Severity::info,
       [](HostModel& model) { open_node(model, 0664, "KERNEL==\"umad*\", RUN+=\"/bin/chmod 664 $devnode\"\n"); }},
      {"", "head", "", Severity::info,
       [](HostModel& model) {  // what is jumped over is for nodes of RDMA alone
         open_node(model, 0666, "SUBSYSTEM!=\"infiniband_mad\", GOTO=\"end\"\nMODE=\"0666\"\nLABEL=\"end\"\n");
       }},
      {"", "head", "", Severity::info,
       [](HostModel& model) {  // of another class
         open_node(model, 0600);
         model.files["/dev/infiniband/uverbs0"] = {{FileType::other, 0666, 0, 0}, "", {}};
       }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {
         logins(model, "ssh.service", "@nobody soft memlock 64\n1000:1001 - memlock 1048576\ncarol - memlock 8193\n");
       }},
      {"", "head", "", Severity::info, [](HostModel& model) { run(model, "opensm.service"); }},
      {"", "head", "", Severity::info,
       [](HostModel& model) {
         manage(model, "0x0251486a", {"issm0", "umad0"});
       }},
      {"", "head", "", Severity::info,
       [](HostModel& model) {
         manage(model, "0x0251486a", {});
         std::erase_if(model.files, [](const auto& file) { return file.first.starts_with("/proc/812/"); });
       }},
      {"", "compute", "", Severity::info, [](HostModel& model) { share(model, "1\n", "2\n"); }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {
         put(model, "/proc/sys/kernel/hostname", "storage\n");
         put(model, "/sys/class/infiniband/mlx5_0/node_desc", "storage mlx5_0\n");
         run(model, "rdma-ndd.service");
       }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {  // OFED's openibd set it
         describe(model, "storage mlx5_0\n");
         put(model, "/etc/infiniband/openib.conf", "ONBOOT=yes\n");
         model.modules.loaded.insert("mlx_compat");
       }},
      {"", "compute", "", Severity::info,
       [](HostModel& model) {
         model.modules.loaded.insert({"nvidia", "nvidia_peermem"});
       }},
      {"", "compute", "", Severity::info,
       [](HostModel& model) {  // the open modules hand out dma-buf
         model.modules.loaded.insert("nvidia");
         put(model, "/proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.14  Release Build\n"
             "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n");
       }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {
         model.files["/etc/systemd/system/alias.service"] = {
             {FileType::symlink, 0777, 0, 0}, "/usr/lib/systemd/system/nfs-server.service", {}};
         put(model, "/etc/systemd/system/rxe.service", "[Service]\n# rdma link add rxe0 type rxe netdev eno1\n");
       }},
  };
}

}  // namespace rdmastate::doctor
