# SPDX-License-Identifier: Apache-2.0
"""The trees on a disk after a power cut: journals replayed and files copied out, without mounting anything."""
import hashlib
import os
import stat
import subprocess

from power_log import partitions

# Where the scenario mounted the partitions, in their order.
PLACES = ("etc", "var/lib")
OWN = "var/lib/rdmastate"


class Unreadable(Exception):
    """The file system itself did not survive: no fault of rdmastate's."""


def _run(*command):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def _write_sparse(path, content, chunk=1 << 16):
    """A file system of a few files is zeros for the most part."""
    zeros = bytes(chunk)
    with open(path, "wb") as file:
        file.truncate(len(content))
        for at in range(0, len(content), chunk):
            part = bytes(content[at:at + chunk])
            if part != zeros[:len(part)]:
                file.seek(at)
                file.write(part)


def extract(disk, work):
    """The files of a disk's content below work/tree, as the next boot would find them."""
    tree = work / "tree"
    tree.mkdir(parents=True)
    for place, (start, end) in zip(PLACES, partitions(disk), strict=True):
        image, target = work / "image", tree / place
        _write_sparse(image, memoryview(disk)[start:end])
        target.mkdir(parents=True)
        code, said = _run("e2fsck", "-y", "-E", "journal_only", image)
        if code not in (0, 1):
            raise Unreadable(said)
        # rdump copies a directory with its modes, owners and links into another; it reports on its output alone.
        code, said = _run("debugfs", "-R", f"rdump / {target}", image)
        trouble = [line for line in said.splitlines() if not line.startswith("debugfs ")]
        if code or trouble:
            raise Unreadable(said)
        (target / "lost+found").rmdir()
        image.unlink()
    return tree


def look(tree):
    """{path: what it is}: type, mode, owner, bytes. Times are nobody's business after a rollback."""
    seen, below = {}, len(str(tree)) + 1
    for at, directories, files in os.walk(tree):
        for name in directories + files:
            path = f"{at}/{name}"
            seen[path[below:]] = _what(path)
    return seen


def _what(path):
    status = os.lstat(path)
    text = f"{stat.filemode(status.st_mode)} {status.st_uid}:{status.st_gid}"
    if stat.S_ISLNK(status.st_mode):
        return f"{text} -> {os.readlink(path)}"
    if stat.S_ISREG(status.st_mode):
        with open(path, "rb") as file:
            return f"{text} {hashlib.sha256(file.read()).hexdigest()[:16]}"
    return text


def of_others(seen):
    """`seen` without the records of rdmastate, which only grow."""
    return {path: what for path, what in seen.items() if path != OWN and not path.startswith(OWN + "/")}


def differences(seen, wanted):
    """Sentences, a few."""
    paths = sorted(path for path in seen.keys() | wanted.keys() if seen.get(path) != wanted.get(path))
    lines = [f"{path}: {seen.get(path, 'absent')}, wanted {wanted.get(path, 'absent')}" for path in paths[:6]]
    return lines + ([f"and {len(paths) - 6} more"] if len(paths) > 6 else [])
