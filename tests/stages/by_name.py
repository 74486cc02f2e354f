# SPDX-License-Identifier: Apache-2.0
"""Notes what somebody runs by name in the results of the commit, beside what tests/run notes: --deep does not run it again,
and the guides' table fails or passes by it.

Only what this commit's own build ran counts: the binary of build/release, built of the sources as they are, and a tree of
what it installs.
"""
import filecmp
import os
import pathlib
import subprocess
import tempfile

import seed
from results import Results

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTED = "RDMASTATE_NOTED"  # tests/run sets it: it notes by itself what its stages tell
TESTS_OF_GUEST = "usr/lib/rdmastate-tests"


def _output(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)
    return done.stdout if done.returncode == 0 else ""


def _is_built(build):
    """Whether nothing in the build is older than what it is made of. What is to be built is made anew first, where a CMakeLists.txt or a
    folder has changed: told not to do anything, ninja says nothing more as long as folders are to be looked at. By its whole path
    build.ninja is no target, and so not looked at again."""
    _output("ninja", "-C", build, "build.ninja")
    return "no work to do" in _output("ninja", "-C", build, "-n", "-f", build / "build.ninja")


def _files(tree):
    return [path.relative_to(tree) for path in tree.rglob("*") if path.is_file()]


def _is_installed(build, tree):
    """Whether the tree has what the build installs, and no other tests for the guest than the build's."""
    with tempfile.TemporaryDirectory() as new:
        _output("cmake", "--install", build, env={**os.environ, "DESTDIR": new})
        files = _files(pathlib.Path(new))
        same = filecmp.cmpfiles(new, tree, files, shallow=False)[0]
    tests = [path.name for path in (tree / TESTS_OF_GUEST).glob("*")]
    return files and len(same) == len(files) and not any(filecmp.cmpfiles(tree / TESTS_OF_GUEST, build / "tests/contract", tests, False)[1:])


def why_not(environment=os.environ, root=ROOT):
    """A clause why what runs now is not noted; empty where it is."""
    build = root / "build/release"
    binary, tree = (environment.get(name) for name in ("RDMASTATE_BIN", "RDMASTATE_INSTALL"))
    if environment.get(NOTED):
        return "tests/run does that"
    if not binary or pathlib.Path(binary).resolve() != build / "agent/cli/rdmastate":
        return "RDMASTATE_BIN is not the binary of build/release"
    if not _is_built(build):
        return "build/release is older than the sources"
    if not tree or not _is_installed(build, pathlib.Path(tree)):
        return "RDMASTATE_INSTALL is not what build/release installs"
    return ""


def results(place, environment=os.environ, root=ROOT):
    """Where to note it: the results of the commit, or of the commit with its changes."""
    return Results(place, seed.Commit(root).name, "by name", environment.get("RDMASTATE_SEED"))
