"""The machines that a program beside them reaches over ssh: where tests/vm/rig/beside.py says they are."""
import atexit
import os
import subprocess
import tempfile
import time

PORTS = os.environ["RDMASTATE_VM_PORTS"].split()
KEY = os.environ["RDMASTATE_VM_KEY"]
# A login takes seconds in emulation; a machine that wakes up has no host key that anybody knows.
SSH = "-F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o ConnectTimeout=60"
# A login is most of what a command costs in emulation: commands go through one per boot, where there is one.
SHARED = tempfile.TemporaryDirectory(prefix="rig.")  # not beside the key: a socket's path is short


def _ssh(number, *words):
    return ["ssh", *SSH.split(), "-o", f"ControlPath={SHARED.name}/%p", "-i", KEY, "-p", PORTS[number], "root@127.0.0.1", *words]


def _quietly(*command, timeout=120):
    """Whether it succeeded."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=timeout).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def tried(number, *words, timeout=120):
    """A command on machine `number`, from 0: its status and what it printed."""
    done = subprocess.run(_ssh(number, *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)
    return done.returncode, done.stdout.strip()


def on(number, *words, timeout=120):
    """What the command printed, which must succeed."""
    code, said = tried(number, *words, timeout=timeout)
    assert code == 0, f"on machine {number + 1} {words} ended with {code}: {said}"
    return said


def log_in(number, patience=1500):
    """Waits until the machine is reached, and keeps that login for all that follows, until log_out or the end."""
    end = time.monotonic() + patience
    while not _quietly(*_ssh(number, "-f", "-N", "-M")):
        assert time.monotonic() < end, f"machine {number + 1} is not reached after {patience} s"
        time.sleep(1)
    atexit.register(log_out, number)


def log_out(number):
    _quietly(*_ssh(number, "-O", "exit"))


def reboot(number):
    """The machine's scenario ends for a boot (lib-ssh.sh: verdict), and it is logged in to again."""
    boot = on(number, "cat /proc/sys/kernel/random/boot_id")
    same = f"grep -q {boot} /proc/sys/kernel/random/boot_id"
    on(number, "echo reboot >/run/rig/verdict.new && mv /run/rig/verdict.new /run/rig/verdict")
    while True:
        while _quietly(*_ssh(number, same)):
            time.sleep(1)
        log_out(number)
        log_in(number)
        if _quietly(*_ssh(number, f"! {same}")):
            return


def note(text):
    print(f"-- {text}", flush=True)
