# SPDX-License-Identifier: Apache-2.0
"""The deb in the emulated guest, beside one of an earlier commit (guest.sh)."""
import shutil

import earlier
from machine import passes
from published import TOP, deb

DEEP = True


def test_the_life_of_a_package(box):
    tree = box.dir / "tree/usr/lib/rdmastate-tests"
    tree.mkdir(parents=True)
    shutil.copy(deb(), tree / "new.deb")
    shutil.copy(earlier.deb(), tree / "old.deb")
    passes(TOP / "tests/package/guest.sh", box.dir / "tree")
