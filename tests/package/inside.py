# SPDX-License-Identifier: Apache-2.0
"""Commands in the Debian 11 of root.py, on a layer of their own: what they change there is gone with them."""
import subprocess

import root

# $1 the root, $2 what becomes /mnt in it, $3 the script; process 1 stays outside, so it is a chroot as in an installer.
LAYER = """
set -e
mount -t tmpfs none /mnt
mkdir /mnt/upper /mnt/work /mnt/all
mount -t overlay overlay -o "lowerdir=$1,upperdir=/mnt/upper,workdir=/mnt/work" /mnt/all
mount --bind "$2" /mnt/all/mnt
mount -t proc proc /mnt/all/proc
"""


def in_layer(script, files, chroot=True):
    """Runs a shell script there, with the folder `files` as /mnt; or with chroot=False outside of it, where $1 is its root."""
    ending = 'chroot /mnt/all sh -c "$3"; exit $?' if chroot else 'sh -c "$3" sh /mnt/all; exit $?'
    command = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", LAYER + ending, "sh", root.root(), files, script]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300,
                          env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"})
    return done


def good(script, files, chroot=True):
    """The same, which has to end well: what it printed."""
    done = in_layer(script, files, chroot)
    assert done.returncode == 0, f"it ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr
