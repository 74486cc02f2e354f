"""The machines that a program beside them reaches over ssh: where tests/vm/rig/beside.py says they are."""
import os
import subprocess
import time

PORTS = os.environ["RDMASTATE_VM_PORTS"].split()
KEY = os.environ["RDMASTATE_VM_KEY"]
# A login takes seconds in emulation; a machine that wakes up has no host key that anybody knows.
SSH = "-F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o ConnectTimeout=60"


def tried(number, *words, timeout=120):
    """A command on machine `number`, from 0: its status and what it printed."""
    command = ["ssh", *SSH.split(), "-i", KEY, "-p", PORTS[number], "root@127.0.0.1", *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)
    return done.returncode, done.stdout.strip()


def on(number, *words, timeout=120):
    """What the command printed, which must succeed."""
    code, said = tried(number, *words, timeout=timeout)
    assert code == 0, f"on machine {number + 1} {words} ended with {code}: {said}"
    return said


def boot_of(number, other_than=None, patience=600):
    """The name of the machine's present boot, as soon as it can be reached and the boot is another one."""
    end = time.monotonic() + patience
    while True:
        code, said = tried(number, "cat /proc/sys/kernel/random/boot_id")
        if code == 0 and said != other_than:
            return said
        assert time.monotonic() < end, f"machine {number + 1} is not reached after {patience} s: {said}"
        time.sleep(1)


def reboot(number):
    """The machine's scenario ends for a boot (lib-ssh.sh: verdict), and is reached again."""
    before = boot_of(number)
    on(number, "echo reboot >/run/rig/verdict.new && mv /run/rig/verdict.new /run/rig/verdict")
    boot_of(number, other_than=before)


def note(text):
    print(f"-- {text}", flush=True)
