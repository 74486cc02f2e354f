"""apply --root on an offline tree: what is written, that a second apply touches nothing, that removal leaves no trace."""
import hashlib
import os
import pathlib
import re
import shutil
import stat

from cases.specs import GUIDE, NM, PORT_ONLY
from support.harness import TOP, install_package

RUNS = "var/lib/rdmastate"
HOME = "etc/rdmastate"
EMPTY = "version: 1\n"


def tree(box, more=()):
    root = box.dir / "tree"
    for path in ("etc/modules-load.d", "etc/udev/rules.d", "etc/systemd/system/multi-user.target.wants", "usr/lib/systemd/system",
                 "var/lib", "run", "tmp", *more):
        (root / path).mkdir(parents=True)
    (root / "etc/os-release").write_text('ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
    (root / "etc/machine-id").write_text("5d0c1f7e2a634b7c9c61a2c8f0e4b7d3\n")
    (root / "etc/modules-load.d/other.conf").write_text("ib_iser\n")
    (root / "lib").symlink_to("usr/lib")
    install_package(root)
    (root / "etc/tricky").symlink_to("/etc/modules-load.d")  # absolute, and still inside the tree
    return root


def state(root, identity=False):
    """Each path's type, mode, owner and bytes; with `identity` also its inode and times."""
    seen = {}
    for folder, directories, files in os.walk(root):
        for name in directories + files:
            path = pathlib.Path(folder, name)
            info = path.lstat()
            key = str(path.relative_to(root))
            if key == RUNS or key.startswith(RUNS + "/") or key.startswith("run/"):
                continue
            body = os.readlink(path) if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            seen[key] = (stat.filemode(info.st_mode), info.st_uid, info.st_gid, body)
            if identity:
                seen[key] += (info.st_ino, info.st_mtime_ns, info.st_ctime_ns)
    return seen


def without_home(seen):
    return {k: v for k, v in seen.items() if k != HOME and not k.startswith(HOME + "/")}


def goes_around(box, spec, more=(), files=None):
    root = tree(box, more)
    for path, text in (files or {}).items():
        (root / path).write_text(text)
    before = state(root)
    box.write("spec.yaml", spec)
    box.write("empty.yaml", EMPTY)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    made = state(root)
    assert {k: v for k, v in made.items() if k in before} == before, "a file of others was changed"
    first = state(root, identity=True)
    runs = sorted(os.listdir(root / RUNS / "runs"))
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
    assert state(root, identity=True) == first, "the second apply touched something"
    assert sorted(os.listdir(root / RUNS / "runs")) == runs == ["000001"]
    box.run("verify", "spec.yaml", "--root", root).expect(0)
    box.run("apply", "empty.yaml", "--root", root).expect(0)
    assert without_home(state(root)) == before
    assert "Nothing to do" in box.run("apply", "empty.yaml", "--root", root).expect(0).out
    return root, made


def test_an_initrd_that_is_older_waits_for_the_one_who_builds_the_system(box):
    root = tree(box, ["boot", "usr/sbin", "etc/modprobe.d", "usr/lib/modules/6.1.0-40-amd64"])
    image = root / "boot/initrd.img-6.1.0-40-amd64"
    image.write_text("not opened")
    (root / "usr/sbin/update-initramfs").write_text("#!/bin/sh\nexit 9\n")
    (root / "usr/sbin/update-initramfs").chmod(0o755)
    os.utime(image, (1, 1))
    box.write("spec.yaml", "version: 1\nmodules: {options: {ib_ipoib: {recv_queue_size: 512}}}\n")
    done = box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert "* initrd in /boot: pending: /boot/initrd.img-6.1.0-40-amd64 is older than /etc/modprobe.d/rdmastate-options.conf" in done.err
    assert "update-initramfs -u -k all inside" in done.err, done.err
    again = box.run("plan", "spec.yaml", "--root", root, "--detailed-exitcode").expect(0)
    assert "0 steps, 1 pending" in again.out
    box.run("verify", "spec.yaml", "--root", root).expect(2)
    os.utime(image)
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
    box.run("verify", "spec.yaml", "--root", root).expect(0)
    assert image.read_text() == "not opened"


def test_an_initrd_beside_its_kernel_waits_too(box):
    """Of a system that boots its image: what it holds is not known, and dracut takes nothing of /etc into it by itself."""
    root = tree(box, ["usr/bin", "etc/modprobe.d", "usr/lib/modules/5.14.0-427.el9.x86_64", "usr/lib/modules/without-one"])
    image = root / "usr/lib/modules/5.14.0-427.el9.x86_64/initramfs.img"
    image.write_text("not opened")
    os.utime(image, (1, 1))
    box.write("spec.yaml", "version: 1\nmodules: {load: [ib_ipoib], options: {ib_ipoib: {recv_queue_size: 512}}}\n")
    assert "initrd" not in box.run("plan", "spec.yaml", "--root", root).expect(0).out, "nobody there makes one"
    (root / "usr/bin/dracut").write_text("#!/bin/sh\nexit 9\n")
    (root / "usr/bin/dracut").chmod(0o755)
    done = box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert f"pending: /{image.relative_to(root)} is older than /etc/modprobe.d/rdmastate-options.conf: it is made anew" in done.err, done.err
    assert "by dracut --force --include FILE FILE IMAGE KERNEL, with an --include for each of these files, inside" in done.err, done.err
    assert "without-one" not in done.err and "modules-load.d" not in done.err.partition("* initrd")[2], done.err
    assert "0 steps, 1 pending" in box.run("plan", "spec.yaml", "--root", root, "--detailed-exitcode").expect(0).out
    box.run("verify", "spec.yaml", "--root", root).expect(2)
    os.utime(image)
    box.run("verify", "spec.yaml", "--root", root).expect(0)
    box.write("left.yaml", (box.dir / "spec.yaml").read_text() + "initrd: leave\n")
    os.utime(image, (1, 1))
    box.run("verify", "left.yaml", "--root", root).expect(0)
    assert image.read_text() == "not opened"


def test_an_initrd_for_any_host_waits_too(box):
    """dracut of RHEL with dracut-config-generic: the builder is told the line for its settings."""
    root = tree(box, ["boot", "usr/bin", "etc/modprobe.d", "usr/lib/dracut/dracut.conf.d", "usr/lib/modules/5.14.0-427.el9.x86_64"])
    image = root / "boot/initramfs-5.14.0-427.el9.x86_64.img"
    image.write_text("not opened")
    (root / "usr/bin/dracut").write_text("#!/bin/sh\nexit 9\n")
    (root / "usr/lib/dracut/dracut.conf.d/02-generic-image.conf").write_text('hostonly="no"\n')
    box.write("spec.yaml", "version: 1\nmodules: {options: {ib_ipoib: {recv_queue_size: 512}}}\n")
    done = box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert f"* initrd in /boot: pending: dracut makes /{image.relative_to(root)} for any host (hostonly=no)" in done.err, done.err
    assert "does not copy /etc/modprobe.d/rdmastate-options.conf: put the line install_optional_items+=" in done.err, done.err
    box.run("verify", "spec.yaml", "--root", root).expect(2)


def test_back_end_none_there_and_back(box):
    _, made = goes_around(box, GUIDE)
    assert "etc/rdmastate/boot.json" in made and "etc/udev/rules.d/70-rdmastate-ipoib.rules" in made
    assert made["etc/systemd/system/multi-user.target.wants/rdmastate.service"][3] == "/usr/lib/systemd/system/rdmastate.service"
    assert made["etc/modules-load.d/rdmastate.conf"][0] == "-rw-r--r--"


def test_back_end_networkmanager_there_and_back(box):
    _, made = goes_around(box, NM, ["etc/NetworkManager/system-connections"])
    profiles = {k: v for k, v in made.items() if k.endswith(".nmconnection")}
    assert {os.path.basename(k) for k in profiles} == {"mlx4_ib0.nmconnection", "mlx4_ib0.8002.nmconnection"}
    assert all(v[0] == "-rw-------" for v in profiles.values()), profiles


def test_networkmanager_in_a_tree_without_its_directories(box):
    _, made = goes_around(box, NM)
    assert made["etc/NetworkManager/system-connections"][0] == "drwx------"


def test_live_column_of_a_tree_is_a_dash(box):
    root = tree(box)
    box.write("spec.yaml", GUIDE)
    done = box.run("plan", "spec.yaml", "--root", root).expect(0)
    assert "tree at" in done.out and "absent  " not in done.out, done.out


def test_removing_one_record_removes_its_part(box):
    root = tree(box)
    box.write("guide.yaml", GUIDE)
    box.write("port.yaml", PORT_ONLY)
    box.run("apply", "port.yaml", "--root", root).expect(0)
    alone = state(root)
    box.run("apply", "guide.yaml", "--root", root).expect(0)
    box.run("apply", "port.yaml", "--root", root).expect(0)
    assert without_home(state(root)) == without_home(alone)
    assert (root / HOME / "boot.json").read_text() and state(root)[HOME + "/boot.json"] == alone[HOME + "/boot.json"]


def test_rollback_in_a_tree(box):
    root = tree(box)
    before = state(root)
    box.write("spec.yaml", GUIDE)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    box.run("rollback", "--root", root).expect(0)
    assert state(root) == before, "rollback leaves something"
    box.run("rollback", "--root", root).expect(1)


def test_runs_are_private(box):
    root = tree(box)
    box.write("spec.yaml", GUIDE)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    for path in [root / RUNS / "runs", root / RUNS / "runs/000001"]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o700, path
    for path in (root / RUNS / "runs/000001").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_links_out_of_the_tree_are_not_followed(box):
    root = tree(box)
    outside = box.dir / "outside"
    outside.mkdir()
    os.rename(root / "etc/udev/rules.d", root / "etc/udev/rules.saved")
    (root / "etc/udev/rules.d").symlink_to(outside)  # an absolute path that is none inside the tree
    box.write("spec.yaml", GUIDE)
    before = state(root)
    done = box.run("apply", "spec.yaml", "--root", root).expect(1)
    assert "x file /etc/udev/rules.d/: blocked: /etc/udev/rules.d is a symlink" in done.err and not list(outside.iterdir()), done.err
    after = state(root)
    assert {path: after[path] for path in before} == before
    assert not [path for path in after if path.startswith("etc/udev/") and path not in before]


def test_a_tree_that_is_not_there(box):
    box.write("spec.yaml", GUIDE)
    done = box.run("plan", "spec.yaml", "--root", "nowhere").expect(1)
    assert "nowhere" in done.err


def test_nothing_is_touched_by_looking(box):
    root = tree(box)
    box.write("spec.yaml", GUIDE)
    before = state(root, identity=True)
    for words in (("plan", "spec.yaml"), ("verify", "spec.yaml"), ("show",)):
        box.run(*words, "--root", root)
    assert state(root, identity=True) == before and not (root / RUNS).exists()


LINK_FILE = """version: 1
network: {backend: none}
ipoib:
  - {name: store0, match: {port_guid: "f452:1403:007b:cba1"}, named_by: link-file}
"""


def test_a_link_file_needs_the_hardware(box):
    root = tree(box)
    box.write("spec.yaml", LINK_FILE)
    said = box.run("plan", "spec.yaml", "--root", root).expect(3).err
    assert "a .link file needs the PCI function of port f452:1403:007b:cba1, and no such port is known of this tree" in said
    facts = ("--root", root, "--facts", TOP / "examples/hosts/minimal.json")
    box.run("apply", "spec.yaml", *facts).expect(0)
    assert "Path=pci-0000:81:00.0\n" in (root / "etc/systemd/network/60-rdmastate-store0.link").read_text()
    assert "Nothing to do" in box.run("apply", "spec.yaml", *facts).expect(0).out


def test_what_a_newer_version_wrote_is_named(box):
    """Of each file of ours that is read again: by its path, and nothing is changed."""
    box.write("spec.yaml", GUIDE)
    for path, words in (("etc/rdmastate/ledger.json", ("apply", "spec.yaml")), ("etc/rdmastate/boot.json", ("verify", "--boot")),
                        (f"{RUNS}/runs/000001/round-01.json", ("rollback",)), (f"{RUNS}/runs/000001/round-01.json", ("apply", "spec.yaml"))):
        root = tree(box)
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        text, count = re.subn(r'"format_version": *1\b', '"format_version": 2', (root / path).read_text(), count=1)
        assert count == 1, path
        (root / path).write_text(text)
        before = state(root)
        done = box.run(*words, "--root", root).expect(1)
        assert f"/{path}: its format_version is 2: a newer rdmastate wrote it" in done.err, done.err
        assert "damaged" not in done.err and "not a boot file" not in done.err and state(root) == before, done.err
        shutil.rmtree(root)
