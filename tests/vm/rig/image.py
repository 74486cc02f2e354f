"""The guest's disk and initrd."""
import functools
import os
import re
import shutil
import subprocess
import uuid

from . import kernel
from . import release as releases
from .cache import VM, cached, digest, is_cached, listed, run
from .variants import VARIANTS

# What the initrd loads, and in this order, before there is a root file system.
BOOT_MODULES = ["virtio_pci", "virtio_blk", "overlay", "ext4"]
# What no scenario asks for, and every boot would pay for: a fifth of what one costs in emulation.
UNASKED = ["systemd-binfmt.service", "proc-sys-fs-binfmt_misc.automount", "modprobe@drm.service", "modprobe@fuse.service",
           "modprobe@loop.service", "modprobe@dm_mod.service", "modprobe@efi_pstore.service", "dev-hugepages.mount",
           "dev-mqueue.mount", "sys-kernel-tracing.mount", "sys-fs-fuse-connections.mount", "systemd-update-utmp.service",
           "systemd-update-utmp-runlevel.service", "systemd-sysusers.service"]
UNPLUGGED = ["tty", "vc", "vtconsole", "memory", "cpu", "machinecheck", "clockevents", "clocksource", "event_source",
             "workqueue", "bdi", "acpi"]


def _variant(debian):
    return VARIANTS[debian.variant] if debian.variant else None


def packages(debian):
    """What is installed in its image."""
    return listed(VM / "guest/packages") + (_variant(debian).packages if debian.variant else [])


def _make_base(debian, directory):
    run("mmdebstrap", "--variant=minbase", "--include=" + ",".join(packages(debian)), *releases.options(), *debian.strap(),
        '--dpkgopt=path-exclude=/usr/share/man/*', '--dpkgopt=path-exclude=/usr/share/locale/*',
        debian.suite, directory / "root.tar", *debian.sources(), stdin=subprocess.DEVNULL)


def _base_inputs(debian):
    return digest(debian.inputs(), *debian.strap(), *packages(debian))


def base(debian):
    """A directory with root.tar: Debian with those packages."""
    return cached("base", _base_inputs(debian), functools.partial(_make_base, debian))


def _make_debs(debian, directory):
    run(*debian.apt(), "download", *map(debian.first, listed(VM / "guest/debs")), cwd=directory)


def _debs_inputs(debian):
    return digest(debian.inputs(), *listed(VM / "guest/debs"))


def debs(debian):
    """A directory with the packages of guest/debs as files."""
    return cached("debs", _debs_inputs(debian), functools.partial(_make_debs, debian))


def _settle(root):
    """What a machine that boots in a test wants different from a machine that somebody logs in to."""
    etc = root / "etc"
    masked = ["serial-getty@ttyS0.service", "getty@tty1.service", "systemd-timesyncd.service", "apt-daily.timer",
              "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "e2scrub_reap.service", "fstrim.timer", "motd-news.timer",
              "systemd-random-seed.service", "systemd-networkd-wait-online.service",
              "NetworkManager-wait-online.service", "NetworkManager-dispatcher.service", "ModemManager.service", *UNASKED]
    # Back end none is what most scenarios are about: who configures interfaces is there, and neither runs nor is enabled.
    # Nor do what serves NFS, and sshd.
    for pattern in ("NetworkManager*.service", "nfs-*", "rpcbind.*", "ssh.service"):
        for link in etc.glob("systemd/system/*.wants/" + pattern):
            link.unlink()
    for unit in masked:
        link = etc / "systemd/system" / unit
        link.unlink(missing_ok=True)
        link.symlink_to("/dev/null")
    coldplug = etc / "systemd/system/systemd-udev-trigger.service.d/rig.conf"
    coldplug.parent.mkdir()
    unwanted = "".join(f" --subsystem-nomatch={name}" for name in UNPLUGGED)
    coldplug.write_text(f"[Service]\nExecStart=\nExecStart=-udevadm trigger --type=subsystems --action=add\n"
                        f"ExecStart=-udevadm trigger --type=devices --action=add{unwanted}\n")
    wants = etc / "systemd/system/multi-user.target.wants/rig.service"
    wants.parent.mkdir(exist_ok=True)
    wants.symlink_to("/usr/lib/systemd/system/rig.service")
    (etc / "machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    (etc / "hostname").write_text("node1\n")
    (etc / "hosts").write_text("127.0.0.1 localhost\n127.0.1.1 node1.example.com node1\n")
    (etc / "fstab").write_text("")
    (etc / "rig").mkdir()


def _make_image(debian, directory):
    root = directory / "root"
    root.mkdir()
    run("tar", "-x", "-p", "--xattrs", "-f", base(debian) / "root.tar", "-C", root)
    name = kernel.release(debian)
    modules = root / "usr/lib/modules"
    modules.mkdir(exist_ok=True)
    run("cp", "-a", kernel.kernel(debian) / "modules" / name, modules)
    (modules / name / "extra").mkdir()
    shutil.copy(kernel.module(debian) / "fake_hca.ko", modules / name / "extra")
    if debian.is_hosts:
        shutil.copy(kernel.siw(debian) / "siw.ko", modules / name / "extra")
    run("depmod", "-b", root, name)
    # The tree's modes are the checkout's: root's files are root's and not writable by others.
    run("cp", "-r", "--no-preserve=mode,ownership", str(VM / "guest/root") + "/.", root)
    shutil.copytree(debs(debian), root / "usr/lib/rig/debs")
    _settle(root)
    if debian.variant:
        _variant(debian).finish(root)
    run("mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0",
        "-d", root, directory / "disk.img", "1400M")
    shutil.rmtree(root)
    (directory / "id").write_text(uuid.uuid4().hex)  # made again of the same inputs it has other inodes and times


def image_inputs(debian):
    """What disk.img is made of. What it is made out of is made only when it is: that may be kept no longer."""
    variant = [debian.variant, VM / "rig/variants.py"] if debian.variant else []
    return digest(*variant, VM / "guest", VM / "rig/image.py", _base_inputs(debian), kernel.kernel_inputs(debian), kernel.module_inputs(debian), kernel.siw_inputs(debian) if debian.is_hosts else "")


def words(debian):
    """What its kernel is told beside what all are."""
    return " " + _variant(debian).words if debian.variant else ""


def is_kept(debian):
    """Whether the disk of its guest is kept, made of its root as that is kept, and takes the binary that is built here. Nothing is made
    to know it, and no mirror is asked."""
    as_kept = debian.as_kept()
    return as_kept is not None and as_kept.c_library() >= releases.of().c_library() and is_cached("image", image_inputs(as_kept))


def image(debian):
    """A directory with disk.img."""
    return cached("image", image_inputs(debian), functools.partial(_make_image, debian))


def _find_modules(debian):
    """Files of BOOT_MODULES and of what they need, needed ones first."""
    tree = kernel.kernel(debian) / "modules" / kernel.release(debian)
    files = {path.name[:-3]: path for path in tree.rglob("*.ko")}
    order = []

    def add(name):
        path = files.get(name) or files.get(name.replace("_", "-"))
        if not path or path in order:
            return
        needed = re.search(rb"\0depends=([^\0]*)", path.read_bytes())
        for other in needed.group(1).decode().split(",") if needed else []:
            add(other)
        # ext4's checksum is asked for by name at run time, which no dependency says.
        if name == "ext4":
            add("crc32c_generic")
        order.append(path)

    for name in BOOT_MODULES:
        add(name)
    return order


def _make_initrd(debian, directory):
    tree = directory / "tree"
    for name in ("bin", "dev", "proc", "sys", "root", "over", "modules"):
        (tree / name).mkdir(parents=True)
    shutil.copy("/bin/busybox", tree / "bin/busybox")
    for tool in ("sh", "mount", "umount", "insmod", "sleep", "grep", "mkdir", "switch_root", "echo", "zcat", "cpio"):
        (tree / "bin" / tool).symlink_to("busybox")
    modules = _find_modules(debian)
    for path in modules:
        shutil.copy(path, tree / "modules")
    (tree / "modules/order").write_text("".join(path.name + "\n" for path in modules))
    shutil.copy(VM / "guest/init", tree / "init")
    os.chmod(tree / "init", 0o755)
    run("bash", "-o", "pipefail", "-c", "find . | cpio -o -H newc --quiet | zstd -q -o ../initrd", cwd=tree)
    shutil.rmtree(tree)


def initrd_inputs(debian):
    return digest(VM / "guest/init", VM / "rig/image.py", kernel.kernel_inputs(debian))


def initrd(debian):
    """A directory with initrd."""
    return cached("initrd", initrd_inputs(debian), functools.partial(_make_initrd, debian))
