# SPDX-License-Identifier: Apache-2.0
"""What examples/roads says for cloud-init, by the real cloud-init at the first boot of the emulated guest (first-boot.sh)."""
import os
import shutil
import subprocess

from published import TOP, deb
from repository import repository

DEEP = True


def test_a_first_boot(box):
    tree = box.dir / "tree/usr/lib/rdmastate-tests"
    repository(tree / "repository", deb(), ["cloud-init"])
    shutil.copy(TOP / "examples/roads/cloud-init/user-data", tree)
    env = {key: value for key, value in os.environ.items() if key != "RDMASTATE_BIN"} | {"RDMASTATE_INSTALL": str(box.dir / "tree")}
    done = subprocess.run([TOP / "tests/vm/run", TOP / "tests/package/first-boot.sh"], capture_output=True, text=True, env=env)
    assert done.returncode == 0 and "1 passed, 0 failed" in done.stdout, done.stdout + done.stderr
