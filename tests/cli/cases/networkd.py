"""networkd's files, judged by networkd itself in namespaces of its own: it may ignore no line of them."""
import pathlib
import re
import subprocess

from cases.specs import NM, PORT
from cases.trees import goes_around, tree

FOLDER = "etc/systemd/network"
NETWORKD = pathlib.Path("/lib/systemd/systemd-networkd")
SPEC = NM.replace("backend: networkmanager", "backend: networkd").replace("mode: connected", "mode: datagram").replace("65520", "2044")
METHODS = f"""version: 1
network: {{backend: networkd}}
ipoib:
  - {{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}, ipv4: {{method: auto}}, ipv6: {{method: disabled}}}}
  - {{parent: mlx4_ib0, pkey: 0x8003, name: storage, mode: connected, mtu: 65520, umcast: true, ipv4: {{method: disabled}}, ipv6: {{method: auto}}}}
  - {{parent: mlx4_ib0, pkey: 0x8004, umcast: false, ipv6: {{method: link-local}}}}
"""


def rendered(box, spec):
    root = tree(box, [FOLDER])
    box.write("spec.yaml", spec)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    return root / FOLDER


def complaints(folder):
    """What networkd ignores while it starts with these files, and nothing else, as its configuration."""
    script = f"""set -e
mount --make-rprivate /
mount -t tmpfs none /run
mkdir -p /run/systemd/netif/links /etc/systemd/network
mount -t sysfs none /sys
mount -t tmpfs none /usr/lib/systemd/network
mount -t tmpfs none /etc/systemd/network
cp {folder}/* /etc/systemd/network
exec env SYSTEMD_LOG_LEVEL=debug SYSTEMD_LOG_TARGET=console timeout 5 {NETWORKD}"""
    done = subprocess.run(["unshare", "-n", "-m", "sh", "-c", script], capture_output=True, text=True, timeout=60)
    said = done.stdout + done.stderr
    assert 'loaded "ipoib"' in said and "Enumeration completed" in said, said
    return [line for line in said.splitlines() if f"/{FOLDER}/" in line and re.search(r"ignoring|Unknown|Failed", line, re.I)]


def test_networkd_ignores_nothing(box):
    for name, spec in (("full", SPEC), ("methods", METHODS)):
        found = complaints(rendered(box, spec))
        assert not found, found
        (box.dir / "tree").rename(box.dir / name)


def test_networkd_says_what_it_ignores(box):
    folder = rendered(box, SPEC)
    file = folder / "60-rdmastate-mlx4_ib0.network"
    file.write_text(file.read_text() + "\n[IPoIB]\nMode=connected\n")
    found = complaints(folder)
    assert len(found) == 1 and "Unknown section 'IPoIB'" in found[0], found


def test_back_end_networkd_there_and_back(box):
    _, made = goes_around(box, SPEC, [FOLDER])
    assert f"{FOLDER}/60-rdmastate-mlx4_ib0.8002.netdev" in made and f"{FOLDER}/60-rdmastate-mlx4_ib0.network" in made


def test_a_child_keeps_its_port_s_guid(box):
    assert "\nMACAddress=none\n" in (rendered(box, SPEC) / "60-rdmastate-mlx4_ib0.8002.netdev").read_text()
