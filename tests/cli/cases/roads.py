# SPDX-License-Identifier: Apache-2.0
"""What cloud-init, Ignition, installers and image builders are given (examples/roads): good for them, and run as they would run it."""
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time
import urllib.parse

import yaml

from cases.examples import LAYOUTS
from cases.specs import GUIDE
from support import roads
from support.harness import BINARY, HOSTS, TOP, install_package

ROADS = TOP / "examples/roads"
SPEC = yaml.safe_load((TOP / "examples/minimal.yaml").read_text())
UNIT = "rdmastate-apply.service"
PROFILE = "of-a-test.profraw"  # of a sanitized binary: what of it ran
CLOUD_KEYS = "/usr/lib/python3/dist-packages/cloudinit/config/schemas/schema-cloud-config-v1.json"
OPTIONS = "version: 1\nmodules: {options: {ib_ipoib: {recv_queue_size: 512}}}\n"
PORT = "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1"
BY_ANACONDA = f"[connection]\nid=ib0\ntype=infiniband\nzone=internal\n[infiniband]\nmac-address={PORT}\n[ipv4]\nmethod=manual\naddress1=192.0.2.1/24\n"


def good(*command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def with_libraries(tree, program, name):
    """A program of this machine in a tree, with the shared libraries that it is linked with."""
    for path in [program, *re.findall(r"(/\S+) \(0x", good("ldd", program))]:
        target = tree / (name if path == program else str(path).lstrip("/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy2(os.path.realpath(path), target)


def new_system(box, name, layout):
    """A system as an installer leaves it before its own scripts run: a shell, systemctl, and the package."""
    family, release, manager = LAYOUTS[layout]
    tree = box.dir / name
    for folder in ("bin", "dev", "etc/rdmastate", "etc/NetworkManager/system-connections", "proc", "root", "run", "tmp", "usr/bin", "usr/lib/systemd/system"):
        (tree / folder).mkdir(parents=True)
    (tree / "etc/os-release").write_text(f'ID="{family}"\nVERSION_ID="{release}"\n')
    install_package(tree)
    with_libraries(tree, BINARY, "usr/bin/rdmastate")
    with_libraries(tree, pathlib.Path("/usr/bin/systemctl"), "usr/bin/systemctl")
    with_libraries(tree, pathlib.Path("/usr/bin/install"), "usr/bin/install")
    shutil.copy2("/bin/busybox", tree / "bin/busybox")
    for applet in ("sh", "cat", "chmod", "mkdir", "rm", "cp"):
        (tree / "bin" / applet).symlink_to("busybox")
    unit = (TOP / f"agent/install/{UNIT}.in").read_text().replace("@CMAKE_INSTALL_FULL_BINDIR@", "/usr/bin")
    (tree / "usr/lib/systemd/system" / UNIT).write_text(unit)
    if manager == "networkmanager":
        (tree / "usr/lib/systemd/system/NetworkManager.service").write_text("[Install]\nWantedBy=multi-user.target\n")
        wants = tree / "etc/systemd/system/multi-user.target.wants"
        wants.mkdir(parents=True)
        (wants / "NetworkManager.service").symlink_to("/usr/lib/systemd/system/NetworkManager.service")
    return tree


def in_system(tree, script, mounts=""):
    """The script, by the new system's own shell, where only its files are seen, and its own /proc. `mounts`: commands before it."""
    inner = f"mount -t proc proc {tree}/proc; {mounts} chroot {tree} /bin/sh -euc {shlex.quote(script)}"
    command = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-euc", inner]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, "LLVM_PROFILE_FILE": f"/{PROFILE}"})


def settled(box, tree, facts=()):
    """The unit is enabled, the spec is private and where it lives, and a second apply has nothing to do. `facts`: --facts and a file."""
    spec = "etc/rdmastate/host.yaml"
    assert (tree / f"etc/systemd/system/multi-user.target.wants/{UNIT}").is_symlink()
    assert (tree / spec).stat().st_mode & 0o777 == 0o600
    assert yaml.safe_load((tree / spec).read_text()) == SPEC
    box.run("verify", tree / spec, "--root", tree, *facts).expect(0)
    assert box.run("plan", tree / spec, "--root", tree, *facts, "-o", "json").expect(0).json["steps"] == []


def test_user_data_is_what_cloud_init_takes(_box):
    path = ROADS / "cloud-init/user-data"
    assert "Valid cloud-config" in good("cloud-init", "schema", "-c", path)
    schema = json.loads(pathlib.Path(CLOUD_KEYS).read_text())
    known = {key for part in schema["allOf"] for key in schema["$defs"][part["$ref"].split("/")[-1]].get("properties", {})}
    given = yaml.safe_load(path.read_text())
    assert set(given) <= known, set(given) - known  # cloud-init itself lets others pass
    [file] = given["write_files"]
    assert (file["path"], file["permissions"], file["owner"]) == ("/etc/rdmastate/host.yaml", "0600", "root:root")
    assert yaml.safe_load(file["content"]) == SPEC
    assert ["systemctl", "enable", "--now", UNIT] in given["runcmd"] and given["packages"] == ["rdmastate"]


def test_ignition_takes_the_file(_box):
    good("ignition-validate", ROADS / "ignition/host.ign")
    given = json.loads((ROADS / "ignition/host.ign").read_text())
    [file] = given["storage"]["files"]
    assert (file["path"], file["mode"]) == ("/etc/rdmastate/host.yaml", 0o600)
    assert yaml.safe_load(urllib.parse.unquote(file["contents"]["source"].removeprefix("data:,"))) == SPEC
    assert given["systemd"]["units"] == [{"name": UNIT, "enabled": True}]


def test_ignition_does_what_the_file_says(box):
    """The stages of the real Ignition, on a tree; then what systemd does with presets at a first boot. Ignition of Debian wants labels, as
    Fedora's does: a stand-in for setfiles is there."""
    tree = new_system(box, "sysroot", "debian-13")
    (tree / "etc/selinux").mkdir()
    (tree / "etc/selinux/config").write_text("SELINUX=disabled\nSELINUXTYPE=targeted\n")
    (tree / "usr/lib/systemd/system-preset").mkdir()
    (tree / "usr/lib/systemd/system-preset/99-default-disable.preset").write_text("disable *\n")
    box.write("bin/setfiles", "#!/bin/sh\nexec cat >/dev/null\n").chmod(0o755)
    env = {**os.environ, "IGNITION_CONFIG_FILE": str(ROADS / "ignition/host.ign"), "PATH": f"{box.dir}/bin:{os.environ['PATH']}"}
    for stage in roads.IGNITION_STAGES:
        good(roads.IGNITION, *roads.ignition_words(stage, tree, box.dir / "cache"), env=env)
    spec = tree / "etc/rdmastate/host.yaml"
    assert spec.stat().st_mode & 0o777 == 0o600 and yaml.safe_load(spec.read_text()) == SPEC
    good("systemctl", f"--root={tree}", "preset-all", "--preset-mode=enable-only")
    assert (tree / f"etc/systemd/system/multi-user.target.wants/{UNIT}").is_symlink()


def test_autoinstall(box):
    assert "Valid cloud-config" in good("cloud-init", "schema", "-c", ROADS / "autoinstall/user-data")
    tree = new_system(box, "target", "ubuntu-24.04")
    for command in roads.autoinstall():
        told = command.partition("curtin in-target --target=/target -- ")[2]
        done = in_system(tree, told or command.replace("/target/", "/"))
        assert done.returncode == 0, (command, done.stderr)
    settled(box, tree)


def debconf_says(path):
    """What debconf has against a file of answers: nothing where each line is one."""
    return subprocess.run(["debconf-set-selections", "--checkonly", path], capture_output=True, text=True, timeout=60).stderr


def test_preseed(box):
    assert debconf_says(ROADS / "preseed/preseed.cfg") == ""
    assert "parse error" in debconf_says(box.write("wrong.cfg", "d-i preseed/late_command\n"))
    tree = new_system(box, "target", "debian-12")
    (tree / "cdrom").mkdir()
    shutil.copy(TOP / "examples/minimal.yaml", tree / "cdrom/host.yaml")
    done = in_system(tree, roads.preseed().replace("in-target ", "").replace("/target/", "/"))
    assert done.returncode == 0, done.stderr
    settled(box, tree)


def test_autoyast_and_agama(box):
    """Their scripts stand in README.md; the spec is there before, by their own means."""
    for name, text in (("autoyast", roads.autoyast()), ("agama", roads.agama())):
        tree = new_system(box, name, "sles-15")
        shutil.copy(TOP / "examples/minimal.yaml", tree / "etc/rdmastate/host.yaml")
        (tree / "etc/rdmastate/host.yaml").chmod(0o600)
        done = in_system(tree, text)
        assert done.returncode == 0, (name, done.stderr)
        settled(box, tree)


def test_kickstart_in_the_new_system(box):
    tree = new_system(box, "sysimage", "rhel-9")
    profile = tree / "etc/NetworkManager/system-connections/ib0.nmconnection"
    profile.write_text(BY_ANACONDA)
    profile.chmod(0o600)
    done = in_system(tree, roads.kickstart().replace(" --adopt", ""))
    assert done.returncode == 6 and str(profile.name) in done.stderr, (done.returncode, done.stderr)
    assert profile.read_text() == BY_ANACONDA
    done = in_system(tree, roads.kickstart())
    assert done.returncode == 0, done.stderr
    assert "zone=internal" in profile.read_text(), "what the spec has no word for is gone"
    settled(box, tree)


def test_kickstart_from_outside(box):
    tree = new_system(box, "sysimage", "rhel-9")
    installer = new_system(box, "installer", "rhel-9")
    (installer / "run/install/repo").mkdir(parents=True)
    shutil.copy(TOP / "examples/minimal.yaml", installer / "run/install/repo/host.yaml")
    (installer / "mnt/sysimage").mkdir(parents=True)
    before = listed(installer, without="mnt")
    done = in_system(installer, roads.kickstart_from_outside(), f"mount --bind {tree} {installer}/mnt/sysimage;")
    assert done.returncode == 0, done.stderr
    settled(box, tree)
    assert listed(installer, without="mnt") == before, "the installer's own system was written to"


def listed(tree, without):
    """What each file of a tree holds, and each link, with its mode and owner: but for what stands below a folder of its top."""
    def told(path):
        info = path.lstat()
        body = os.readlink(path) if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        return (info.st_mode, info.st_uid, info.st_gid, body)
    return {str(path.relative_to(tree)): told(path) for path in sorted(tree.rglob("*")) if path.relative_to(tree).parts[0] not in (without, PROFILE)}


def read_only(folder):
    """The commands that let nothing be written there."""
    return f"mount --bind {folder} {folder}; mount -o remount,bind,ro {folder};"


def runs_of_containerfile():
    """The shell commands of its RUN lines: the bake, and the initrd."""
    text = (ROADS / "image/Containerfile").read_text().replace("\\\n", " ")
    found = re.findall(r"^RUN ((?:--mount=\S+ )*)(.*)$", text, re.M)
    assert [mounts for mounts, _ in found] == ["--mount=type=tmpfs,target=/run ", ""], found
    return [command for _, command in found]


def baked(box, name, facts="rhel-guide.json"):
    """An image as the Containerfile's first RUN leaves it: nothing is written into /usr, which is read-only where images are hosts."""
    tree = new_system(box, name, "rhel-9")
    shutil.copy(TOP / "examples/minimal.yaml", tree / "etc/rdmastate/host.yaml")
    if facts:
        shutil.copy(HOSTS / facts, tree / "etc/rdmastate/facts.json")
    script = "! { echo >/usr/probe; } 2>/dev/null || exit 99; " + runs_of_containerfile()[0]
    done = in_system(tree, script, f"mount -t tmpfs tmpfs {tree}/run; {read_only(tree / 'usr')}")
    assert done.returncode == 0, done.stderr
    assert not (tree / "etc/rdmastate/facts.json").exists()
    settled(box, tree)
    return tree


def test_two_bakes_are_the_same_and_keep_no_run(box):
    first = baked(box, "first")
    time.sleep(1.1)  # a time that is kept would differ
    second = baked(box, "second")
    ones, others = listed(first, without="proc"), listed(second, without="proc")
    assert ones == others, {path: (ones.get(path), others.get(path)) for path in ones.keys() | others.keys() if ones.get(path) != others.get(path)}
    assert not (first / "var/lib/rdmastate").exists()
    box.run("rollback", "--root", first).expect(1)
    baked(box, "without-facts", facts=None)


DRACUT = """#!/bin/sh
# Says how it was called, and makes an image that holds what it was told to include.
echo "$@" >>/called
held=
while [ $# -gt 2 ]; do
  case $1 in --include) held="$held $2 $(cat "$2")"; shift 3;; *) shift;; esac
done
echo "of $2:$held" >"$1"
"""
KERNELS = ("5.14.0-427.el9.x86_64", "5.14.0-503.el9.x86_64")


def test_an_initrd_beside_its_kernel_is_made_behind_our_files(box):
    """Image mode: made once for each kernel with what the agent wrote, and never without one of its files, an image or dracut."""
    bake, initrd = runs_of_containerfile()
    option = "/etc/modprobe.d/rdmastate-options.conf"
    for name, spec, dracut in (("made", OPTIONS, True), ("nothing-to-take", "version: 1\n", True), ("no-dracut", OPTIONS, False)):
        tree = new_system(box, name, "rhel-9")
        (tree / "etc/rdmastate/host.yaml").write_text(spec)
        shutil.copy(HOSTS / "rhel-guide.json", tree / "etc/rdmastate/facts.json")
        images = [tree / f"usr/lib/modules/{kernel}/initramfs.img" for kernel in KERNELS]
        for image in images:
            image.parent.mkdir(parents=True)
            image.write_text("of the base image\n")
        (tree / "usr/lib/modules/without-one").mkdir()
        if dracut:
            (tree / "usr/bin/dracut").write_text(DRACUT)
            (tree / "usr/bin/dracut").chmod(0o755)
        for script in (bake, initrd):
            done = in_system(tree, script, f"mount -t tmpfs tmpfs {tree}/run;")
            assert done.returncode == 0, (name, done.stderr)
        if name != "made":
            assert not (tree / "called").exists() and {image.read_text() for image in images} == {"of the base image\n"}, name
            continue
        assert (tree / "called").read_text().splitlines() == [
            f"--force --reproducible --include {option} {option} /usr/lib/modules/{kernel}/initramfs.img {kernel}" for kernel in KERNELS]
        for kernel, image in zip(KERNELS, images):
            held = image.read_text()
            assert held.startswith(f"of {kernel}: {option} ") and "options ib_ipoib recv_queue_size=512" in held, held


def test_an_initrd_that_cannot_be_made_ends_the_build(box):
    tree = new_system(box, "image", "rhel-9")
    for path, text in (("etc/modprobe.d/rdmastate-options.conf", "\n"), (f"usr/lib/modules/{KERNELS[0]}/initramfs.img", ""), ("usr/bin/dracut", "#!/bin/sh\nexit 9\n")):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
        (tree / path).chmod(0o755)
    assert in_system(tree, runs_of_containerfile()[1]).returncode == 1


# What a line of strace has of a call that changes a file system, or opens a file to write to it.
CHANGES = re.compile(r"\d+ +(?:(?:mk|ch|fch|lch|rename|unlink|rmdir|link|symlink|f?truncate|utime|futime|[lf]?(?:set|remove)xattr)\w*\(|(?:open|creat)\w*\(.*(?:O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE))")
BAKED = GUIDE + """memlock: {group: rdma, soft: 64GiB, hard: unlimited, services: [slurmd.service]}
nfs: {server: {rdma_port: 20049}}
"""


def traced(box, tree, *words):
    """What one run did: the lines of its network calls, and by file whatever it changed."""
    log = box.dir / "strace"
    surroundings = {"LLVM_PROFILE_FILE": f"{tree}/{PROFILE}", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}  # it would trace too
    box.run(*words, under=("strace", "-f", "-qq", "-y", "-o", log, "-e", "trace=%network,%file,%desc"), env=surroundings).expect(0)
    lines = [line for line in log.read_text(errors="replace").splitlines() if " = -1 " not in line]
    good("strace", "-f", "-qq", "-o", log, "-e", "trace=%network", BINARY, "--version")
    assert not log.read_text(), "this program has sockets before it does anything"
    return lines


def test_a_bake_asks_nobody_and_writes_nowhere_else(box):
    """No daemon and no netlink: there is no socket. Each call that changes something names a descriptor in the tree, and none outside."""
    for name, spec in (("none", BAKED), ("networkmanager", BAKED.replace("backend: none", "backend: networkmanager"))):
        tree = new_system(box, name, "rhel-9")
        (tree / "etc/group").write_text("root:x:0:\n")
        box.write("spec.yaml", spec)
        lines = traced(box, tree, "apply", "spec.yaml", "--root", tree, "--bake", "--facts", HOSTS / "rhel-guide.json")
        sockets = [line for line in lines if re.match(r"\d+ +(?:socket|connect|bind|send|recv)\w*\(", line)]
        assert not sockets, sockets
        changes = [line for line in lines if CHANGES.match(line)]
        assert len(changes) > 20, changes
        places = [(line, [place for place in re.findall(r"\d+<([^>]*)>", line)]) for line in changes]
        outside = [line for line, told in places if not told or any(not f"{place}/".startswith(f"{tree}/") for place in told)]
        assert not outside, outside
    live = box.run("plan", "spec.yaml", under=("strace", "-f", "-qq", "-o", box.dir / "live", "-e", "trace=%network"))
    assert re.search(r"socket\(AF_NETLINK", (box.dir / "live").read_text()), ("strace would not see it", live.err)


def of_a_place():
    """The spec of README.md that fits hosts whose GUIDs differ."""
    [text] = re.findall(r"^```yaml\n(.*?)^```$", (ROADS / "README.md").read_text(), re.M | re.S)
    return text


def test_one_spec_for_hosts_whose_guids_differ(box):
    """What README.md says of it: without facts refused, with them baked; another host's agent writes that host's GUIDs."""
    tree = new_system(box, "image", "debian-12")
    spec = box.write("spec.yaml", of_a_place())
    box.run("check", "--strict", spec).expect(0)
    assert "give the hardware with --facts" in box.run("plan", spec, "--root", tree).expect(3).err
    by_driver = box.write("by-driver.yaml", of_a_place().replace('pci: "0000:81:00.0"', "driver: mlx4_core"))
    record = (HOSTS / "minimal.json").read_text()
    clone = record.replace("f452:1403:007b:cb", "f452:1403:007b:dd").replace("f4:52:14:03:00:7b:cb", "f4:52:14:03:00:7b:dd")
    hosts = {"cb": box.write("one.json", record), "dd": box.write("clone.json", clone)}
    for which in (spec, by_driver):
        for digits, record in hosts.items():
            facts = box.run("show", "--host", record, "-o", "json").expect(0).json["facts"]
            if which == by_driver:
                facts["devices"] = [device for device in facts["devices"] if device["pci"] == "0000:81:00.0"]
            box.run("apply", which, "--root", tree, "--bake", "--facts", box.write("facts.json", json.dumps(facts))).expect(0)
            written = "".join((tree / path).read_text() for path in ("etc/udev/rules.d/70-rdmastate-ipoib.rules", "etc/rdmastate/boot.json"))
            assert f"f4:52:14:03:00:7b:{digits}" in written and f"f452:1403:007b:{digits}" in written, written
            [other] = set(hosts) - {digits}
            assert f"7b:{other}" not in written and f"007b:{other}" not in written, written
    box.run("plan", spec, "--host", hosts["dd"]).expect(0)


def by_mkosi(box, name, spec, facts=None):
    """An image with that spec, and what mkosi's script ended with in it."""
    tree = new_system(box, name, "debian-12")
    place = tree / "etc/rdmastate"
    (place / "host.yaml").write_text(spec)
    (place / "host.yaml").chmod(0o600)
    if facts is not None:
        shutil.copy(facts, place / "facts.json")
    (tree / "postinst").write_text((ROADS / "image/mkosi.postinst").read_text())
    assert in_system(tree, "sh /postinst build").returncode == 0
    assert not (tree / "etc/modules-load.d").exists() and (place / "facts.json").exists() == (facts is not None)
    return tree, in_system(tree, "sh /postinst final")


def test_mkosi(box):
    facts = HOSTS / "minimal.json"
    for name, given, words in (("alone", None, ()), ("with-facts", facts, ("--facts", facts))):
        tree, done = by_mkosi(box, name, (TOP / "examples/minimal.yaml").read_text(), given)
        assert done.returncode == 0, done.stderr
        settled(box, tree, words)
        assert not (tree / "etc/rdmastate/facts.json").exists() and not (tree / "var/lib/rdmastate").exists()


def test_mkosi_looks_a_port_up_in_the_facts(box):
    tree, done = by_mkosi(box, "alone", of_a_place())
    assert done.returncode == 3 and "give the hardware with --facts" in done.stderr, done.stderr
    assert not (tree / f"etc/systemd/system/multi-user.target.wants/{UNIT}").is_symlink()
    tree, done = by_mkosi(box, "with-facts", of_a_place(), HOSTS / "minimal.json")
    assert done.returncode == 0, done.stderr
    assert "f4:52:14:03:00:7b:cb:a1" in (tree / "etc/udev/rules.d/70-rdmastate-ipoib.rules").read_text()


OF_CLOUD_INIT = {
    "etc/netplan/50-cloud-init.yaml": ("ubuntu-24.04", "network: {version: 2, ethernets: {mlx4_ib0: {dhcp4: true}}}\n"),
    "etc/NetworkManager/system-connections/cloud-init-mlx4_ib0.nmconnection":
        ("rhel-9", "[connection]\nid=cloud-init mlx4_ib0\ntype=infiniband\ninterface-name=mlx4_ib0\n[ipv4]\nmethod=auto\n"),
    "etc/systemd/network/10-cloud-init-mlx4_ib0.network": ("debian-13", "[Match]\nName=mlx4_ib0\n[Network]\nDHCP=ipv4\n"),
    "etc/network/interfaces.d/50-cloud-init": ("debian-12", "auto mlx4_ib0\niface mlx4_ib0 inet dhcp\n"),
}


def test_what_cloud_init_configured_itself_is_named(box):
    for number, (path, (layout, text)) in enumerate(OF_CLOUD_INIT.items()):
        tree = new_system(box, f"tree{number}", layout)
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
        (tree / path).chmod(0o600)
        if "interfaces.d" in path:
            (tree / "etc/network/interfaces").write_text("source /etc/network/interfaces.d/*\n")
        done = box.run("apply", TOP / "examples/minimal.yaml", "--root", tree).expect(6)
        assert "/" + path in done.err, (path, done.err)
        assert (tree / path).read_text() == text
