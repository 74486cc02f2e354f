"""Where built things live, and when they are built again."""
import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

VM = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("RDMASTATE_VM_DIR") or VM.parent.parent / "build" / "vm").resolve()


class Trouble(Exception):
    """Something the user can mend; printed without a trace."""


@contextlib.contextmanager
def locked():
    """One builder or runner at a time in BUILD."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / "lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            log(f"another run has {BUILD}; waiting")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def log(text):
    print("vm: " + text, file=sys.stderr, flush=True)


def run(*command, **options):
    """A host command whose output is shown only when it fails. Builds give way to whoever else uses the machine."""
    done = subprocess.run(["nice", *map(str, command)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    if done.returncode:
        raise Trouble(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def listed(path):
    """The lines of a list file without comments."""
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    return [line for line in lines if line]


def digest(*inputs):
    """One hash over strings and the names, modes and bytes of files and trees."""
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


def key(name):
    """What the directory BUILD/name was made of."""
    return (BUILD / (name + ".key")).read_text()


def cached(name, inputs, make):
    """BUILD/name, a directory made by make(directory) whenever inputs changes; built aside, so never half there."""
    final, stamp = BUILD / name, BUILD / (name + ".key")
    if final.exists() and stamp.exists() and stamp.read_text() == inputs:
        return final
    started = time.monotonic()
    work = BUILD / (name + ".new")
    stamp.unlink(missing_ok=True)
    for old in (work, final):
        shutil.rmtree(old, ignore_errors=True)
    work.mkdir(parents=True)
    make(work)
    work.rename(final)
    stamp.write_text(inputs)
    log(f"{name} made in {time.monotonic() - started:.1f} s")
    return final
