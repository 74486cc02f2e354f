# SPDX-License-Identifier: Apache-2.0
"""The deb of an earlier commit, which a host may have: built once and kept for all clones."""
import os
import pathlib
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS))

from support import kept  # noqa: E402 (the path has to be set first)

# The last one before there were packages with scripts.
COMMIT = "450b5dbb68f59d4fdaa143d444b4829f7c1c8fa7"


def _run(*command, cwd):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env={**os.environ, "SOURCE_DATE_EPOCH": "0"}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} of {COMMIT} ended with {done.returncode}:\n{done.stdout}")


def _make(work):
    source = work / "source"
    source.mkdir()
    _run("sh", "-c", f"git archive {COMMIT} | tar -x -C '{source}'", cwd=TESTS.parent)
    _run("cmake", "--preset", "release", "-DRDMASTATE_TESTS=OFF", cwd=source)
    _run("cmake", "--build", "--preset", "release", cwd=source)
    _run("cpack", "-G", "DEB", "-B", work, cwd=source / "build/release")
    shutil.rmtree(source)
    shutil.rmtree(work / "_CPack_Packages")


def deb():
    """Its path."""
    place = kept.folder("package", kept.digest(COMMIT, "deb"), _make, tell=lambda text: print(f"package: {text}", flush=True))
    return next(place.glob("*.deb"))


if __name__ == "__main__":
    print(deb())
