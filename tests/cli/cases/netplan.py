"""netplan's file, read back by netplan's own generator: what it makes of it for networkd and for NetworkManager."""
import re
import subprocess

from cases.specs import NM, PORT
from cases.trees import goes_around, tree

GENERATE = "/lib/netplan/generate"
FILE = "etc/netplan/90-rdmastate.yaml"
NETWORKMANAGER = NM.replace("backend: networkmanager", "backend: netplan")
NETWORKD = NETWORKMANAGER.replace("mode: connected", "mode: datagram").replace("65520", "2044")


def generated(box, spec, renderer=""):
    """The tree after netplan has been there."""
    root = tree(box, ["etc/netplan", "etc/systemd/network", "etc/NetworkManager/system-connections"])
    if renderer:
        other = root / "etc/netplan/01-all.yaml"
        other.write_text(f"network:\n  version: 2\n  renderer: {renderer}\n")
        other.chmod(0o600)
    box.write("spec.yaml", spec)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    done = subprocess.run([GENERATE, "--root-dir", root], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return root


def sections(path):
    """Each section's keys and values, in their order; two [Route] are two."""
    made = []
    for line in path.read_text().splitlines():
        if line.startswith("["):
            made.append((line.strip("[]"), []))
        elif "=" in line and not line.startswith("#"):
            made[-1][1].append(tuple(line.split("=", 1)))
    return made


def values(read, section, key):
    return [value for name, lines in read if name == section for k, value in lines if k == key]


def test_a_port_for_networkd(box):
    root = generated(box, NETWORKD)
    assert (root / FILE).stat().st_mode & 0o777 == 0o600
    read = sections(root / "run/systemd/network/10-netplan-mlx4_ib0.network")
    assert values(read, "Match", "Name") == ["mlx4_ib0"] and values(read, "Link", "MTUBytes") == ["2044"], read
    assert values(read, "Network", "Address") == ["192.0.2.1/24", "192.0.2.129/25"], read
    assert values(read, "Network", "IPv6AcceptRA") == ["yes"] and values(read, "Network", "LinkLocalAddressing") == ["ipv6"], read
    assert values(read, "Network", "DNS") == ["192.0.2.200", "192.0.2.201"], read
    assert values(read, "Network", "Domains") == ["example.com example.org"], read
    assert values(read, "Route", "Destination") == ["0.0.0.0/0"] and values(read, "Route", "Gateway") == ["192.0.2.254"], read
    assert not values(read, "Network", "DHCP") and "IPoIB" not in [name for name, _ in read], read


def test_its_child_is_named_by_a_drop_in(box):
    root = generated(box, NETWORKD)
    folder = root / "etc/systemd/network"
    port = next((root / "run/systemd/network").glob("*-mlx4_ib0.network"))
    assert values(sections(folder / f"{port.name}.d/rdmastate.conf"), "Network", "IPoIB") == ["mlx4_ib0.8002"]
    made = sections(folder / "60-rdmastate-mlx4_ib0.8002.netdev")
    assert values(made, "IPoIB", "PartitionKey") == ["0x8002"] and values(made, "NetDev", "Name") == ["mlx4_ib0.8002"]
    assert values(sections(folder / "60-rdmastate-mlx4_ib0.8002.network"), "Address", "Address") == ["198.51.100.1/24", "2001:db8:1::1/64"]


def test_a_port_for_networkmanager(box):
    root = generated(box, NETWORKMANAGER, "NetworkManager")
    read = sections(root / "run/NetworkManager/system-connections/netplan-mlx4_ib0.nmconnection")
    assert values(read, "connection", "type") == ["infiniband"] and values(read, "infiniband", "transport-mode") == ["connected"], read
    assert values(read, "infiniband", "mtu") == ["65520"] and values(read, "ipv4", "method") == ["manual"], read
    assert [values(read, "ipv4", key) for key in ("address1", "address2")] == [["192.0.2.1/24"], ["192.0.2.129/25"]], read
    assert values(read, "ipv4", "route1") == ["0.0.0.0/0,192.0.2.254"] and values(read, "ipv6", "method") == ["auto"], read
    assert values(read, "ipv4", "dns") == ["192.0.2.200;192.0.2.201;"], read
    assert values(read, "ipv4", "dns-search") == ["example.com;example.org;"], read
    child = sections(root / "etc/NetworkManager/system-connections/mlx4_ib0.8002.nmconnection")
    assert values(child, "infiniband", "p-key") == ["32770"] and values(child, "infiniband", "parent") == ["mlx4_ib0"], child


def test_methods_that_netplan_has_no_word_for_pass_through(box):
    spec = f"""version: 1
network: {{backend: netplan}}
ipoib:
  - {{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}, mode: datagram}}
  - {{name: other, mode: datagram, ipv4: {{method: auto}}, ipv6: {{method: disabled}}}}
"""
    root = generated(box, spec, "NetworkManager")
    folder = root / "run/NetworkManager/system-connections"
    for name, four, six in (("mlx4_ib0", "disabled", "link-local"), ("other", "auto", "disabled")):
        read = sections(folder / f"netplan-{name}.nmconnection")
        assert (values(read, "ipv4", "method"), values(read, "ipv6", "method")) == ([four], [six]), read


def test_hostile_names_come_back(box):
    for number, name in enumerate(("yes", "0x1g", "#a", "+a", "=a", "a=b", "a@b", "@a", "a#b", "_", "null")):
        root = generated(box, f"version: 1\nnetwork: {{backend: netplan}}\nipoib:\n  - {{name: '{name}', mode: datagram, mtu: 2044}}\n", "NetworkManager")
        made = [re.search(r"^interface-name=(.*)$", path.read_text(), re.M).group(1)
                for path in (root / "run/NetworkManager/system-connections").iterdir()]
        assert made == [name], (name, made)
        (box.dir / "tree").rename(box.dir / f"tree-{number}")


def test_a_name_that_is_a_pattern_or_no_name_to_others_is_refused(box):
    for backend in ("netplan", "networkd", "none", "networkmanager"):
        for name in ("a*", "a?", "[a]", "]a", "é", "-a", "'a", '"a', "a\\b", "{a}", "&a", "!a", "a,b", "~", "$(id)", "a;b", "a|b", "7", "0x10", "+1", "0b1", "all", "default"):
            quoted = "'" + name.replace("'", "''") + "'"
            box.write("spec.yaml", f"version: 1\nnetwork: {{backend: {backend}}}\nipoib:\n  - {{name: {quoted}, mode: datagram}}\n")
            done = box.run("check", "spec.yaml")
            assert done.code == 3 and "ipoib[0].name: the name " in done.err, (backend, name, done.err)


def test_back_end_netplan_there_and_back(box):
    _, made = goes_around(box, NETWORKD, ["etc/netplan", "etc/systemd/network"])
    assert FILE in made and "etc/systemd/network/10-netplan-mlx4_ib0.network.d/rdmastate.conf" in made
