# SPDX-License-Identifier: Apache-2.0
"""Commands in the Debian 11 of root.py, or in another root, on a layer of their own: what they change there is gone with them."""
import subprocess

import root

# $1 the root, $2 what becomes /mnt in it, $3 the script.
LAYER = """
set -e
mount -t tmpfs none /mnt
mkdir /mnt/upper /mnt/work /mnt/all
mount -t overlay overlay -o "lowerdir=$1,upperdir=/mnt/upper,workdir=/mnt/work" /mnt/all
mount --bind "$2" /mnt/all/mnt
mount -t proc proc /mnt/all/proc
"""


CHROOT = 'chroot /mnt/all sh -c "$3"; exit $?'  # process 1 stays outside, as in an installer
OUTSIDE = 'sh -c "$3" sh /mnt/all; exit $?'     # where $1 is the root
# Where images are built: with devices, and the root itself, without its devices, at /base.
BUILDER = """for what in dev sys; do mount --rbind /$what /mnt/all/$what; done
mount -t tmpfs none /mnt/all/run
mkdir /mnt/all/base
mount --bind "$1" /mnt/all/base
mount -t tmpfs none /mnt/all/base/dev
""" + CHROOT
CONTAINER = 'exec chroot /mnt/all sh -c "$3"'   # process 1 is in it, as on a host that runs


def in_layer(script, files, where=CHROOT, under=None):
    """Runs a shell script there, with the folder `files` as /mnt. where: how it runs (CHROOT, OUTSIDE, BUILDER or CONTAINER, see there).
    `under`: the other root."""
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", LAYER + where, "sh", under or root.root(), files, script]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300,
                          env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"})
    return done


def good(script, files, where=CHROOT, under=None):
    """As in_layer(), but the script has to end well: what it printed."""
    done = in_layer(script, files, where, under)
    assert done.returncode == 0, f"it ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr
