"""What NetworkManager, networkd, netplan, ifupdown and udev read in files about interfaces: readers for table.py."""
import json
import pathlib
import re
import subprocess

import gi

gi.require_version("NM", "1.0")
from gi.repository import GLib, NM  # noqa: E402 (the version has to be chosen first)

NETWORKD = "/lib/systemd/systemd-networkd"
PROFILES = "etc/NetworkManager/system-connections"
LINKS = "/run/systemd/netif/links"


def ip_of(setting):
    routes = [(r.get_dest(), r.get_prefix(), r.get_next_hop(), r.get_metric()) for r in map(setting.get_route, range(setting.get_num_routes()))]
    addresses = [(a.get_address(), a.get_prefix()) for a in map(setting.get_address, range(setting.get_num_addresses()))]
    return [setting.get_method(), addresses, setting.get_gateway(), routes, [setting.get_dns(i) for i in range(setting.get_num_dns())],
            [setting.get_dns_search(i) for i in range(setting.get_num_dns_searches())]]


def profile(path):
    """A profile as libnm reads it, and its keys as GLib does; its UUID and digest follow from the rest."""
    complaints = []

    def handler(_file, _connection, kind, data, _user):
        if kind == NM.KeyfileHandlerType.WARN:
            complaints.append(data.warn_get()[0])
        return False

    file = GLib.KeyFile()
    try:
        file.load_from_file(str(path), GLib.KeyFileFlags.NONE)
        read = NM.keyfile_read(file, str(path.parent), NM.KeyfileHandlerFlags.NONE, handler, None)
        named = read.get_setting_connection()
        named.props.uuid = named.get_uuid() or NM.utils_uuid_generate()  # NetworkManager gives one to netplan's
        read.verify()
    except GLib.Error as error:
        return ["not read", error.message]
    keys = [(group, file.get_keys(group)[0]) for group in file.get_groups()[0]]
    port = read.get_setting_infiniband()
    return [complaints, keys, read.get_id(), read.get_interface_name(), read.get_connection_type(), port.get_transport_mode(), port.get_mtu(), port.get_p_key(),
            port.get_parent(), ip_of(read.get_setting_ip4_config()), ip_of(read.get_setting_ip6_config())]


def networkmanager(trees, _names, folder=PROFILES):
    return {key: sorted(((path.name, profile(path)) for path in (root / folder).glob("*.nmconnection")), key=str) for key, root in trees.items()}


PATIENCE = 400  # seconds: others may have the processors
SCRIPT = f"""set -e
mount --make-rprivate /
mount -t tmpfs none /run
mkdir -p {LINKS} /etc/systemd/network
chown -R systemd-network: /run/systemd/netif
mount -t sysfs -o ro none /sys
mount -t tmpfs none /usr/lib/systemd/network
mount --bind "$1" /etc/systemd/network
while IFS= read -r name; do ip link add name "$name" type bridge; done <"$2"
{NETWORKD} 2>"$3" &
for try in $(seq 1200); do
    sleep 0.1
    [ "$(grep -l NETWORK_FILE {LINKS}/* 2>/dev/null | wc -l)" -lt "$4" ] || break
done
grep . {LINKS}/* | sed "s#^{LINKS}/##"
ip -j link | sed "s/^/link /"
kill $!
wait || true
"""


def started(box, folder, names):
    """networkd over all these files, beside a bridge of each name: what it says, and of each bridge what it has read for it."""
    (box.dir / "names").write_text("".join(f"{name}\n" for name in sorted(names)))
    done = subprocess.run(["unshare", "-n", "-m", "sh", "-c", SCRIPT, "sh", folder, box.dir / "names", box.dir / "said", str(len(names) - 1)], capture_output=True, text=True, timeout=PATIENCE,
                          env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SYSTEMD_LOG_LEVEL": "debug", "SYSTEMD_LOG_TARGET": "console"})
    assert done.returncode == 0, done.stderr
    links = json.loads(re.search(r"^link (.*)$", done.stdout, re.M).group(1))
    called = {str(link["ifindex"]): link["ifname"] for link in links}
    states = {}
    for number, key, value in re.findall(r"^(\d+):([A-Z_]+)=(.*)$", done.stdout, re.M):
        states.setdefault(called[number], {})[key] = value
    return (box.dir / "said").read_text(errors="replace"), states


def keys_of(text):
    """Sections and keys as systemd.syntax(7) has them; a line that ends with a backslash goes on."""
    lines = [line for line in text.replace("\\\n", " ").split("\n") if line.strip() and not line.startswith(("#", ";"))]
    return [line if line.startswith("[") else line.split("=", 1)[0] for line in lines]


class Networkd:
    """All files of all trees in one start of networkd."""

    def __init__(self, box, folders=("etc/systemd/network",)):
        self.box, self.folders = box, folders

    def __call__(self, trees, names):
        into = self.box.dir / "networkd"
        subprocess.run(["rm", "-rf", into], check=True)
        into.mkdir(0o755)
        files = {}
        for key, root in trees.items():
            for folder in self.folders:
                for path in sorted(p for p in (root / folder).rglob("*") if p.is_file() and p.suffix in (".network", ".netdev", ".conf")):
                    number = f"t{len(files):05}"
                    name = f"{number}{path.suffix}"
                    if path.suffix == ".conf":  # a drop-in is read beside the file that it is for
                        (into / f"{number}.network").write_text("[Match]\nName=nobody\n")
                        name = f"{number}.network.d/x.conf"
                        (into / f"{number}.network.d").mkdir()
                    (into / name).write_bytes(path.read_bytes())
                    files[number] = (key, path)
        said, states = started(self.box, into, {name for one in names.values() for name in one} | {"decoyq"})
        lines = set(said.splitlines())
        made = {key: [name for name in names[key] if f'{name}: loaded "ipoib"' in lines] for key in trees}
        return {key: [made[key], *self.read(files, key, said, states)] for key in trees}

    @staticmethod
    def read(files, key, said, states):
        """Each file: what is wrong with it, which bridges run it with which servers and domains, and its keys."""
        seen = []
        for number, (owner, path) in files.items():
            if owner != key:
                continue
            lines = [line for line in said.splitlines() if f"/{number}." in line]
            complaints = [line.split(number)[1] for line in lines if re.search(r"ignoring|Unknown|Failed|Invalid|Missing", line, re.I)]
            runs = [(name, state.get("DNS"), state.get("DOMAINS")) for name, state in sorted(states.items())
                    if state.get("NETWORK_FILE", "").endswith(f"/{number}.network")]
            seen.append((path.suffix, complaints, runs, keys_of(path.read_bytes().decode())))
        return sorted(seen, key=str)


def generated(root):
    done = subprocess.run(["/lib/netplan/generate", "--root-dir", root], capture_output=True, text=True, timeout=60)
    return [line for line in done.stderr.splitlines() if line] if done.returncode or done.stderr else []


class Netplan:
    """netplan's own generator, and what the renderer of its choice reads in what it makes."""

    def __init__(self, renderer):
        self.renderer = renderer

    def __call__(self, trees, names):
        said = {key: generated(root) for key, root in trees.items()}
        read = self.renderer(trees, names)
        return {key: [said[key], read[key]] for key in trees}


def ifupdown_of(root):
    path = root / "all"
    path.write_text(f"source {root}/etc/network/interfaces.d/*\n")
    state = root / "state"
    state.mkdir(exist_ok=True)

    def asked(*words):
        done = subprocess.run(["/sbin/ifquery", f"--interfaces={path}", "--state-dir", state, *words], capture_output=True, text=True, timeout=60)
        return done.stdout.splitlines() + ([done.stderr] if done.returncode else [])

    interfaces = [name for name in asked("--list", "--all") if name != "lo"]
    return [(name, asked("--", name) if name.startswith("-") else asked(name)) for name in interfaces]


def ifupdown(trees, _names):
    return {key: ifupdown_of(pathlib.Path(root)) for key, root in trees.items()}


def assigned(path):
    """What a POSIX shell without any environment assigns in a file, as wicked's ifcfg files were read by the ifup before it."""
    script = '. "$0" >/dev/null 2>&1; set'
    def names(file):
        done = subprocess.run(["/bin/sh", "-c", script, file], capture_output=True, text=True, timeout=60, env={}, cwd="/")
        return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    usual = names("/dev/null")
    return {name: value for name, value in names(path).items() if name not in usual}


def wicked_of(root):
    """Per interface: the assignments of ifcfg-NAME, the columns of ifroute-NAME, the keys of ifsysctl-NAME (their key is the name's)."""
    folder = root / "etc/sysconfig/network"
    found = []
    for path in sorted(folder.glob("ifcfg-*")):
        name = path.name.removeprefix("ifcfg-")
        lines = {what: [line for line in (folder / f"{what}-{name}").read_text().splitlines() if not line.startswith("#")]
                 for what in ("ifroute", "ifsysctl") if (folder / f"{what}-{name}").exists()}
        sysctls = [[part.strip() for part in line.split("=")] for line in lines.get("ifsysctl", [])]
        assert all(key.startswith(f"net/ipv6/conf/{name}/") for key, _ in sysctls), sysctls
        found.append((name, assigned(path), [line.split() for line in lines.get("ifroute", [])], sysctls))
    return found


def wicked(trees, _names):
    return {key: wicked_of(pathlib.Path(root)) for key, root in trees.items()}


class LinkFile:
    """.link files, which udev alone reads: what `udevadm test-builtin net_setup_link` says of each line."""

    def __init__(self, box):
        self.box = box

    def __call__(self, trees, _names):
        return {key: self.read(root) for key, root in trees.items()}

    @staticmethod
    def read(root):
        script = """mount --make-rprivate / && mount -t tmpfs none /usr/lib/systemd/network && mkdir -p /etc/systemd/network && mount --bind "$1" /etc/systemd/network &&
            mount -t sysfs -o ro none /sys && SYSTEMD_LOG_LEVEL=debug exec udevadm test-builtin net_setup_link /sys/class/net/lo"""
        done = subprocess.run(["unshare", "-n", "-m", "sh", "-c", script, "sh", root / "etc/systemd/network"], capture_output=True, timeout=60)
        said = done.stderr.decode("utf-8", "replace")
        assert "Parsed configuration file" in said or ".link" in said, said
        complaints = [re.sub(r"^.*\.link:", "", line) for line in said.splitlines() if ".link:" in line]
        made = []
        for path in sorted((root / "etc/systemd/network").glob("*.link")):
            text = path.read_bytes().decode().replace("\\\n", " ")
            made.append((path.name, [line.strip() for line in text.split("\n") if line and not line.startswith("#")]))
        return [complaints, made]
