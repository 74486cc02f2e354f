// SPDX-License-Identifier: Apache-2.0
// One small struct about the host, read first: what decides how a spec expands. Part of every plan and record.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "host/place.hpp"
#include "host/rdma.hpp"

namespace rdmastate {

class Snapshot;

/// Who configures network interfaces on this host, and how that was seen.
struct Manager {
  std::string name;      ///< networkmanager, networkd, netplan, ifupdown, wicked
  bool running = false;  ///< its runtime directory is there (never true of a tree)
  bool enabled = false;  ///< starts at the next boot
  std::string evidence;  ///< the path that says so
  /// Only of a tree in which no manager is enabled: the preset file that enables its unit, or "no preset says
  /// otherwise". nullopt otherwise.
  std::optional<std::string> preset = {};
  bool operator==(const Manager&) const = default;

  bool is_here() const { return running || enabled; }
};

/// A statement of a file, foreign or not, that it configures an interface.
struct Claim {
  std::string interface;  ///< a name or selectors, as text (ClaimWords)
  std::string manager;    ///< whose file it is: Manager::name, or "udev"
  std::string path;       ///< of the file
  bool operator==(const Claim&) const = default;
};

/// A mount that a file configures, foreign or not: a line of /etc/fstab, or a unit in /etc/systemd/system.
struct MountClaim {
  std::string target;   ///< the mount point
  std::string manager;  ///< fstab or systemd
  std::string path;
  bool operator==(const MountClaim&) const = default;
};

/// An export of the NFS server in a file, foreign or not: a line of /etc/exports or of /etc/exports.d (exports(5)).
struct ExportClaim {
  std::string path;     ///< the directory
  std::string host;     ///< whom it is exported to, as the file writes it
  std::string options;  ///< the line's default options ("-ro"), then the client's own: "ro,no_root_squash"
  std::string file;
  bool operator==(const ExportClaim&) const = default;
};

/// A setting of the NFS server in a file, foreign or not: only the keys that concern ports and threads.
struct NfsSetting {
  std::string key;  ///< "mountd.port"
  std::string value;
  std::string path;
  bool operator==(const NfsSetting&) const = default;
};

/// A file, foreign or not, that configures OpenSM or what starts it.
struct OpensmFile {
  std::string path;
  bool ours = false;                            ///< it carries rdmastate's mark
  std::map<std::string, std::string> settings;  ///< as opensm_files.hpp reads them, by name
  bool operator==(const OpensmFile&) const = default;
};

/// The facts of one host, read once (read_facts()). Plain data.
struct Facts {
  std::string host;               ///< how the host was reached: "this host", "tree at /mnt"
  bool live = false;              ///< a kernel answers; false for an offline tree
  std::string distribution;       ///< os-release ID; empty when there is none
  std::string distribution_like;  ///< os-release ID_LIKE: nearest first, separated by blanks
  std::string version;            ///< os-release VERSION_ID
  std::string pretty_name;        ///< os-release PRETTY_NAME
  std::string kernel;             ///< uname -r; empty for a tree
  std::string machine_id;         ///< empty in an image that has not booted yet ("uninitialized" counts as empty)
  std::string boot_id;            ///< empty for a tree
  std::string stack;              ///< "inbox", or "ofed" where MLNX_OFED or DOCA-OFED is installed
  /// Versions of programs that differ from those of the distribution's release, by name: "systemd", "networkmanager",
  /// "nfs-utils". Never read from a host: a file of facts gives them.
  std::map<std::string, std::string> versions;
  std::vector<Manager> managers;
  /// The managers whose programs are there; nullopt where this user may not look.
  std::optional<std::vector<std::string>> installed = {};
  bool first_boot = false;  ///< of a tree: its next boot is its first, and presets are read then (machine-id(5))
  std::vector<Claim> claims;
  std::vector<MountClaim> mounts;
  std::vector<NfsSetting> nfs_settings;  ///< in the order that nfs-utils reads them: later ones count
  std::vector<ExportClaim> exports;  ///< in the order that exportfs reads them: of two for the same the first counts
  std::vector<OpensmFile> opensm;
  std::vector<std::string> unseen;    ///< paths that this user may not read: what is there is not known
  std::vector<std::string> includes;  ///< "source ..." lines of /etc/network/interfaces, as they are written there
  bool ifupdown = false;              ///< Debian's ifupdown is here, and interfaces can be brought up by it now
  bool netplan = false;               ///< netplan is here, and can be told now to generate its renderers' files
  std::string netplan_renderer;       ///< networkd or NetworkManager; empty where /etc/netplan has no files
  std::vector<RdmaDevice> devices;

  // Compiled once, in the .cpp of this name: at -O0 each source that ends or copies one takes a second or more for it.
  Facts();
  Facts(const Facts& other);
  Facts(Facts&& other) noexcept;
  Facts& operator=(const Facts& other);
  Facts& operator=(Facts&& other) noexcept;
  ~Facts();

  bool operator==(const Facts&) const = default;

  /// By its name; nullptr where this host does not have it. Belongs to the Facts.
  const Manager* manager(std::string_view name) const;
};

/// Reads os-release, ids, the evidence of each manager, files that name interfaces, and the RDMA devices. Of a tree the
/// devices and versions are those that Snapshot::given() names, and so are managers where the tree tells of none; what
/// the tree knows (distribution, machine id, stack, claims) stays its own.
Facts read_facts(const Snapshot& snapshot);
/// The places that facts are read from.
FilePlaces fact_places();
/// The paths of which only the existence is a fact: the evidence of managers and of OFED stacks.
std::vector<std::string_view> paths_of_signs();
/// The present boot's id alone; empty for a tree.
std::string read_boot_id(const Snapshot& snapshot);

template <>
struct Fields<Manager> {
  static constexpr std::string_view name = "manager";
  static constexpr std::string_view doc = "A program that configures network interfaces on this host.";
  static constexpr auto table = Table{
      Field{"name", &Manager::name, "Which one.", {.required = true, .identity = true}},
      Field{"running", &Manager::running, "It runs now."},
      Field{"enabled", &Manager::enabled, "It starts at the next boot."},
      Field{"evidence", &Manager::evidence, "The path that says so."},
      Field{"preset", &Manager::preset, "Nothing enables it in this tree, and this preset does."},
  };
};

template <>
struct Fields<Claim> {
  static constexpr std::string_view name = "claim";
  static constexpr std::string_view doc = "A statement of a file that it configures an interface.";
  static constexpr auto table = Table{
      Field{"interface", &Claim::interface, "The interface's name."},
      Field{"manager", &Claim::manager, "Whose file it is."},
      Field{"path", &Claim::path, "The file."},
  };
};

template <>
struct Fields<MountClaim> {
  static constexpr std::string_view name = "mount";
  static constexpr std::string_view doc = "A mount that a file configures.";
  static constexpr auto table = Table{
      Field{"target", &MountClaim::target, "Where it is mounted."},
      Field{"manager", &MountClaim::manager, "fstab or systemd."},
      Field{"path", &MountClaim::path, "The file that says so."},
  };
};

template <>
struct Fields<ExportClaim> {
  static constexpr std::string_view name = "export";
  static constexpr std::string_view doc = "An export of the NFS server that a file configures.";
  static constexpr auto table = Table{
      Field{"path", &ExportClaim::path, "The directory."},
      Field{"host", &ExportClaim::host, "Whom it is exported to."},
      Field{"options", &ExportClaim::options, "The options that the file gives it."},
      Field{"file", &ExportClaim::file, "The file that says so."},
  };
};

template <>
struct Fields<NfsSetting> {
  static constexpr std::string_view name = "nfs_setting";
  static constexpr std::string_view doc = "A setting of the NFS server in a file.";
  static constexpr auto table = Table{
      Field{"key", &NfsSetting::key, "Section and key, such as mountd.port."},
      Field{"value", &NfsSetting::value, "As it stands there."},
      Field{"path", &NfsSetting::path, "The file."},
  };
};

template <>
struct Fields<OpensmFile> {
  static constexpr std::string_view name = "opensm_file";
  static constexpr std::string_view doc = "A file that OpenSM is configured by.";
  static constexpr auto table = Table{
      Field{"path", &OpensmFile::path, "The file."},
      Field{"ours", &OpensmFile::ours, "rdmastate wrote it."},
      Field{"settings", &OpensmFile::settings, "Settings, where they are not the default."},
  };
};

template <>
struct Fields<RdmaPort> {
  static constexpr std::string_view name = "port";
  static constexpr std::string_view doc = "One port of an RDMA device.";
  static constexpr auto table = Table{
      Field{"number", &RdmaPort::number, "The port's number, from 1.", {.required = true, .identity = true}},
      Field{"guid", &RdmaPort::guid, "The port GUID: the interface id of GID 0."},
      Field{"link_layer", &RdmaPort::link_layer, "InfiniBand or Ethernet."},
      Field{"state", &RdmaPort::state, "Logical state: 1 DOWN, 2 INIT, 3 ARMED, 4 ACTIVE."},
      Field{"phys_state", &RdmaPort::phys_state, "Physical state: 2 Polling, 3 Disabled, 5 LinkUp."},
      Field{"lid", &RdmaPort::lid, "The port's local identifier."},
      Field{"sm_lid", &RdmaPort::sm_lid, "The subnet manager's LID; 0 when none was seen."},
      Field{"rate", &RdmaPort::rate, "As the kernel prints it."},
      Field{"pkeys", &RdmaPort::pkeys, "The P_Key table's used entries; bit 15 clear is limited membership."},
  };
};

template <>
struct Fields<RdmaDevice> {
  static constexpr std::string_view name = "device";
  static constexpr std::string_view doc = "An RDMA device.";
  static constexpr auto table = Table{
      Field{
          "name", &RdmaDevice::name, "The kernel's present name; it can change.", {.required = true, .identity = true}},
      Field{"node_guid", &RdmaDevice::node_guid, "The node GUID."},
      Field{"sys_image_guid", &RdmaDevice::sys_image_guid, "The system image GUID."},
      Field{"pci", &RdmaDevice::pci, "The PCI function's address."},
      Field{"driver", &RdmaDevice::driver, "The driver of the parent device."},
      Field{"board_id", &RdmaDevice::board_id, "The board id (PSID)."},
      Field{"firmware", &RdmaDevice::firmware, "The firmware's version."},
      Field{"ports", &RdmaDevice::ports, "Its ports."},
      Field{"virtual", &RdmaDevice::is_virtual, "An SR-IOV virtual function of this host's own."},
  };
};

template <>
struct Fields<Facts> {
  static constexpr std::string_view name = "facts";
  static constexpr std::string_view doc = "What is known of a host before anything is planned.";
  static constexpr auto table = Table{
      Field{"host", &Facts::host, "How the host was reached."},
      Field{"live", &Facts::live, "A kernel answers."},
      Field{"distribution", &Facts::distribution, "The distribution's id."},
      Field{"distribution_like", &Facts::distribution_like, "The distributions that it is like."},
      Field{"version", &Facts::version, "The distribution's version."},
      Field{"pretty_name", &Facts::pretty_name, "The distribution's name as it prints it."},
      Field{"kernel", &Facts::kernel, "The kernel's release."},
      Field{"machine_id", &Facts::machine_id, "The machine id; a cloned image has another one."},
      Field{"boot_id", &Facts::boot_id, "The present boot's id."},
      Field{"stack", &Facts::stack, "inbox, or ofed."},
      Field{"versions", &Facts::versions, "Programs of another version than the distribution's release came with."},
      Field{"managers", &Facts::managers, "Who configures interfaces here."},
      Field{"installed", &Facts::installed, "Which of them are installed; left out where that may not be looked at."},
      Field{"first_boot", &Facts::first_boot, "A tree whose next boot is its first, at which presets are read."},
      Field{"claims", &Facts::claims, "Which files name which interface."},
      Field{"mounts", &Facts::mounts, "Which files of others configure mounts."},
      Field{"nfs_settings", &Facts::nfs_settings, "The settings of the NFS server in files."},
      Field{"exports", &Facts::exports, "What the NFS server exports by its files."},
      Field{"opensm", &Facts::opensm, "What OpenSM is configured by."},
      Field{"includes", &Facts::includes, "What /etc/network/interfaces includes."},
      Field{"ifupdown", &Facts::ifupdown, "Debian's ifupdown is here and can be told."},
      Field{"netplan", &Facts::netplan, "netplan is here and can be told."},
      Field{"netplan_renderer", &Facts::netplan_renderer, "Who netplan lets configure interfaces."},
      Field{"unseen", &Facts::unseen, "What this user may not read."},
      Field{"devices", &Facts::devices, "The RDMA devices."},
  };
};

/// Compiled once, in facts.cpp.
template <>
const Record& record_of<Facts>();

}  // namespace rdmastate
