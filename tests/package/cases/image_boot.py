# SPDX-License-Identifier: Apache-2.0
"""An image that has what the deb holds, and no other rdmastate, boots in the emulated guest (tests/vm/scenarios/image-boot.sh)."""
from machine import passes
from published import deb, said

DEEP = True


def test_it_boots_in_sync(box):
    said("dpkg-deb", "-x", deb(), box.dir / "tree")
    passes("image-boot", box.dir / "tree")
