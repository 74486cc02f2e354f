"""ifupdown's stanzas, read back by ifquery and acted out by ifup --no-act."""
import ipaddress
import re
import subprocess

from cases.specs import NM, PORT
from cases.trees import goes_around, tree

FOLDER = "etc/network/interfaces.d"
FILE = f"{FOLDER}/rdmastate-mlx4_ib0"
CHILD = f"{FILE}-8002"
SPEC = NM.replace("backend: networkmanager", "backend: ifupdown")
METHODS = f"""version: 1
network: {{backend: ifupdown}}
ipoib:
  - {{parent: mlx4_ib0, pkey: 0x8003, mode: connected, umcast: true, ipv4: {{method: auto}}, ipv6: {{method: disabled}}}}
  - {{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}, umcast: false, ipv6: {{method: manual, addresses: ["2001:db8::1/64", "2001:db8:0:1::1/64"]}}}}
"""


def ready(box, includes="source /etc/network/interfaces.d/*\n"):
    root = tree(box, [FOLDER])
    (root / "etc/network/interfaces").write_text(includes)
    return root


def rendered(box, spec):
    """A file that includes what was rendered, as /etc/network/interfaces does on a host."""
    root = ready(box)
    box.write("spec.yaml", spec)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    path = root / "etc/included"
    path.write_text(f"source {root / FOLDER}/*\n")
    return path


def texts(path):
    return "".join(file.read_text() for file in sorted((path.parent.parent / FOLDER).iterdir()))


def ifupdown(program, path, *words):
    state = path.parent.parent / "state"
    state.mkdir(exist_ok=True)
    done = subprocess.run([program, f"--interfaces={path}", "--state-dir", state, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def options(path, interface):
    """Every line of an interface's stanzas as ifupdown has read it: key and value."""
    return [tuple(line.split(": ", 1)) for line in ifupdown("/sbin/ifquery", path, interface).splitlines() if ": " in line]


def values(read, key):
    return [value for name, value in read if name == key]


def addresses(read):
    """ifupdown takes an address with its prefix apart."""
    pairs = zip(values(read, "address"), values(read, "netmask"))
    return [ipaddress.ip_interface(f"{address}/{mask}").with_prefixlen for address, mask in pairs]


def test_values_given_are_values_read(box):
    path = rendered(box, SPEC)
    assert ifupdown("/sbin/ifquery", path, "--list", "--all").split() == ["lo", "mlx4_ib0", "mlx4_ib0.8002"]
    port, child = options(path, "mlx4_ib0"), options(path, "mlx4_ib0.8002")
    assert addresses(port) == ["192.0.2.1/24", "192.0.2.129/25"], port
    assert values(port, "gateway") == ["192.0.2.254"] and values(port, "mtu") == ["65520"], port
    assert values(port, "dns-nameservers") == ["192.0.2.200 192.0.2.201"], port
    assert values(port, "dns-search") == ["example.com example.org"], port
    assert addresses(child) == ["198.51.100.1/24", "2001:db8:1::1/64"] and values(child, "mtu") == ["2044"], child
    assert values(child, "gateway") == ["2001:db8:1::ff"], child


def acts(path):
    """What ifup would execute for every interface, in its order."""
    return ifupdown("/sbin/ifup", path, "--all", "--no-act", "--verbose")


def test_ifup_makes_the_child_by_its_parent_with_its_mode_and_routes(box):
    said = acts(rendered(box, SPEC))
    made = said.index("echo 0x8002 > /sys/class/net/mlx4_ib0/create_child")
    assert said.index("echo connected > /sys/class/net/$IFACE/mode") < made, said
    assert made < said.index("echo datagram > /sys/class/net/$IFACE/mode"), said
    for line in ("ip link set dev mlx4_ib0 mtu 65520", "ip route add default via 192.0.2.254",
                 "/bin/ip -4 route replace 203.0.113.0/24 via 198.51.100.254 dev $IFACE metric 50",
                 "/bin/ip -4 route replace 203.0.113.128/25 dev $IFACE\n",
                 "/bin/ip -6 route replace 2001:db8:2::/48 dev $IFACE metric 7",
                 "net.ipv6.conf.mlx4_ib0.accept_ra=2"):
        assert line in said, (line, said)


def test_a_parent_stands_before_its_children(box):
    path = rendered(box, METHODS)
    assert re.findall(r"^auto (\S+)", texts(path), re.M) == ["mlx4_ib0", "mlx4_ib0.8003"]
    said = acts(path)
    assert "dhclient" in said or "dhcp" in said or "No DHCP client" in said, said
    assert addresses(options(path, "mlx4_ib0")) == ["2001:db8::1/64", "2001:db8:0:1::1/64"]
    assert "echo 1 > /proc/sys/net/ipv6/conf/$IFACE/disable_ipv6" in texts(path)


def test_a_name_that_means_something_in_the_file_is_refused(box):
    for name in ("a=b", "a#b", "a+b", "a@b"):
        box.write("spec.yaml", METHODS.replace("mlx4_ib0", '"' + name + '"'))
        done = box.run("check", "spec.yaml")
        assert done.code == 3 and "ifupdown takes letters, digits" in done.err, (name, done.err)


def test_a_port_with_a_dot_in_its_name_is_refused(box):
    box.write("spec.yaml", "version: 1\nnetwork: {backend: ifupdown}\nipoib:\n  - {name: ib.0}\n")
    done = box.run("check", "spec.yaml")
    assert done.code == 3 and "for a child of the one before" in done.err, done.err


def test_a_directory_that_nobody_includes_is_refused(box):
    root = ready(box, "auto lo\niface lo inet loopback\n")
    box.write("spec.yaml", SPEC)
    done = box.run("apply", "spec.yaml", "--root", root)
    assert done.code == 3 and "source /etc/network/interfaces.d/*" in done.err, done.err
    assert not (root / FILE).exists()


def test_back_end_ifupdown_there_and_back(box):
    _, made = goes_around(box, SPEC, [FOLDER], {"etc/network/interfaces": "source-directory interfaces.d\n"})
    assert {FILE, CHILD} <= set(made)
