# SPDX-License-Identifier: Apache-2.0
"""The deb in the emulated guest, beside one of an earlier commit (guest.sh)."""
import os
import shutil
import subprocess

import earlier
from published import TOP, deb

DEEP = True


def test_the_life_of_a_package(box):
    tree = box.dir / "tree/usr/lib/rdmastate-tests"
    tree.mkdir(parents=True)
    shutil.copy(deb(), tree / "new.deb")
    shutil.copy(earlier.deb(), tree / "old.deb")
    env = {key: value for key, value in os.environ.items() if key != "RDMASTATE_BIN"} | {"RDMASTATE_INSTALL": str(box.dir / "tree")}
    done = subprocess.run([TOP / "tests/vm/run", TOP / "tests/package/guest.sh"], capture_output=True, text=True,
                          env=env)
    assert done.returncode == 0 and "1 passed, 0 failed" in done.stdout, done.stdout + done.stderr
