# SPDX-License-Identifier: Apache-2.0
"""The emulated guest of tests/vm, which has of rdmastate only what a case brings: nothing of preset release."""
import os
import subprocess

from published import TOP
from rig import qemu, release  # tests/vm/rig: the guest's


def passes(scenario, tree):
    """A scenario of that name, or of that file, with what lies in `tree` put onto the guest's root before."""
    env = {key: value for key, value in os.environ.items() if key != "RDMASTATE_BIN"} | {"RDMASTATE_INSTALL": str(tree)}
    done = subprocess.run([TOP / "tests/vm/run", scenario], capture_output=True, text=True, env=env)
    assert done.returncode == 0 and "1 passed, 0 failed" in done.stdout, done.stdout + done.stderr


def boots(tree, work, seconds=300):
    """What the console of a machine says whose only disk has the files of `tree`, until it powers itself off. The folder `work` has room for
    the disk."""
    said = {"check": True, "capture_output": True}
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0", "-d", tree, work / "raw", "1400M"], **said)
    subprocess.run(["qemu-img", "convert", "-O", "qcow2", work / "raw", work / "disk"], **said)
    qemu.write_order(work, None)
    ended = qemu.boot(qemu.command(release.of(), work, disk=work / "disk"), work / "console", seconds, judge=qemu.powered_off)
    assert ended.status == 0, ended.text
    return (work / "console").read_text(errors="replace")
