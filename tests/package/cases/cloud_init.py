# SPDX-License-Identifier: Apache-2.0
"""What examples/roads says for cloud-init, by the real cloud-init at the first boot of the emulated guest (first-boot.sh)."""
import shutil

from machine import passes
from published import TOP, deb
from repository import repository

DEEP = True


def test_a_first_boot(box):
    tree = box.dir / "tree/usr/lib/rdmastate-tests"
    repository(tree / "repository", deb(), ["cloud-init"])
    shutil.copy(TOP / "examples/roads/cloud-init/user-data", tree)
    passes(TOP / "tests/package/first-boot.sh", box.dir / "tree")
