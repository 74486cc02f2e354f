# SPDX-License-Identifier: Apache-2.0
"""Two fresh guests, the deb and README: a file of one is read over NFS/RDMA by the other (tests/vm/scenarios/nfs-two.sh)."""
import shutil

from machine import passes
from published import deb

DEEP = True


def test_readme_leads_from_the_deb_to_a_file_of_the_other(box):
    tree = box.dir / "tree/usr/lib/rdmastate-tests"
    tree.mkdir(parents=True)
    shutil.copy(deb(), tree / "rdmastate_0_amd64.deb")
    passes("nfs-two", box.dir / "tree")
