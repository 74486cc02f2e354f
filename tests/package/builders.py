# SPDX-License-Identifier: Apache-2.0
"""A Debian 13 with the builders of images that examples/roads names. Debian 12's mkosi is too old: it runs scripts inside the image.
Made once by mmdebstrap and kept for all clones.
"""
import root
from support import kept

SUITE = "trixie"
PACKAGES = ["mkosi", "reprepro", "debian-archive-keyring", "dracut-core", "kmod", "libkmod2", "libsystemd0", "systemd", "udev"]


def _make(work):
    root.strap(SUITE, PACKAGES, work / "root")


def builders():
    """Its directory. Nobody changes it."""
    made = kept.folder("builders", kept.digest(SUITE, *PACKAGES), _make, tell=lambda text: print(f"package: {text}", flush=True))
    return made / "root"
