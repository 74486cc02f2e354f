# SPDX-License-Identifier: Apache-2.0
"""A Debian 11, whose C library (2.31) is the oldest that this machine's apt can fetch: what is published is built against it and
run in it. Made once by mmdebstrap and kept for all clones (tests/support/kept.py).

root.py: makes it where it is not kept, and prints where it is.
"""
import os
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "vm")]

from rig import release  # noqa: E402 (the path has to be set first)
from rig.cache import run  # noqa: E402
from support import kept  # noqa: E402

SUITE = "bullseye"
# To build against; then what the binary opens when it runs, and what a maintainer script may ask.
PACKAGES = ["libc6-dev", "libgcc-10-dev", "libkmod2", "libsystemd0", "libibverbs1", "udev"]
RECIPE = "1"  # another number makes it anew


def strap(suite, packages, root):
    """A Debian of that suite, without pages and translations."""
    options = [*release.options(), "--aptopt=Acquire::Check-Valid-Until \"false\";"]
    run("mmdebstrap", "--variant=minbase", "--include=" + ",".join(packages), *options,
              "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
              suite, root, release.mirror(suite), stdin=subprocess.DEVNULL)


def _make(work):
    strap(SUITE, PACKAGES, work / "root")
    _relative(work / "root")


def _relative(root):
    """A linker on this machine follows the root's absolute links (libpthread.so, ld-linux) to this machine's own files."""
    for place in ("lib64", "lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"):
        for link in (root / place).iterdir():
            target = os.readlink(link) if link.is_symlink() else ""
            if target.startswith("/"):
                link.unlink()
                link.symlink_to(os.path.relpath(f"{root}{target}", link.parent.resolve()))


def root():
    """Its directory. Nobody changes it: who installs something there does so in an overlay."""
    made = kept.folder("debian-11", kept.digest(SUITE, RECIPE, *PACKAGES), _make, tell=lambda text: print(f"package: {text}", file=sys.stderr, flush=True))
    return made / "root"


if __name__ == "__main__":
    print(root())
