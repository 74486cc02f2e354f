# SPDX-License-Identifier: Apache-2.0
"""What examples/roads has for builders of images, run by the real ones: mkosi, and dracut as the Containerfile calls it."""
import hashlib
import json
import re
import shutil
import subprocess

from builders import SUITE, builders
from inside import BUILDER, good
from machine import boots
from published import TOP, deb
from rig import kernel, release  # tests/vm/rig: the guest's kernel

DEEP = True
ROADS = TOP / "examples/roads"
CONF = f"""[Distribution]
Distribution=debian
Release={SUITE}
[Output]
Format=directory
Output=image
[Content]
Packages=rdmastate
PackageDirectories=packages
BaseTrees=/base
"""
# Of one host: no facts of it come along, so its port is known by GUID.
STORE = """version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
devices:
  - {match: {pci: "0000:00:08.0"}, name: hca0}
ipoib:
  - {name: store0, match: {port_guid: "f452:1403:007b:cba1"}, ipv4: {method: manual, addresses: [203.0.113.1/24]}}
"""
# Looks at the machine once it has booted, and powers it off.
LOOK = """[Unit]
After=rdmastate-apply.service
[Service]
Type=oneshot
StandardOutput=file:/dev/ttyS0
StandardError=file:/dev/ttyS0
ExecStart=-rdmastate verify --wait 60s /etc/rdmastate/host.yaml
ExecStart=-rdmastate apply /etc/rdmastate/host.yaml
ExecStart=-rdmastate history
ExecStart=-grep -m1 /24 /proc/net/fib_trie
ExecStopPost=systemctl poweroff --force
"""
OPTIONS = "version: 1\nmodules: {options: {ib_ipoib: {recv_queue_size: 512}}}\n"


def mkosi(box, more, spec, scripts, then):
    """What it printed, with what examples/roads has for it: with the default of Fedora, which disables every unit that no preset names, and
    without a network. `more`: of its configuration; `then`: commands in the folder that holds the image."""
    box.write("mkosi.conf", CONF + more)
    box.write("mkosi.sandbox/etc/apt/sources.list.d/mkosi.sources", "")
    box.write("mkosi.skeleton/etc/machine-id", "uninitialized\n")  # as mkosi has it in a tree that it begins itself: presets are to come
    box.write("mkosi.extra/etc/rdmastate/host.yaml", spec)
    box.write("mkosi.extra/usr/lib/systemd/system-preset/99-default-disable.preset", "disable *\n")
    (box.dir / "packages").mkdir()
    shutil.copy(deb(), box.dir / "packages")
    for script in scripts:
        shutil.copy(ROADS / "image" / script, box.dir)
    return good(f"set -e; cd /mnt; export HOME=/root\nmkosi build\n{then}", box.dir, BUILDER, builders())


def held(tree):
    """What each file and link of it is, with its mode and owner: by name."""
    found = {}
    for path in tree.rglob("*"):
        info = path.lstat()
        what = path.readlink() if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(tree))] = (oct(info.st_mode), info.st_uid, info.st_gid, str(what))
    return found


def test_mkosi(box):
    """Two builds, at other times, make the same: no run is kept and no time."""
    told = mkosi(box, "Bootable=no\n", (TOP / "examples/minimal.yaml").read_text(), ["mkosi.postinst"], """sleep 1.1; mkosi --output=again build
chroot image rdmastate plan /etc/rdmastate/host.yaml --root / -o json >plan.json""")
    image = box.dir / "image"
    assert "\nib_ipoib\n" in (image / "etc/modules-load.d/rdmastate.conf").read_text(), told
    assert (image / "etc/systemd/system/multi-user.target.wants/rdmastate-apply.service").is_symlink(), told
    assert (image / "etc/rdmastate/host.yaml").stat().st_mode & 0o777 == 0o600
    assert not (image / "var/lib/rdmastate").exists()
    assert json.loads((box.dir / "plan.json").read_text())["steps"] == []
    first, again = held(image), held(box.dir / "again")
    assert first == again, sorted(name for name in first.keys() | again.keys() if first.get(name) != again.get(name))


def test_mkosi_makes_the_initrd_with_ours(box):
    """By mkosi.finalize: the initrd that the image boots with has the options that the bake wrote."""
    debian = release.of()
    version = kernel.release(debian)
    modules = shutil.copytree(kernel.kernel(debian) / "modules" / version, box.dir / "mkosi.extra/usr/lib/modules" / version)
    shutil.copy(kernel.kernel(debian) / "vmlinux", modules)
    told = mkosi(box, "Bootable=yes\nBootloader=none\nUnifiedKernelImages=no\n", OPTIONS, ["mkosi.postinst", "mkosi.finalize"], """cd image/boot
echo == what they hold
sed -n 's/^initrd //p' loader/entries/*.conf | while read -r initrd; do lsinitrd -f /etc/modprobe.d/rdmastate-options.conf ./$initrd; done""")
    assert "\noptions ib_ipoib recv_queue_size=512\n" in told.split("== what they hold")[1], told


def test_mkosis_image_boots_in_sync(box):
    """At its first boot, on a machine that had no part in the build. The unit that applies found what there was to do."""
    debian = release.of()
    version = kernel.release(debian)
    modules = shutil.copytree(kernel.kernel(debian) / "modules" / version, box.dir / "mkosi.extra/usr/lib/modules" / version)
    shutil.copy(kernel.module(debian) / "fake_hca.ko", modules)
    subprocess.run(["depmod", "-b", box.dir / "mkosi.extra/usr", version], check=True)
    box.write("mkosi.extra/etc/modules-load.d/adapter.conf", "fake_hca\n")
    units = "mkosi.extra/usr/lib/systemd/system"
    box.write(f"{units}/look.service", LOOK)
    (box.dir / units / "multi-user.target.wants").mkdir()
    (box.dir / units / "multi-user.target.wants/look.service").symlink_to("../look.service")
    (box.dir / "mkosi.extra/usr/sbin").mkdir()
    (box.dir / "mkosi.extra/usr/sbin/init").symlink_to("../lib/systemd/systemd")
    mkosi(box, "Bootable=no\n", STORE, ["mkosi.postinst"], "")
    told = boots(box.dir / "image", box.dir)
    for word in ("this host is as the spec says, now and for the next boot.", "Nothing to do: ", "finished", " 203.0.113.0/24 "):
        assert word in told, told
    assert "000001 " in told and "000002 " not in told, told


def test_dracut_makes_the_initrd_of_an_image(box):
    """What the Containerfile runs makes an initrd with our file and with the module that it is for, and the same bytes again."""
    debian = release.of()
    version = kernel.release(debian)
    shutil.copytree(kernel.kernel(debian) / "modules" / version, box.dir / version)
    shutil.copy(deb(), box.dir)
    text = (ROADS / "image/Containerfile").read_text().replace("\\\n", " ")
    box.write("host.yaml", OPTIONS)
    box.write("run", "".join(f"({command})\n" for command in re.findall(r"^RUN (?:--mount=\S+ )*(.*)$", text, re.M)))
    told = good(f"""set -e
export SOURCE_DATE_EPOCH=1700000000
modules=/usr/lib/modules/{version}
mkdir -p /usr/lib/modules; mv /mnt/{version} $modules; depmod {version}; touch $modules/initramfs.img
dpkg -i /mnt/*.deb
cp /mnt/host.yaml /etc/rdmastate
. /mnt/run
cp $modules/initramfs.img /mnt/first
. /mnt/run
cmp /mnt/first $modules/initramfs.img
echo == what it holds
lsinitrd -f /etc/modprobe.d/rdmastate-options.conf $modules/initramfs.img""", box.dir, BUILDER, builders())
    assert "\noptions ib_ipoib recv_queue_size=512\n" in told.split("== what it holds")[1], told
