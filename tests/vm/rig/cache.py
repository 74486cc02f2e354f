"""What the rig's files share: directories, things that are kept by the hash of their inputs, and host commands."""
import contextlib
import fcntl
import os
import pathlib
import subprocess
import sys

VM = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(VM.parent))

from support import kept  # noqa: E402 (the path has to be set first)
from support.kept import digest  # noqa: E402, F401 (for the rig's other files)

# Of one clone: consoles and disks of its runs. What is the same for all clones is in PLACE.
BUILD = pathlib.Path(os.environ.get("RDMASTATE_VM_DIR") or VM.parent.parent / "build" / "vm").resolve()
PLACE = BUILD if os.environ.get("RDMASTATE_VM_DIR") else kept.home()


class Trouble(Exception):
    """Something the user can mend; printed without a trace."""


@contextlib.contextmanager
def locked():
    """One runner at a time in BUILD."""
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


def is_cached(name, inputs):
    """Whether cached() would make nothing."""
    return (PLACE / f"{name}-{inputs}").is_dir()


def cached(name, inputs, make):
    """A directory made by make(directory), for these inputs; those for other inputs stay beside it."""
    return kept.folder(name, inputs, make, PLACE, log)
