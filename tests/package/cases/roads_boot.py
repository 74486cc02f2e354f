# SPDX-License-Identifier: Apache-2.0
"""What examples/roads has for installers and for Ignition, run on images that then boot in the emulated guest (each-road.sh)."""
import shlex
import shutil

from machine import passes
from published import TOP, deb, said
from support import roads

DEEP = True
FILES = "usr/lib/rdmastate-tests"
# The installers' own programs: they run a command in the new system.
PROGRAMS = {"in-target": 'exec chroot /target "$@"\n', "setfiles": "exec cat >/dev/null\n",
            "curtin": '[ "$1 $2 $3" = "in-target --target=/target --" ]\nshift 3\nexec chroot /target "$@"\n'}


def one_by_one(commands):
    """Each in a shell of its own; the first that fails ends them."""
    return "".join(f"sh -c {shlex.quote(command)}\n" for command in commands)


def test_they_leave_the_same_and_it_boots_in_sync(box):
    said("dpkg-deb", "-x", deb(), box.dir / "tree")
    files = f"tree/{FILES}"
    stages = [shlex.join(["ignition", *roads.ignition_words(stage, "/sysroot", "/run/ignition.json")]) for stage in roads.IGNITION_STAGES]
    ignition = f"export IGNITION_CONFIG_FILE=/{FILES}/host.ign\n{one_by_one(stages)}"
    outside = {"autoinstall": ("/target", one_by_one(roads.autoinstall())), "preseed": ("/target", roads.preseed()),
               "kickstart-nochroot": ("/mnt/sysimage", roads.kickstart_from_outside()), "ignition": ("/sysroot", ignition)}
    for name, (place, script) in outside.items():
        box.write(f"{files}/roads/{name}/place", place)
        box.write(f"{files}/roads/{name}/outside", script)
    for name, script in {"kickstart": roads.kickstart(), "autoyast": roads.autoyast()}.items():
        box.write(f"{files}/roads/{name}/inside", script)
    assert roads.agama() == roads.autoyast()
    for name, text in PROGRAMS.items():
        box.write(f"{files}/bin/{name}", f"#!/bin/sh\nset -eu\n{text}").chmod(0o755)
    shutil.copy(roads.IGNITION, box.dir / files / "bin")
    shutil.copy(roads.ROADS / "ignition/host.ign", box.dir / files)
    shutil.copy(TOP / "examples/minimal.yaml", box.dir / files / "host.yaml")
    passes(TOP / "tests/package/each-road.sh", box.dir / "tree")
