# SPDX-License-Identifier: Apache-2.0
"""What is expensive to make and depends on its inputs alone is kept by their hash, for all clones on this machine.

A folder NAME-HASH holds what was made; a file passed/HASH says that a check passed on these inputs (a failure is never
kept). They live in $XDG_CACHE_HOME/rdmastate (~/.cache/rdmastate). A process that uses a folder holds a shared lock of it
until it ends, so nobody takes it away; what was not used for the longest time goes first when there is more than MOST.
"""
import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import time

MOST = 12 << 30
MOST_PASSED = 50_000
_held = {}


def home():
    """The project's folder below the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base).resolve() / "rdmastate"


def digest(*inputs):
    """One hash over strings, and over the names, modes and bytes of files and trees."""
    total = hashlib.sha256()
    for item in inputs:
        if isinstance(item, str):
            total.update(item.encode() + b"\0")
            continue
        for path in sorted(item.rglob("*")) if item.is_dir() else [item]:
            if "__pycache__" in path.parts or path.is_dir() and not path.is_symlink():
                continue
            total.update(f"{path.relative_to(item.parent)} {path.lstat().st_mode}\0".encode())
            total.update(os.readlink(path).encode() if path.is_symlink() else path.read_bytes())
    return total.hexdigest()[:20]


def _lock_file(folder):
    locks = folder.parent / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    return os.open(locks / folder.name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)


def _made(folder, make, tell):
    """Makes the folder aside and gives it its name; whoever holds its lock alone may do so."""
    work = folder.with_name(folder.name + ".new")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    started = time.monotonic()
    make(work)
    work.rename(folder)
    tell(f"{folder.name} made in {time.monotonic() - started:.1f} s")


def folder(name, inputs, make, place=None, tell=lambda text: None, most=None):
    """The folder NAME-`inputs`, made by make(directory) where it is not kept yet; in use until this process ends.

    Two that want it at the same time make it once. tell(sentence) is called when it waits or has made something. `most`:
    bytes that may be kept in all (MOST)."""
    wanted = (place or home()) / f"{name}-{inputs}"
    if wanted in _held:
        return wanted
    lock, made = _lock_file(wanted), False
    fcntl.flock(lock, fcntl.LOCK_SH)
    while not wanted.is_dir():
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell(f"somebody else makes or looks for {wanted.name}; waiting")
            fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            if not wanted.is_dir():
                _made(wanted, make, tell)
                made = True
        except BaseException:
            os.close(lock)
            raise
        fcntl.flock(lock, fcntl.LOCK_SH)  # not at one stroke: it may be gone again
    os.utime(lock)
    _held[wanted] = lock
    if made:
        evict(wanted.parent, MOST if most is None else most, tell)
    return wanted


def let_go():
    """This process uses nothing any more (for tests)."""
    while _held:
        os.close(_held.popitem()[1])


def size(path):
    """Bytes on the disk."""
    total = 0
    for where, _, names in os.walk(path):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(where, name)).st_blocks * 512
    return total


def _alone(path):
    """The folder's lock, held alone; None where somebody uses the folder, or this process does (by a lock of its own)."""
    lock = _lock_file(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return lock
    except BlockingIOError:
        os.close(lock)
        return None


def _take_away(path):
    """Whether it is gone: the folder, and what a maker that was killed left of it. By another name first: never half there."""
    lock = _alone(path)
    if lock is None:
        return False
    try:
        old = path.with_name(path.name + ".old")
        if path.is_dir():
            path.rename(old)
        for left in (old, path.with_name(path.name + ".new")):
            shutil.rmtree(left, ignore_errors=True)
    finally:
        os.close(lock)
    return True


def evict(place, most, tell=lambda text: None):
    """Takes away what was not used for the longest time until no more than `most` bytes are kept; nothing that is in use."""
    known = sorted((lock.stat().st_mtime, place / lock.name) for lock in (place / "locks").glob("*"))
    sizes = {path: size(path) for _, path in known if path.is_dir()}
    for path in (path for _, path in known if path not in sizes):
        if any(path.with_name(path.name + end).exists() for end in (".old", ".new")):
            _take_away(path)
    total = sum(sizes.values())
    for path in (path for _, path in known if path in sizes):
        if total > most and _take_away(path):
            total -= sizes[path]
            tell(f"{path.name} ({sizes[path] >> 20} MiB) is kept no longer: there may be {most >> 20} MiB in all")


class Passed:
    """Which checks that depend on their inputs alone have passed before."""

    def __init__(self, place=None):
        self.place = (place or home()) / "passed"
        self.place.mkdir(parents=True, exist_ok=True)
        self.again = self.asked = 0

    def has(self, inputs):
        """Whether the check passed on these inputs; a mark that is asked for stays longer."""
        self.asked += 1
        try:
            os.utime(self.place / inputs)
        except FileNotFoundError:
            return False
        self.again += 1
        return True

    def note(self, inputs):
        """The check passed. Only passes are kept."""
        (self.place / inputs).touch()

    def told(self, what):
        """The line that a stage says so by."""
        self._forget()
        return f"kept: {self.again} of {self.asked} {what} judged before, the same inputs"

    def _forget(self):
        marks = list(self.place.iterdir())
        if len(marks) <= MOST_PASSED:
            return
        for mark in sorted(marks, key=lambda one: one.stat().st_mtime)[:-MOST_PASSED // 2]:
            mark.unlink(missing_ok=True)
