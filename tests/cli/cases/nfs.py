"""NFS files, read back by their owners: systemd takes every unit as it stands, nfsconf reads the port that was given."""
import pathlib
import re
import subprocess

from cases.trees import goes_around, tree

UNITS = "etc/systemd/system"
WANTS = f"{UNITS}/remote-fs.target.wants"
TARGETS = ["/mnt/projects", "/mnt/a-b", "/mnt/.a b/100% ä", "/.hidden", "/mnt/a:b_c.d/below", "/mnt/'\"#;$x@"]
SOURCES = ["server.example.com:/nfs/projects", "[2001:db8::5]:/nfs/100%", "[fe80::5%ib0]:/a b/#;'\"", "192.0.2.5:/", "s:/%n%i$x", "server:/ä"]


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def spec(automount=False):
    mounts = "".join(f"      - {{source: {quoted(source)}, target: {quoted(target)}, rdma_port: {20049 + i}, "
                     f"options: [vers=4.2, 'context=a%b:c'], automount: {str(automount).lower()}}}\n"
                     for i, (source, target) in enumerate(zip(SOURCES, TARGETS)))
    return f"version: 1\nnetwork: {{backend: none}}\nnfs:\n  server: {{rdma_port: 20050}}\n  client:\n    mounts:\n{mounts}"


def names(suffix):
    done = subprocess.run(["systemd-escape", "--path", f"--suffix={suffix}", *TARGETS], capture_output=True, text=True, check=True)
    return done.stdout.split()


def applied(box, text):
    root = tree(box)
    box.write("spec.yaml", text)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    return root


def test_units_are_named_as_systemd_escape_does(box):
    root = applied(box, spec(automount=True))
    made = {path.name for path in (root / UNITS).glob("*mount")}
    assert made == set(names("mount") + names("automount")), made
    enabled = {path.name: str(path.readlink()) for path in (root / WANTS).iterdir()}
    assert enabled == {name: f"/{UNITS}/{name}" for name in names("automount")}, enabled


def verified(root, names_):
    """What systemd says to our units, with its own targets beside them; nothing of this machine's units is looked at."""
    for target in ("remote-fs", "remote-fs-pre", "network", "network-online", "umount", "local-fs", "local-fs-pre", "sysinit", "basic",
                   "shutdown", "rdmastate-ready"):
        (root / UNITS / f"{target}.target").write_text("[Unit]\nDescription=there\nDefaultDependencies=no\n")
    paths = [str(root / UNITS / name) for name in names_]
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *paths], capture_output=True, text=True, timeout=120,
                          env={"PATH": "/usr/bin:/bin", "SYSTEMD_UNIT_PATH": str(root / UNITS), "LC_ALL": "C.UTF-8"})
    return [line for line in (done.stdout + done.stderr).splitlines() if "mount" in line]


def test_systemd_takes_every_line(box):
    root = applied(box, spec())
    assert verified(root, names("mount")) == []
    (box.dir / "tree").rename(box.dir / "first")
    root = applied(box, spec(automount=True))
    assert verified(root, names("mount") + names("automount")) == []


def test_systemd_says_what_it_does_not_take(box):
    root = applied(box, spec())
    unit = root / UNITS / "mnt-projects.mount"
    unit.write_text(unit.read_text().replace("Where=/mnt/projects", "Where=/mnt/other").replace("Type=nfs", "Tpye=nfs"))
    found = "\n".join(verified(root, ["mnt-projects.mount"]))
    assert "Where= setting doesn't match unit name" in found and "Tpye" in found, found


def test_values_given_are_values_read(box):
    root = applied(box, spec())
    for i, (name, source, target) in enumerate(zip(names("mount"), SOURCES, TARGETS)):
        text = (root / UNITS / name).read_text()
        values = {key: value.replace("%%", "%") for key, value in re.findall(r"^(What|Where|Options)=(.*)$", text, re.M)}
        assert not re.search(r"(?<!%)(%%)*%(?!%)", text), text
        proto = "rdma6" if source.startswith("[") else "rdma"
        assert values == {"What": source, "Where": target, "Options": f"proto={proto},port={20049 + i},vers=4.2,context=a%b:c"}, values


def nfsconf(root, key):
    conf = root / "etc/nfs.conf"
    done = subprocess.run(["/usr/sbin/nfsconf", "--file", str(conf), "--get", "nfsd", key], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def test_nfsconf_reads_the_port(box):
    root = applied(box, spec())
    (root / "etc/nfs.conf").write_text("[nfsd]\nrdma = n\nrdma-port = 1\nthreads = 9\n")
    assert (nfsconf(root, "rdma"), nfsconf(root, "rdma-port"), nfsconf(root, "threads")) == ("y", "20050", "9")


def test_nfsconf_reads_the_one_key(box):
    root = tree(box)
    conf = root / "etc/nfs.conf"
    before = "# theirs\n[nfsd]\n# rdma=n\nthreads = 9\n\n[mountd]\nport = 892\n"
    conf.write_text(before)
    (root / "etc/os-release").write_text('ID=rhel\nVERSION_ID="8.10"\n')
    box.write("spec.yaml", spec())
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert conf.read_text() == before.replace("threads = 9\n", "threads = 9\nrdma = 20050\n")
    assert (nfsconf(root, "rdma"), nfsconf(root, "threads")) == ("20050", "9")
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
    box.write("none.yaml", "version: 1\n")
    box.run("apply", "none.yaml", "--root", root).expect(0)
    assert conf.read_text() == before


def test_a_stale_port_key_goes_and_comes_back(box):
    root = tree(box)
    conf = root / "etc/nfs.conf"
    (root / "etc/os-release").write_text('ID=rhel\nVERSION_ID="8.10"\n')
    box.write("spec.yaml", spec())
    for keys in ("rdma=y\nrdma-port=20051\n", "RDMA-Port=20051 # theirs\nrdma=nfsrdma\n", "rdma-port=20051\n"):
        before = f"[nfsd]\nthreads = 9\n{keys}# end\n[mountd]\nport = 892\n"
        conf.write_text(before)
        plan = box.run("plan", "spec.yaml", "--root", root).expect(0).out
        assert "remove entry nfsd.rdma-port in /etc/nfs.conf" in plan and "20051" in plan, plan
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        assert (nfsconf(root, "rdma"), nfsconf(root, "rdma-port"), nfsconf(root, "threads")) == ("20050", "", "9")
        assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
        box.run("rollback", "--root", root).expect(0)
        assert conf.read_text() == before


def test_there_and_back(box):
    _, made = goes_around(box, spec(automount=True))
    assert made["etc/nfs.conf.d/rdmastate.conf"][0] == "-rw-r--r--"
    assert made[f"{WANTS}/mnt-projects.automount"][3] == f"/{UNITS}/mnt-projects.automount"


def test_automount_and_back(box):
    root = applied(box, spec())
    assert sorted(path.name for path in (root / WANTS).iterdir()) == sorted(names("mount"))
    for automount, enabled in ((True, "automount"), (False, "mount")):
        box.write("spec.yaml", spec(automount))
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        assert sorted(path.name for path in (root / WANTS).iterdir()) == sorted(names(enabled))
    assert not list((root / UNITS).glob("*.automount"))
    assert pathlib.Path(root / UNITS / "mnt-projects.mount").exists()


ZONE = '<?xml version="1.0" encoding="utf-8"?>\n<zone>\n  <short>Internal</short>\n  <service name="ssh"/>\n  <forward/>\n</zone>\n'
FIREWALL = "version: 1\nnetwork: {backend: none}\nnfs: {server: {firewall: {zone: internal}}}\n"
ENTRIES = '  <port port="20049" protocol="tcp"/>\n  <port port="20049" protocol="udp"/>\n'
OF_ITS_PACKAGE = ("usr/lib/firewalld/zones", "etc/firewalld/zones")


def test_a_trees_zone_is_the_packages_with_two_entries_more(box):
    files = {"usr/lib/firewalld/zones/internal.xml": ZONE, "usr/lib/systemd/system/firewalld.service": "[Unit]\n"}
    _, made = goes_around(box, FIREWALL, OF_ITS_PACKAGE, files)
    assert "etc/firewalld/zones/internal.xml" in made
    text = (box.dir / "tree/etc/firewalld/zones/internal.xml")
    assert not text.exists()
    box.run("apply", "spec.yaml", "--root", box.dir / "tree").expect(0)
    lines = text.read_text().splitlines(keepends=True)
    assert "Copied by rdmastate" in lines.pop(1)
    assert "".join(lines) == ZONE.replace("</zone>", ENTRIES + "</zone>")


def test_a_zone_of_the_tree_gets_the_entries_and_keeps_its_own(box):
    root = tree(box, OF_ITS_PACKAGE)
    (root / "usr/lib/firewalld/zones/internal.xml").write_text(ZONE)
    (root / "usr/lib/systemd/system/firewalld.service").write_text("[Unit]\n")
    theirs = ZONE.replace("  <forward/>\n", '  <port protocol="udp" port="53"/>\n')
    own = root / "etc/firewalld/zones/internal.xml"
    own.write_text(theirs)
    box.write("spec.yaml", FIREWALL)
    box.write("empty.yaml", "version: 1\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert own.read_text() == theirs.replace("</zone>", ENTRIES + "</zone>")
    box.run("apply", "empty.yaml", "--root", root).expect(0)
    assert own.read_text() == theirs
