"""One emulated machine: its command line, its snapshot, and what its end means."""
import functools
import io
import json
import os
import pathlib
import re
import socket
import subprocess
import tarfile
import time

from . import image, kernel
from .cache import Trouble, cached, digest, run

MEMORY = 1024
ORDER_DISK = 96 << 20  # bytes of the second disk, which brings the scenario's files (write_order())
CUT = 101              # what the guest ends with where its scenario pulls the plug
# nowatchdog, no_timer_check: on a busy machine an emulated processor stands still for longer than the kernel would believe.
# tsc=reliable: else time is read from the emulated HPET, one processor at a time: a quarter of the work of a boot.
CMDLINE = ("console=ttyS0 quiet loglevel=5 mitigations=off panic=-1 oops=panic nowatchdog no_timer_check tsc=reliable "
           "systemd.show_status=false net.ifnames=1")
# One PCI Express function with virtual ones: QEMU's nvme, which fake_hca takes for an adapter (fake_hca/vf.c). The machine "pc" has no
# PCI Express, and the kernel's own driver must not take the function first.
VFS = 4
VF_MACHINE = ["-device", "intel-iommu", "-device", "nvme-subsys,id=vfs", "-device", "pcie-root-port,id=express,bus=pcie.0,addr=0xb,chassis=1",
              "-device", f"nvme,serial=rig,subsys=vfs,bus=express,sriov_max_vfs={VFS},sriov_vq_flexible={2 * VFS},"
                         f"sriov_vi_flexible={VFS},max_ioqpairs={2 * VFS + 2},msix_qsize={VFS + 1}"]
VF_CMDLINE = " modprobe.blacklist=nvme intel_iommu=on"
BOOT_TIMEOUT = 300 * max(1.0, float(os.environ.get("RDMASTATE_VM_PATIENCE", 3)) / 3)

_running = set()


def end_all():
    """No emulator outlives its runner."""
    for process in list(_running):
        process.kill()


def logged_disk(directory):
    """A third disk, whose every write and flush is in a log (tests/crash/power_log.py reads it). The host's own disk need
    not be flushed for that."""
    disk, log = (f"driver=file,filename={directory}/{name},cache.no-flush=on" for name in ("logged", "log"))
    node = ",".join(["driver=blklogwrites,node-name=logged", "file." + disk.replace(",", ",file."), "log." + log.replace(",", ",log.")])
    return ["-blockdev", node]


def plug(directory, driver, **options):
    """A machine out of a snapshot has the devices that it had then; this one is put into its slot while it runs."""
    end = time.monotonic() + BOOT_TIMEOUT
    while True:
        try:
            monitor = Monitor(directory / "qmp")
            break
        except (FileNotFoundError, ConnectionRefusedError):
            if time.monotonic() > end:
                raise Trouble("QEMU's monitor does not answer")
            time.sleep(0.05)
    while monitor.ask("query-status")["status"] == "inmigrate" and time.monotonic() < end:
        time.sleep(0.05)
    monitor.ask("device_add", driver=driver, **options)
    monitor.close()


def plug_logged_disk(directory):
    plug(directory, "virtio-blk-pci", drive="logged", addr="0x7")


def command(debian, directory, memory=MEMORY, disk=None, incoming=None, vfs=False):
    """QEMU's words for a machine of that release. directory: its console, monitor and order disk; memory: MiB. disk: a writable qcow2, for scenarios
    that reboot; without it the image is read-only under an overlay. incoming: the state that snapshot() saved; without it the
    machine boots. vfs: one with PCI Express and a function that has virtual ones."""
    if disk:
        drive, append = f"file={disk},format=qcow2,cache=unsafe", CMDLINE + " rig.disk=rw"
    else:
        drive, append = f"file={image.image(debian) / 'disk.img'},format=raw,read-only=on", CMDLINE
    append += (VF_CMDLINE if vfs else "") + image.words(debian)
    # One processor: two, on a host with as many and another machine beside it, cost a third more for the same.
    words = ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none",
             # A machine that is saved while it stands still would remember that, and wake up so.
             "-machine", ("q35" if vfs else "pc") + ",usb=off", "-global", "migration.store-global-state=off", "-accel", "tcg,thread=multi", "-cpu", "qemu64", "-smp", "1", "-m", str(memory),
             "-kernel", str(kernel.kernel(debian) / "vmlinux"), "-initrd", str(image.initrd(debian) / "initrd"), "-append", append,
             "-serial", f"file:{directory}/console", "-qmp", f"unix:{directory}/qmp,server=on,wait=off",
             "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04",
             "-drive", drive + ",if=none,id=root", "-device", "virtio-blk-pci,drive=root,addr=0x3",
             "-drive", f"file={directory}/order,format=raw,if=none,id=order,cache=directsync",
             "-device", "virtio-blk-pci,drive=order,addr=0x4",
             "-device", "virtio-rng-pci,addr=0x5",
             "-netdev", "user,id=lan,restrict=on", "-device", "virtio-net-pci,netdev=lan,addr=0x6",
             "-device", "pci-testdev,addr=0x8", "-device", "pci-testdev,addr=0x9"]
    if vfs:
        words += VF_MACHINE
    if not disk:
        words.append("-no-reboot")
    if incoming:
        words += ["-incoming", f"exec:zstd -dc {incoming}"]
    return words


def write_order(directory, files):
    """The second disk: {name: bytes} as a tar behind one block of JSON; empty without files."""
    path = directory / "order"
    with open(path, "wb") as disk:
        disk.truncate(ORDER_DISK)
        if files is None:
            return
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as tar:
            for name, data in files.items():
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(data), 0o755
                tar.addfile(entry, io.BytesIO(data))
        body = packed.getvalue()
        if len(body) + 4096 > ORDER_DISK:
            raise Trouble(f"the scenario's files are {len(body)} bytes, more than the order disk holds")
        disk.write(json.dumps({"size": len(body), "time": time.time()}).encode().ljust(4096, b"\0"))
        disk.write(body)


class Monitor:
    """The few QMP commands that a snapshot takes."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rw")
        self.file.readline()
        self.ask("qmp_capabilities")

    def close(self):
        self.file.close()
        self.socket.close()

    def ask(self, name, **arguments):
        self.file.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
        self.file.flush()
        while True:
            answer = json.loads(self.file.readline())
            if "error" in answer:
                raise Trouble(f"QEMU, {name}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]


def _wait_ready(process, console):
    end = time.monotonic() + BOOT_TIMEOUT
    while b"@@READY" not in console.read_bytes():
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise Trouble("the guest did not get ready; its console says:\n" + tail(console))
        time.sleep(0.1)


def _make_snapshot(debian, directory, disk=None):
    write_order(directory, None)
    process = subprocess.Popen(["nice", *command(debian, directory, disk=disk)], stdin=subprocess.DEVNULL)
    try:
        while not (directory / "console").exists():
            time.sleep(0.05)
        _wait_ready(process, directory / "console")
        time.sleep(1)   # let the last of the boot's processes end
        monitor = Monitor(directory / "qmp")
        # Stopped first: of what a running one writes meanwhile the emulation may lose a page, and the machine panics on waking.
        monitor.ask("stop")
        # Migration is throttled for the network's sake by default.
        monitor.ask("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
        monitor.ask("migrate", uri=f"exec:zstd -q -1 > {directory}/state")
        while True:
            status = monitor.ask("query-migrate")["status"]
            if status == "completed":
                break
            if status in ("failed", "cancelled"):
                raise Trouble("QEMU could not save the machine")
            time.sleep(0.1)
        monitor.ask("quit")
        process.wait(30)
    finally:
        process.kill()
        process.wait()
    for name in ("order", "qmp"):
        (directory / name).unlink(missing_ok=True)


def overlay(path, under, form):
    """A disk that begins as `under` and keeps what is written to it for itself."""
    run("qemu-img", "create", "-q", "-f", "qcow2", "-b", under, "-F", form, path)
    return path


def processor():
    """The host's, as far as an emulated machine's saved state might depend on it."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    return "\n".join(line for line in lines if line.split("\t")[0] in ("vendor_id", "model name", "stepping", "flags"))


def _inputs(debian, *words):
    version = run("qemu-system-x86_64", "--version").splitlines()[0]
    disk = (image.image(debian) / "id").read_text()  # what is in its caches must be what is on this very disk
    return digest(version, processor(), disk, image.initrd_inputs(debian), kernel.kernel_inputs(debian), *words)


def snapshot(debian):
    """The state of the booted guest, waiting for an order; its root is the read-only image under a tmpfs."""
    return cached("snapshot", _inputs(debian, *command(debian, pathlib.Path("/"))), functools.partial(_make_snapshot, debian)) / "state"


def disk_snapshot(debian):
    """As snapshot(), of a guest with a disk of its own: (state, the disk as it was then)."""
    def make(directory):
        _make_snapshot(debian, directory, overlay(directory / "disk.qcow2", image.image(debian) / "disk.img", "raw"))

    made = cached("disk-snapshot", _inputs(debian, *command(debian, pathlib.Path("/"), disk="disk")), make)
    return made / "state", made / "disk.qcow2"


def tail(console, lines=60):
    text = console.read_bytes().decode(errors="replace").replace("\r", "") if console.exists() else ""
    return "\n".join(text.splitlines()[-lines:])


class Ended:
    """How a machine ended: status (None: no verdict), cut (the scenario pulled the plug), stalled (the emulator's fault:
    see STALLED), text for people."""

    def __init__(self, status=None, cut=False, text="", stalled=False):
        self.status, self.cut, self.text, self.stalled = status, cut, text, stalled


def verdict(code, console):
    """The exit code and the console must say the same: QEMU's own failures exit 1, which reads as status 0."""
    text = console.read_bytes().decode(errors="replace").replace("\r", "") if console.exists() else ""
    if code == (CUT << 1 | 1) & 0xFF and re.search(r"^@@CUT$", text, re.M):
        return Ended(cut=True)
    said = re.findall(r"^@@RC (\d+)$", text, re.M)
    if len(said) != 1:
        return Ended(text=f"the emulator ended with {code} and the guest never said how the scenario went")
    if code != int(said[0]) << 1 | 1:
        return Ended(text=f"the guest said {said[0]}, the emulator ended with {code}")
    return Ended(status=int(said[0]))


def powered_off(code, _console):
    """Of a machine that knows nothing of a scenario and its verdict: whether it ended by itself."""
    return Ended(status=code) if code == 0 else Ended(text=f"the emulator ended with {code}")


# What the kernel says of a processor whose timer never fired: now and then one that is emulated sleeps for ever after the
# machine has woken up. Nothing in the guest can bring that about.
STALLED = re.compile(rb"rcu: \tPossible timer handling issue on cpu=")
STANDS_STILL = 60


class Watch:
    """Whether a machine stands still by the emulator's fault: its kernel says so of one processor, or there is none left
    that could, since they all slept for a minute. (A kernel with nothing to do wakes up more often.)"""

    def __init__(self, process, console):
        self.tasks, self.console = pathlib.Path(f"/proc/{process.pid}/task"), console
        self.turns, self.since, self.stalled = None, time.monotonic(), False

    def _turns(self):
        """How often each emulated processor went to sleep so far, and for how long it ran."""
        turns = []
        for task in self.tasks.glob("*"):
            try:
                if (task / "comm").read_text().startswith("CPU "):
                    slept = re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text(), re.M).group(1)
                    turns.append((slept, *(task / "stat").read_text().rsplit(")", 1)[1].split()[11:13]))
            except OSError:  # it has ended
                pass
        return turns

    def look(self):
        turns = self._turns()
        if turns != self.turns or not turns:
            self.turns, self.since = turns, time.monotonic()
        said = self.console.exists() and STALLED.search(self.console.read_bytes())
        self.stalled = bool(said) or time.monotonic() - self.since > STANDS_STILL
        return self.stalled


def _end_of(process, watch, timeout):
    """What the emulator printed until it ended; TimeoutExpired also as soon as a machine stands still."""
    end = time.monotonic() + timeout
    while True:
        try:
            return process.communicate(timeout=min(1, max(end - time.monotonic(), 0)))[0]
        except subprocess.TimeoutExpired:
            if watch.look() or time.monotonic() >= end:
                raise


def boot(words, console, timeout, plug=None, inherited=(), judge=verdict):
    """Runs a machine to its end. The caller's console file is new for each. plug(directory) is called when it has begun.
    inherited: sockets that the words name by their number. judge(exit code, console): how the machine ended."""
    console.unlink(missing_ok=True)
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               pass_fds=[one.fileno() for one in inherited])
    _running.add(process)
    watch = Watch(process, console)
    try:
        if plug:
            plug(console.parent)
        output = _end_of(process, watch, timeout)
    except (OSError, ValueError, Trouble) as trouble:   # of plug: the monitor went away, or said no
        process.kill()
        output, _ = process.communicate()
        return Ended(text=f"no device was plugged in: {trouble}\n{output.decode(errors='replace')}")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Ended(text="it stood still" if watch.stalled else f"no end after {timeout:.0f} s", stalled=watch.stalled)
    finally:
        _running.discard(process)
    ended = judge(process.returncode, console)
    if ended.status is None and output:
        ended.text += "\n" + output.decode(errors="replace")
    return ended
