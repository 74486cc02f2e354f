// SPDX-License-Identifier: Apache-2.0
#include "support/random_spec.hpp"

#include <fmt/format.h>

#include <set>

#include "base/error.hpp"
#include "host/recorded/initrds.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view ports[] = {"f452:1403:007b:cba1", "0002:c903:0031:78f1", "0002:c903:0031:78f2"};

constexpr const char* managers[] = {
    "", "subnet_manager: {run: false}\n",
    "subnet_manager: {run: true, instances: [{port_guid: \"f452:1403:007b:cba1\", priority: 14}], partitions: []}\n",
    "subnet_manager:\n  run: true\n"
    "  instances: [{port_guid: \"f452:1403:007b:cba1\"}, {port_guid: \"0002:c903:0031:78f1\", subnet_prefix: \"fe80:0000:0000:0001\"}]\n"
    "  partitions: [{name: storage, pkey: 0x8002, ipoib: true, members: {ALL: both, SELF: full}}]\n"};

class SpecWriter {
 public:
  std::string write(const SpecPart& part) {
    text_ = "version: 1\nnetwork: {backend: none}\n";
    modules(part);
    devices(part.devices, part.roce);
    if (part.with_soft)
      text_ += "soft_devices:\n  - {name: rxe0, type: rxe, netdev: enp1s0}\n  - {name: rxe1, type: rxe, netdev: lo}\n";
    text_ += managers[part.manager];
    if (part.netns != 0) text_ += part.netns == 1 ? "rdma: {netns: shared}\n" : "rdma: {netns: exclusive}\n";
    nfs(part.nfs);
    accounts(part.memlock, part.umad);
    if (!part.ports.empty()) text_ += "ipoib:\n";
    for (std::size_t i = 0; i < part.ports.size() && i < std::size(ports); ++i) port(part.ports[i], i);
    return text_;
  }

 private:
  void nfs(int which) {
    // Large numbers are rare, so those with kinds of their own stand first.
    static constexpr const char* servers[] = {
        "run: true, threads: 16, exports: [{path: \"/nfs/a b\", clients: [{host: 192.0.2.0/24, options: [rw, fsid=0]}, {host: \"*.example.com\"}]}]",
        "run: true", "run: true, rdma_port: 20050", "run: false"};
    if (which == 0) return;
    text_ += "nfs:\n";
    if (which >= 4) {
      text_ += fmt::format("  server: {{{}}}\n", servers[which - 4]);
      return;
    }
    if (which < 3) text_ += fmt::format("  server: {{rdma_port: {}}}\n", 20048 + which);
    if (which < 2) return;
    text_ += fmt::format(
        "  client:\n    mounts:\n"
        "      - {{source: \"server.example.com:/nfs/100%\", target: \"/mnt/a-b/100% c\", options: [vers=4.2, hard]{}}}\n"
        "      - {{source: \"[2001:db8::5]:/\", target: /mnt/a-b{}}}\n",
        which == 2 ? "" : ", automount: true", which == 2 ? ", rdma_port: 20050" : "");
  }

  // Of the guide's host daemon is a user and a group; ldapuser is nobody there.
  void accounts(int memlock, bool umad) {
    static constexpr const char* limits[] = {
        "", "group: rdma, members: [daemon], soft: 65540KiB, hard: 512MiB",
        "group: pinning, members: [daemon, ldapuser], soft: 64GiB, hard: unlimited, services: [slurmd.service, \"user@.service\"]",
        "soft: unlimited, hard: unlimited, services: [slurmd.service]"};
    if (memlock != 0) text_ += fmt::format("memlock: {{{}}}\n", limits[memlock]);
    if (umad) text_ += "permissions: {umad: {group: daemon}}\n";
  }

  void modules(const SpecPart& part) {
    static constexpr const char* options[] = {
        "", "ib_ipoib: {recv_queue_size: 512}",
        "ib_ipoib: {recv_queue_size: 0x400, debug_level: 1}, mlx4_core: {debug_level: 3}"};
    if (!part.with_ipoib && !part.with_umad && !part.with_block && part.options == 0) return;
    text_ +=
        fmt::format("modules: {{load: [{}{}{}], block: [{}], options: {{{}}}}}\n", part.with_ipoib ? "ib_ipoib" : "",
                    part.with_ipoib && part.with_umad ? ", " : "", part.with_umad ? "ib_umad" : "",
                    part.with_block ? "rds_rdma, ib-iser" : "", options[part.options]);
  }

  void devices(int which, int roce) {
    static constexpr const char* settings[] = {
        "", ", ports: {2: {roce: {tos: 104}}}",
        ", ports: {2: {mtu: 4200, roce: {default_mode: v1, tos: 106}, qos: {pfc: [3, 4], dscp: {26: 3, 48: 6}, priorities: {0: 0, 3: 3}, classes: {0: 40%, 3: 60%, 6: strict}, priority_buffers: {3: 1}, buffers: {1: 200000B}}}}"};
    static constexpr const char* names[][2] = {
        {"", ""}, {", name: store_a", ", name: store_b"}, {", name: mlx4_1", ", name: mlx4_0"}};
    if (which == 0) return;
    text_ += fmt::format(
        "devices:\n  - {{match: {{node_guid: \"f452:1403:007b:cba0\"}}{}{}}}\n"
        "  - {{match: {{node_guid: \"0002:c903:0031:78f0\"}}, ports: {{1: {{link_type: infiniband}}}}{}}}\n"
        "  - {{match: {{pci: \"0000:ff:00.0\"}}, optional: true, name: never}}\n",
        names[which - 1][0], settings[roce], names[which - 1][1]);
  }

  void port(const PortPart& part, std::size_t i) {
    text_ += fmt::format("  - name: mlx4_ib{}\n    match: {{port_guid: \"{}\"}}\n", i, ports[i]);
    if (part.link_file && i == 0) text_ += "    named_by: link-file\n";
    common(part.mode, part.mtu, part.umcast, part.ip);
    std::set<int> seen;
    for (const auto& child : part.children)
      if (seen.insert(child.partition).second) this->child(child, i);
  }

  void child(const ChildPart& part, std::size_t i) {
    text_ += fmt::format("  - parent: mlx4_ib{}\n    pkey: 0x{:04x}\n", i, 0x8002 + part.partition);
    if (part.named) text_ += fmt::format("    name: storage{}_{}\n", i, part.partition);
    if (part.absent) {
      text_ += "    absent: true\n";
    } else {
      common(part.mode, part.mtu, part.umcast, part.ip);
    }
  }

  void common(int mode, bool mtu, int umcast, const IpPart& ip) {
    if (mode != 0) text_ += mode == 1 ? "    mode: datagram\n" : "    mode: connected\n";
    if (mtu) text_ += mode == 2 ? "    mtu: 65520\n" : "    mtu: 2044\n";
    if (umcast != 0) text_ += umcast == 1 ? "    umcast: true\n" : "    umcast: false\n";
    const unsigned net = subnet_++;
    const std::string v4 = fmt::format("198.51.100.{}", net * 16);
    if (ip.v4 == 1) text_ += "    ipv4: {method: disabled}\n";
    if (ip.v4 == 2) text_ += fmt::format("    ipv4: {{method: manual, addresses: [198.51.100.{}/28]}}\n", net * 16 + 1);
    if (ip.v4 == 3)
      text_ += fmt::format(
          "    ipv4: {{method: manual, addresses: [198.51.100.{0}/28, 198.51.100.{1}/28], routes: [{{to: 203.0.113.{2}/28, via: 198.51.100.{3}, metric: 50}}]}}\n",
          net * 16 + 1, net * 16 + 2, net * 16, net * 16 + 14);
    if (ip.v6 == 1) text_ += "    ipv6: {method: disabled}\n";
    if (ip.v6 == 2) text_ += "    ipv6: {method: auto}\n";
    if (ip.v6 >= 3)
      text_ += fmt::format(
          "    ipv6: {{method: manual, addresses: [\"2001:db8:{0}::1/64\"]{1}}}\n", net,
          ip.v6 == 4 ? fmt::format(", routes: [{{to: \"2001:db8:f{}::/48\", via: \"2001:db8:{}::ff\"}}]", net, net)
                     : "");
  }

  std::string text_;
  unsigned subnet_ = 0;
};

void add_initrd(HostModel& model) {
  const std::string kernel = model.files.at("/proc/sys/kernel/osrelease").bytes;
  const std::string release = kernel.substr(0, kernel.find('\n'));
  model.files[path_of(InitrdProgram::update_initramfs)] = {{FileType::regular, 0755, 0, 0}, "", {}};
  model.files["/usr/lib/modules/" + release] = {{FileType::directory, 0755, 0, 0}, "", {}};
  model.files["/boot/initrd.img-" + release] = {
      {FileType::regular, 0600, 0, 0}, initrds::image_of(model, InitrdProgram::update_initramfs), {}};
  add_parents(model.files);
}

void add_nfs(HostModel& model, bool serving) {
  model.files["/usr/lib/systemd/system/nfs-server.service"] = {
      {FileType::regular, 0644, 0, 0}, "[Install]\nWantedBy=multi-user.target\n", {}};
  model.files["/usr/sbin/mount.nfs"] = {{FileType::regular, 0755, 0, 0}, "", {}};
  add_parents(model.files);
  model.systemd.emplace();
  if (!serving) return;
  model.files["/etc/systemd/system/multi-user.target.wants/nfs-server.service"] = {
      {FileType::symlink, 0777, 0, 0}, "/usr/lib/systemd/system/nfs-server.service", {}};
  add_parents(model.files);
  constexpr MemorySize usual{8U << 20U};
  model.systemd->units["nfs-server.service"] = {900, MemlockLimit{usual, usual}};
  model.nfsd = RecordedNfsd{{8, {{"tcp", 2049}}, 90}, {{"198.51.100.7:722", "Linux NFSv4.2 node2"}}};
}

}  // namespace

std::string SpecPart::text() const { return SpecWriter().write(*this); }

void add_firewall(HostModel& model, bool running) {
  const auto add = [&](const std::string& path, const std::string& text) {
    model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
  };
  const std::string zone =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<zone>\n  <short>Zone</short>\n  <service name=\"ssh\"/>\n</zone>\n";
  for (const char* name : {"internal", "public"}) add(std::string("/usr/lib/firewalld/zones/") + name + ".xml", zone);
  add("/usr/lib/firewalld/services/ssh.xml", "<service>\n  <port protocol=\"tcp\" port=\"22\"/>\n</service>\n");
  add("/usr/lib/systemd/system/firewalld.service", "[Install]\nWantedBy=multi-user.target\n");
  model.files["/etc/firewalld/zones"] = {{FileType::directory, 0750, 0, 0}, "", {}};
  add_parents(model.files);
  if (!model.systemd) model.systemd.emplace();
  if (!running) return;
  const FirewallZone lets_ssh{false, {}, {}, {{"ssh", {{22, 22, "tcp"}}}}};
  RecordedFirewalld::Zones zones{{"internal", lets_ssh}, {"public", lets_ssh}};
  model.firewall = RecordedFirewalld{zones, zones};
}

HostModel HostPart::model() const {
  HostModel model = loaded ? loaded_model() : guide_model();
  model.files["/etc/gshadow"] = {{FileType::regular, 0640, 0, 42}, "root:*::\ndaemon:*::\n", {}};
  model.files["/dev/infiniband/umad0"] = {{FileType::other, 0600, 0, 0}, "", {}};
  model.files["/dev/infiniband/umad1"] = {{FileType::other, 0640, 0, 7}, "", {}};
  add_parents(model.files);
  model.sriov["0000:81:00.0"] = {4, /*autoprobe=*/true, {}};
  for (auto& device : model.devices)
    if (device.pci == "0000:81:00.0") device.driver = "mlx5_core";  // mlx4's are made when it is loaded
  model.modules.loaded.insert({"ib_cm", "iw_cm"});  // come with ib_ipoib and rdma_cm, and would stay when those go
  model.modules.loadable.insert("bonding");
  if (promote) {
    model.files["/proc/sys/net/ipv4/conf/all/promote_secondaries"] = {{FileType::regular, 0644, 0, 0}, "1\n", {}};
    add_parents(model.files);
  }
  if (initrd) add_initrd(model);
  if (nfs) add_nfs(model, serving);
  if (firewall != 0) add_firewall(model, firewall == 2);
  if (!loaded || (!up && !child)) return model;
  RecordedHost host(std::move(model));
  Host doors = host.host();
  const auto port = [&] {
    for (const auto& link : doors.links->dump())
      if (link.is_ipoib() && !link.is_child() && to_text(link.port_guid()) == ports[0]) return link;
    throw Error("the guide's host has lost its port");
  };
  const auto give = [&](std::uint32_t link, const std::string& text) {
    Address address;
    address.link = link;
    EXPECT_FALSE(Text<IpInterface>::read({text, true}, address.value));
    doors.links->add(address);
  };
  if (child) {
    doors.links->create({{}, port().index, "others", {0x8002}});
    LinkChange change;
    change.up = true;
    doors.links->change(*doors.links->find("others"), change);  // once up, its MTU is the group's for good
    change.up = false;
    doors.links->change(*doors.links->find("others"), change);
    give(doors.links->find("others")->index, "192.0.2.130/28");
  }
  if (up) {
    LinkChange change;
    change.mode = IpoibMode::connected;
    change.up = true;
    doors.links->change(port(), change);
    give(port().index, "192.0.2.129/28");
  }
  return host.model();
}

namespace {

constexpr int most_ports = 3, most_children = 3;

// Of a list all that there can be is drawn, and then `count` are left: so each draw keeps its place, however many there
// are.
template <class Part>
std::vector<Part> some(Draw& draw, int most, Part (*part)(Draw&)) {
  const int count = draw.number(0, most + 1);
  std::vector<Part> parts;
  for (int i = 0; i < most; ++i) parts.push_back(part(draw));
  parts.resize(static_cast<std::size_t>(count));
  return parts;
}

IpPart ip_part(Draw& draw) {
  IpPart ip;
  ip.v4 = draw.number(0, 4);
  ip.v6 = draw.number(0, 5);
  return ip;
}

ChildPart child_part(Draw& draw) {
  ChildPart child;
  child.partition = draw.number(0, 4);
  child.mode = draw.number(0, 3);
  child.mtu = draw.flip();
  child.umcast = draw.number(0, 3);
  child.absent = draw.number(0, 6) == 5;
  child.named = draw.flip();
  child.ip = ip_part(draw);
  return child;
}

PortPart port_part(Draw& draw) {
  PortPart port;
  port.link_file = draw.flip();
  port.mode = draw.number(0, 3);
  port.mtu = draw.flip();
  port.umcast = draw.number(0, 3);
  port.ip = ip_part(draw);
  port.children = some(draw, most_children, &child_part);
  return port;
}

SpecPart spec_part(Draw& draw) {
  SpecPart spec;
  spec.ports = some(draw, most_ports, &port_part);
  spec.with_umad = draw.flip();
  spec.memlock = draw.number(0, 4);
  spec.umad = draw.flip();
  spec.with_block = draw.flip();
  spec.options = draw.number(0, 3);
  spec.with_soft = draw.flip();
  spec.devices = draw.number(0, 4);
  spec.roce = draw.number(0, 3);
  spec.netns = draw.number(0, 3);
  spec.nfs = draw.number(0, 8);
  spec.manager = draw.number(0, 4);
  spec.with_ipoib = draw.number(0, 4) != 3;
  return spec;
}

std::string in_words(const HostPart& host) {
  return fmt::format("the guide's host{}{}{}{}{}{}", host.loaded ? ", ib_ipoib loaded" : "",
                     host.loaded && host.up ? ", port 1 up in connected mode with 192.0.2.129/28" : "",
                     host.loaded && host.child ? ", another's child 'others' 0x8002 with 192.0.2.130/28" : "",
                     host.promote ? ", promote_secondaries" : "", host.initrd ? ", an initrd" : "",
                     !host.nfs      ? ""
                     : host.serving ? ", an NFS server that runs"
                                    : ", an NFS server");
}

}  // namespace

SpecPart any_spec(Case& drawn) {
  SpecPart spec;
  drawn.together([&](Draw& draw) { spec = spec_part(draw); });
  drawn.show(spec.text());
  return spec;
}

HostPart any_host(Case& drawn) {
  HostPart host;
  drawn.together([&](Draw& draw) {
    for (bool* is : {&host.loaded, &host.up, &host.child, &host.promote, &host.initrd, &host.nfs, &host.serving})
      *is = draw.flip();
  });
  drawn.show(in_words(host));
  return host;
}

When any_when(Case& drawn) {
  When when = When::before;
  drawn.together([&](Draw& draw) { when = draw.flip() ? When::after : When::before; });
  drawn.show(when == When::before ? "before it takes effect" : "after it took effect");
  return when;
}

}  // namespace rdmastate
