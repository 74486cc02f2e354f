"""The guest's side of the rig: wait for a scenario on the second disk, run it, say how it went, end the machine.

The host (rig/qemu.py) writes the disk: one block of JSON, then a tar. The status leaves twice, as a console line
"@@RC n" and through QEMU's isa-debug-exit port; the host wants both to agree.
"""
import json
import mmap
import os
import pathlib
import re
import subprocess
import tarfile
import time

DISK = "/dev/vdb"
BLOCK = 4096
WORK = "/run/rig"
STATE = "/var/lib/rig"
EXIT_PORT = 0xF4
TOLERATED = pathlib.Path(WORK, "tolerated")
WARNING = re.compile(r"[^\n]*\[ cut here \][^\n]*\n(?:(?!.*\[ cut here \]).*\n)*?.*\[ end trace .*\n")
# Since Linux 6.19 a warning begins with its place and has the processor at the end.
TROUBLE = re.compile(r"BUG:|WARNING: CPU|WARNING: .*, CPU#|Oops|general protection|possible recursive locking|INFO: task .* blocked")


def say(line):
    with open("/dev/ttyS0", "w") as console:
        console.write("\n" + line + "\n")


def read_disk(offset, size):
    """Past the page cache: the disk's content changes after the snapshot was taken."""
    size = -(-size // BLOCK) * BLOCK
    buffer = mmap.mmap(-1, size)
    fd = os.open(DISK, os.O_RDONLY | os.O_DIRECT)
    try:
        if os.preadv(fd, [buffer], offset) != size:
            raise OSError("short read of " + DISK)
    finally:
        os.close(fd)
    return buffer


def wait_for_order():
    while True:
        head = bytes(read_disk(0, BLOCK)).rstrip(b"\0")
        if head.startswith(b"{"):
            return json.loads(head)
        time.sleep(0.05)


def unpack(order):
    os.makedirs(WORK, exist_ok=True)
    data = read_disk(BLOCK, order["size"])
    path = os.path.join(WORK, "order.tar")
    with open(path, "wb") as file:
        file.write(data[:order["size"]])
    with tarfile.open(path) as tar:
        tar.extractall(WORK)
    os.unlink(path)
    install = os.path.join(WORK, "install.tar")
    if os.path.exists(install) and not os.path.exists(STATE + "/installed"):
        install_product(install)


def install_product(path):
    """As a package would: its files over the root's own links (/lib is one), then what a postinst tells systemd."""
    subprocess.run(["tar", "-x", "--keep-directory-symlink", "--no-overwrite-dir", "-f", path, "-C", "/"], check=True)
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    subprocess.run(["udevadm", "control", "--reload"], check=True)
    os.makedirs(STATE, exist_ok=True)
    open(STATE + "/installed", "w").close()


def count_boot():
    os.makedirs(STATE, exist_ok=True)
    path = STATE + "/boot"
    boot = int(open(path).read()) + 1 if os.path.exists(path) else 1
    with open(path, "w") as file:
        file.write(str(boot))
        file.flush()
        os.fsync(file.fileno())
    return boot


def run(order):
    environment = dict(os.environ, BOOT=str(count_boot()), RIG=WORK, HOME="/root", LC_ALL="C.UTF-8",
                       PATH=WORK + "/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
    script = f". {WORK}/lib.sh; . {WORK}/scenario.sh"
    with open("/dev/ttyS0", "w") as console:
        return subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", script], cwd="/root", env=environment,
                              stdin=subprocess.DEVNULL, stdout=console, stderr=console).returncode


def kernel_trouble():
    """A scenario that upset the kernel has failed, whatever it says itself; unless it named the function that warns."""
    log = subprocess.run(["dmesg"], capture_output=True, text=True).stdout
    for function in TOLERATED.read_text().split() if TOLERATED.exists() else []:
        log = WARNING.sub(lambda report: "" if function in report[0] else report[0], log)
    return [line for line in log.splitlines() if TROUBLE.search(line)]


def leave(status):
    status = status if 0 <= status < 100 else 99
    say(f"@@RC {status}")
    time.sleep(0.05)
    fd = os.open("/dev/port", os.O_WRONLY)
    os.pwrite(fd, bytes([status]), EXIT_PORT)


def wait_for_boot():
    """To the end of it: asked too early, systemctl cannot reach systemd and returns at once."""
    while True:
        asked = subprocess.run(["systemctl", "is-system-running", "--wait"], capture_output=True, text=True)
        if asked.stdout.strip() in ("running", "degraded"):
            break
        time.sleep(0.1)
    subprocess.run(["udevadm", "settle"])


def main():
    wait_for_boot()
    say("@@READY")
    order = wait_for_order()
    time.clock_settime(time.CLOCK_REALTIME, order["time"])
    unpack(order)
    status = run(order)
    trouble = kernel_trouble()
    if trouble:
        say("rig: the kernel complained:\n" + "\n".join(trouble))
        status = status or 98
    wish = os.path.join(WORK, "after")
    after = open(wish).read().strip() if os.path.exists(wish) and status == 0 else "leave"
    if after == "reboot":
        say("@@REBOOT")
        os.execvp("systemctl", ["systemctl", "reboot"])
    if after == "cut":
        say("@@CUT")
        time.sleep(0.05)
        status = 101
        os.pwrite(os.open("/dev/port", os.O_WRONLY), bytes([status]), EXIT_PORT)
    leave(status)


if __name__ == "__main__":
    main()
