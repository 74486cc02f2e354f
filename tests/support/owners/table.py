"""Each template, a spec that puts values into it, and the program that reads what comes of it: for owners_fuzz of tests/cli.

qvNx in a spec is where a text may stand, and is a plain one itself; the other values are of types that hold no text.
"""
import dataclasses
import typing

from support.owners import network, rules, texts, units

PORT = "f452:1403:007b:cba1"
PORT_IP = "ipv4: {method: manual, addresses: [192.0.2.1/24], gateway: 192.0.2.254, dns: [192.0.2.200], search: [qv3x]}"
WICKED_IP = "ipv4: {method: manual, addresses: [192.0.2.1/24], gateway: 192.0.2.254}"  # it has no key for DNS
CHILD_IP = "ipv4: {method: manual, addresses: [198.51.100.1/24], routes: [{to: 203.0.113.0/24, via: 198.51.100.254, metric: 50}]}, ipv6: {method: auto}"


def interfaces(backend, port="mode: datagram, mtu: 2044", child="", address=PORT_IP, child_address=CHILD_IP):
    return f"""network: {{backend: {backend}}}
ipoib:
  - {{name: qv1x, match: {{port_guid: "{PORT}"}}, {port}, {address}, ipv6: {{method: manual, addresses: ["2001:db8::1/64"], search: [qv4x]}}}}
  - {{parent: qv1x, pkey: 0x8002, {child} {child_address}}}
"""


@dataclasses.dataclass
class Owner:
    """`reads(box)` gives the reader: trees and each one's interface names to what stands in each."""
    templates: tuple
    spec: str
    reads: typing.Callable
    layout: tuple = ("debian", "12", None)  # of the tree: distribution, version, network manager
    files: dict = dataclasses.field(default_factory=dict)  # what is there already
    names: tuple = ()  # network interfaces that the spec speaks of
    facts: bool = False  # the hardware of the guide's host is given
    of: tuple = None  # the places that this owner reads; all of the spec, if not said
    unseen: tuple = ()  # of them those that its answer does not name: only what follows from them is seen
    alone: bool = False  # every tree has names of its own: its owner reads all of them at once
    skip: typing.Callable = lambda text: False  # what makes something else of a place: b0@ is a template's name
    as_read: dict = dataclasses.field(default_factory=dict)  # what the owner, and so the spec, takes for the same


def module(name):
    return name.replace("-", "_")


def plain(reader):
    return lambda _box: reader


def udev(*devices):
    """Devices of those names, and one of another name with the same hardware."""
    def made(values):
        return [device(values) for device in devices]
    return lambda box: rules.Udev(box, made)


RHEL9, RHEL8, DEBIAN11 = ("rhel", "9.4", "networkmanager"), ("rhel", "8.10", "networkmanager"), ("debian", "11", None)
NETPLAN = {"etc/netplan/01-all.yaml": "network:\n  version: 2\n  renderer: {}\n"}
SM = f"""network: {{backend: none}}
subnet_manager:
  run: true
  instances: [{{port_guid: "{PORT}", priority: 14, subnet_prefix: "0xfe80000000000001"}}]
  default_mtu: 4096
  partitions:
    - {{name: qv1x, pkey: 0x8002, ipoib: true, mtu: 2048, rate: 10, members: {{"{PORT}": full, ALL: limited}}}}
    - {{name: qv2x, pkey: 0x8003, members: {{ALL_CAS: full}}}}
"""
MOUNTS = """network: {{backend: none}}
nfs:
  client:
    mounts:
      - {{source: "server.example.com:/nfs/qv1x", target: /mnt/qv2x, rdma_port: 20049, options: [vers=4.2, "context=qv3x", qv4x], automount: {}}}
      - {{source: qv5x:/b, target: /srv/qv6x/below}}
      - {{source: "qv7x:/c", target: "/qv8x"}}
      - {{source: "[fe80::5%qv9x]:/d", target: /mnt/qv0x}}
"""
EXPORTS = """network: {backend: none}
nfs:
  server:
    exports:
      - {path: /qv1x, clients: [{host: qv2x, options: [rw]}, {host: 192.0.2.0/24}]}
      - {path: /srv/qv3x/b, clients: [{host: "*"}, {host: "@qv4x", options: [sync]}]}
"""
MODULES = """network: {backend: none}
modules:
  load: [qv1x]
  block: [qv2x]
  options: {qv3x: {qv4x: qv5x}, ib_ipoib: {recv_queue_size: 512}}
"""
MEMLOCK = "memlock: {group: qv1x, members: [qv2x], soft: 64GiB, hard: unlimited, services: [qv3x.service, \"qv4x@.service\"]}\n"
DEVICES = """network: {backend: none}
devices:
  - {match: {board_id: qv1x}, name: qv2x, optional: true}
  - {match: {driver: qv3x, board_id: qv4x}, name: store1, optional: true}
  - {match: {node_guid: "0002:c903:0031:78f0"}, name: store2, optional: true}
  - {match: {pci: "0000:3b:00.0"}, name: store3, optional: true}
"""
BONDS = """network: {backend: networkd}
ipoib:
  - {name: qv1x, match: {port_guid: "f452:1403:007b:cba1"}, mode: datagram, mtu: 2044}
bonds:
  - name: qv2x
    ports: [qv1x]
    primary: qv1x
    arp_interval: 1000
    arp_targets: [192.0.2.9]
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
"""
WATCHED = """network: {backend: none}
devices:
  - {match: {driver: qv1x}, every: true, optional: true, ports: {1: {qos: {trust: dscp, pfc: [3], dscp: {26: 3}}}}}
"""

OWNERS = (
    Owner(("ipoib.nmconnection",), interfaces("networkmanager", "mode: connected, mtu: 65520"), plain(network.networkmanager), RHEL9),
    Owner(("ipoib.network", "ipoib.netdev"), interfaces("networkd", child="name: qv2x, mode: connected, umcast: true,"), network.Networkd,
          ("debian", "13", "networkd"), names=("qv1x", "qv2x"), alone=True),
    Owner(("ipoib.network", "bond.netdev"), BONDS, network.Networkd, ("debian", "13", "networkd"),
          unseen=("qv2x",), names=("qv1x", "qv2x"), alone=True),  # its answer names the ports
    Owner(("ipoib.network-drop-in", "ipoib.network", "ipoib.netdev"), interfaces("netplan"),
          lambda box: network.Netplan(network.Networkd(box, ("etc/systemd/network", "run/systemd/network"))),
          files={"etc/netplan/01-all.yaml": NETPLAN["etc/netplan/01-all.yaml"].format("networkd")}, names=("qv1x", "qv1x.8002"), alone=True),
    Owner(("ipoib.network-drop-in", "bond.netdev"), BONDS.replace("{backend: networkd}", "{backend: netplan}"),
          lambda box: network.Netplan(network.Networkd(box, ("etc/systemd/network", "run/systemd/network"))),
          files={"etc/netplan/01-all.yaml": NETPLAN["etc/netplan/01-all.yaml"].format("networkd")}, unseen=("qv2x",), names=("qv1x", "qv2x"), alone=True),
    Owner(("ipoib.nmconnection",), interfaces("netplan"),
          lambda _box: network.Netplan(lambda trees, names: network.networkmanager(trees, names, "run/NetworkManager/system-connections")),
          files={"etc/netplan/01-all.yaml": NETPLAN["etc/netplan/01-all.yaml"].format("NetworkManager")}),
    Owner(("ipoib.interfaces",), interfaces("ifupdown", "mode: connected, mtu: 65520", child="umcast: true,"), plain(network.ifupdown),
          files={"etc/network/interfaces": "source /etc/network/interfaces.d/*\n"}),
    Owner(("ipoib.ifcfg", "ipoib.ifroute", "ipoib.ifsysctl"), interfaces("wicked", "mode: connected, mtu: 65520", child="umcast: true,", address=WICKED_IP).replace(", search: [qv4x]", ""),
          plain(network.wicked), ("sles", "15.6", "wicked")),
    Owner(("ipoib.ifcfg", "bond.ifcfg", "ipoib.ifsysctl"), BONDS.replace("networkd", "wicked"), plain(network.wicked), ("sles", "15.6", "wicked"),
          names=("qv1x", "qv2x")),
    Owner(("ipoib.rules",), f"network: {{backend: none}}\nipoib:\n  - {{name: qv1x, match: {{port_guid: \"{PORT}\"}}, mtu: 2044}}\n  - {{name: qv2x, mtu: 2044}}\n",
          udev(lambda v: rules.network("ib0"), lambda v: rules.network(v[1], "00:01"), lambda v: rules.network("decoyq", "00:01")), names=("qv1x", "qv2x"), unseen=("qv2x",)),
    Owner(("ipoib.link",), f"network: {{backend: none}}\nipoib:\n  - {{name: qv1x, match: {{port_guid: \"{PORT}\"}}, named_by: link-file}}\n",
          network.LinkFile, facts=True),
    Owner(("device-names.rules",), DEVICES,
          udev(lambda v: rules.infiniband("mlx4_0", board_id=v[0]), lambda v: rules.infiniband("mlx4_0", board_id=v[3], driver=v[2]),
               lambda v: rules.infiniband("mlx4_0", board_id="decoyq", driver="decoyq")), names=("qv1x", "qv2x", "qv3x", "qv4x"), unseen=("qv1x", "qv3x", "qv4x")),
    Owner(("port.rules",), WATCHED, udev(lambda v: rules.network("eth0", kind="1", driver=v[0]), lambda v: rules.network("eth0", kind="1", driver="decoyq")), names=("qv1x",), unseen=("qv1x",)),
    Owner(("soft.rules",), "network: {backend: none}\nsoft_devices: [{name: rxe_qv2x, type: rxe, netdev: qv1x}]\n",
          udev(lambda v: rules.network(v[0], kind="1"), lambda v: rules.network("decoyq", kind="1"), lambda v: {"subsystem": "module", "name": "rdma_rxe"}), names=("qv1x",), of=("qv1x",), unseen=("qv1x",)),
    Owner(("umad.rules",), "permissions: {umad: {group: qv1x, mode: \"0660\"}}\n",
          udev(lambda v: {"subsystem": "infiniband_mad", "name": "umad0"}, lambda v: {"subsystem": "infiniband_mad", "name": "issm0"}),
          unseen=("qv1x",)),
    Owner(("modules-load.conf",), MODULES, texts.ModulesLoad, of=("qv1x",), as_read={"qv1x": module}),
    Owner(("modules-block.conf", "modules-options.conf"), MODULES, plain(texts.modprobe), of=("qv2x", "qv3x", "qv4x", "qv5x"), as_read=dict.fromkeys(("qv2x", "qv3x", "qv4x"), module)),
    Owner(("rdma-options.conf",), "rdma: {netns: exclusive}\n", plain(texts.modprobe)),
    Owner(("nfs.conf",), "nfs: {server: {rdma_port: 20050, threads: 16}}\n", plain(texts.nfsconf)),
    Owner((), "nfs: {server: {rdma_port: 20050, threads: 16}}\n", plain(texts.nfsconf), RHEL8, {"etc/nfs.conf": "# theirs\n[nfsd]\n# rdma=n\nthreads = 9\n\n[mountd]\nport = 892\n"}),
    Owner(("nfs.exports",), EXPORTS, plain(texts.exports)),
    Owner(("nfs-server.service",), "nfs: {server: {rdma_port: 20050, threads: 16}}\n", lambda box: units.Units(box), DEBIAN11),
    Owner(("nfs.mount",), MOUNTS.format("false"), lambda box: units.Units(box)),
    Owner(("nfs.automount", "nfs.mount"), MOUNTS.format("true"), lambda box: units.Units(box)),
    Owner(("memlock-unit.conf",), MEMLOCK, lambda box: units.Units(box), of=("qv3x", "qv4x"), skip=lambda text: text.endswith("@")),
    Owner(("memlock-limits.conf",), MEMLOCK, plain(texts.limits), of=("qv1x",)),
    Owner(("sysusers.conf",), MEMLOCK, plain(texts.sysusers), of=("qv1x", "qv2x"), unseen=("qv2x",)),
    Owner((), MEMLOCK, plain(texts.accounts), files={"etc/passwd": "root:x:0:0::/root:/bin/sh\nqv2x:x:1000:1000::/:/bin/sh\n", "etc/group": "root:x:0:\n", "etc/gshadow": "root:*::\n"}, of=("qv1x",)),
    Owner(("partitions.conf",), SM, plain(texts.partitions)),
    Owner(("opensm-instance.conf",), SM, lambda box: units.Units(box), of=()),
    Owner(("opensm.conf",), SM, plain(texts.opensm), RHEL9, of=()),
    Owner(("opensm-options.conf",), SM.replace("priority: 14", "priority: 14, options: {lmc: 1, qos_vlarb_high: \"0:4,1:0\"}"), plain(texts.opensm), of=()),
    Owner((), SM.replace(', subnet_prefix: "0xfe80000000000001"', ""), plain(texts.Shell("etc/sysconfig/opensm")), RHEL9, {"etc/sysconfig/opensm": "# theirs\nOTHER=1\n"}, of=()),
    Owner((), SM, plain(texts.Shell("etc/default/opensm")), files={"etc/default/opensm": "# theirs\nPORTS=ALL\n"}, of=()),
    Owner((), f"network: {{backend: none}}\ndevices: [{{match: {{pci: \"0000:3b:00.0\"}}, optional: true, ports: {{1: {{link_type: infiniband}}, 2: {{link_type: ethernet}}}}}}]\n",
          plain(texts.words("etc/rdma/mlx4.conf")), RHEL9),
)
