"""The stock Debian kernel: its image, its modules and the fake adapter compiled against its headers."""
import functools
import lzma
import pathlib
import re
import shutil
import struct
import subprocess

from .cache import VM, Trouble, cached, digest, run

# Module directories that no scenario can need: 391 MB become 107.
PRUNED = """sound drivers/gpu drivers/media drivers/net/wireless drivers/iio drivers/comedi drivers/staging drivers/usb
drivers/video drivers/input drivers/hid drivers/platform drivers/i2c drivers/mmc drivers/bluetooth net/bluetooth net/wireless
net/mac80211 drivers/hwmon drivers/thermal drivers/crypto drivers/accessibility drivers/mtd drivers/isdn drivers/leds
drivers/watchdog drivers/ata drivers/md drivers/power drivers/w1 drivers/firewire drivers/net/can net/can
drivers/net/usb drivers/net/ppp drivers/net/arcnet drivers/net/wan drivers/net/fddi drivers/net/hamradio drivers/edac
drivers/nfc net/nfc drivers/parport drivers/pcmcia drivers/spi drivers/rtc drivers/soundwire drivers/tty drivers/uwb
fs/ocfs2 fs/gfs2 fs/btrfs fs/xfs fs/f2fs fs/jfs fs/reiserfs fs/nilfs2 fs/ubifs fs/ceph fs/cifs fs/ksmbd fs/afs fs/dlm
net/ceph net/batman-adv net/tipc net/sctp net/rxrpc net/atm net/ax25 net/netrom net/rose arch/x86/kvm""".split()
HEADERS = re.compile(r"linux-headers-(\d[\d.]*(?:-\d+|\+deb[\d.]+)-amd64)$")


def release(debian):
    """The newest installed headers of the full kernel (cloud kernels have no ib_ipoib)."""
    found = [m.group(1) for m in map(HEADERS.match, (p.name for p in (debian.root() / "usr/src").iterdir())) if m]
    if not found:
        raise Trouble("no linux-headers-*-amd64 in /usr/src: apt-get install $(grep -v '#' tests/vm/packages)")
    return max(found, key=lambda name: [int(part) for part in re.findall(r"\d+", name)])


def headers(debian):
    """Their folder, as the release's own compiler sees it."""
    return pathlib.Path("/usr/src") / f"linux-headers-{release(debian)}"


def uncompressed(vmlinuz):
    """The ELF kernel inside a bzImage: it boots seconds faster under emulation. Offsets: Documentation/x86/boot."""
    data = vmlinuz.read_bytes()
    start, size = (data[0x1F1] + 1) * 512 + struct.unpack_from("<I", data, 0x248)[0], struct.unpack_from("<I", data, 0x24C)[0]
    if data[start:].startswith(b"\x28\xb5\x2f\xfd"):  # zstd, behind which the kernel has its length
        return subprocess.run(["zstd", "-dcq"], input=data[start:start + size - 4], check=True, stdout=subprocess.PIPE).stdout
    return lzma.LZMADecompressor().decompress(data[start:])


def parts(name, depends):
    """Of what linux-image-NAME depends on, the packages with its files: since Linux 7 it has none itself."""
    return re.findall(rf"\b(linux-(?:binary|modules)-{re.escape(name)})(?=[ ,]|$)", depends)


def image(package, name):
    """The bzImage among the unpacked files: below /boot, or since Linux 7 beside the modules."""
    found, = [path for path in (package / f"boot/vmlinuz-{name}", package / f"usr/lib/modules/{name}/vmlinuz") if path.exists()]
    return found


def _make_kernel(debian, directory):
    name = release(debian)
    needed = _download(debian, "linux-image-" + name, directory)
    for part in parts(name, needed):
        _download(debian, part, directory)

    (directory / "vmlinux").write_bytes(uncompressed(image(directory / "package", name)))
    modules, = (directory / "package").glob(f"**/lib/modules/{name}")  # below /lib, or since Debian 13 below /usr/lib
    for pruned in PRUNED:
        shutil.rmtree(modules / "kernel" / pruned, ignore_errors=True)
    # SCSI itself stays: rdma-core loads ib_iser at boot, which needs it.
    for adapter in (modules / "kernel/drivers/scsi").iterdir():
        if adapter.is_dir():
            shutil.rmtree(adapter)
    for path in modules.rglob("*.ko.xz"):  # what the initrd loads has to be plain, and the guest reads plain ones sooner
        run("xz", "-d", path)
    (directory / "modules").mkdir()
    modules.rename(directory / "modules" / name)
    shutil.rmtree(directory / "package")


def kernel_inputs(debian):
    return digest(debian.inputs(), release(debian), VM / "rig/kernel.py")


def kernel(debian):
    """A directory with vmlinux and modules/RELEASE."""
    return cached("kernel", kernel_inputs(debian), functools.partial(_make_kernel, debian))


def _make_module(debian, directory):
    source = directory / "fake_hca"
    shutil.copytree(VM / "fake_hca", source)
    debian.make(source, "W=1", f"KDIR={headers(debian)}")
    run("strip", "--strip-debug", source / "fake_hca.ko")
    (source / "fake_hca.ko").rename(directory / "fake_hca.ko")
    shutil.rmtree(source)


def _download(debian, package, directory):
    """The package's files under directory/package; what it depends on, as its control file says."""
    # apt's own user must be able to write there.
    download = directory / "download"
    download.mkdir(mode=0o777)
    run(*debian.apt(), "download", package, cwd=download)
    deb, = download.glob("*.deb")
    run("dpkg-deb", "-x", deb, directory / "package")
    depends = run("dpkg-deb", "-f", deb, "Depends").strip()
    shutil.rmtree(download)
    return depends


def source_package(debian):
    """linux-source-6.1: the source of the kernel's series, for what Debian builds no module of."""
    return "linux-source-" + ".".join(release(debian).split(".")[:2])


def _make_siw_source(debian, directory):
    _download(debian, source_package(debian), directory)
    archive, = (directory / "package/usr/src").glob("linux-source-*.tar.xz")
    run("tar", "-x", "-C", directory, "--strip-components=4", "--wildcards", "-f", archive, "*/drivers/infiniband/sw/siw/*")
    shutil.rmtree(directory / "package")


def siw_source(debian):
    """A directory with siw/*.c: 140 MB are downloaded for it, so it outlives what else siw.ko depends on."""
    return cached("siw-source", digest(release(debian), source_package(debian)), functools.partial(_make_siw_source, debian))


def _make_siw(debian, directory):
    source = directory / "siw"
    shutil.copytree(siw_source(debian) / "siw", source)
    shutil.copy(VM / "siw/Kbuild", source)
    run("make", "-C", headers(debian), "-j2", f"M={source}", "modules")
    run("strip", "--strip-debug", source / "siw.ko")
    (source / "siw.ko").rename(directory / "siw.ko")
    shutil.rmtree(source)


def siw_inputs(debian):
    return digest(release(debian), source_package(debian), VM / "siw", VM / "rig/kernel.py")


def siw(debian):
    """A directory with siw.ko, the iWARP driver over TCP."""
    return cached("siw", siw_inputs(debian), functools.partial(_make_siw, debian))


def module_inputs(debian):
    return digest(release(debian), VM / "fake_hca")


def module(debian):
    """A directory with fake_hca.ko."""
    return cached("module", module_inputs(debian), functools.partial(_make_module, debian))
