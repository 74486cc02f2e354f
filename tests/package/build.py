# SPDX-License-Identifier: Apache-2.0
"""What is published, made of a checkout: the binary against the old C library, and deb, rpm and tarball by CPack.

build.py [DIRECTORY]: into it, else into build/packages, and says what is there.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import root

TOP = pathlib.Path(__file__).resolve().parents[2]
GENERATORS = "DEB;RPM;TGZ"


def _run(*command, cwd, env):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def epoch(source):
    """SOURCE_DATE_EPOCH of what is built: its commit's time, which every clone has."""
    return _run("git", "log", "-1", "--format=%ct", cwd=source, env=None).strip()


def packages(source, output, more=None, wrap=()):
    """Builds the checkout `source` by preset `released` and packages it into `output`. `more`: of the environment; `wrap`: a
    command that runs the others. Returns the binary, as it was linked."""
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    env = {**os.environ, "RDMASTATE_SYSROOT": str(root.root()), "SOURCE_DATE_EPOCH": epoch(TOP), **(more or {})}
    build = source / "build/released"
    _run(*wrap, "cmake", "--preset", "released", cwd=source, env=env)
    _run(*wrap, "cmake", "--build", "--preset", "released", cwd=source, env=env)
    # CPack writes files in the order of the directory, which on a disk is by a secret of the file system, in memory by when they were made; and
    # the members of a deb have the modes that the umask leaves.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        _run(*wrap, "sh", "-c", 'umask 022; exec "$0" "$@"', "cpack", "-G", GENERATORS, "-B", memory, "--config", build / "CPackConfig.cmake", cwd=build, env=env)
        for path in pathlib.Path(memory).glob("rdmastate*"):
            shutil.copy(path, output)
    return build / "agent/cli/rdmastate"


if __name__ == "__main__":
    where = pathlib.Path(sys.argv[1] if sys.argv[1:] else TOP / "build/packages").resolve()
    try:
        packages(TOP, where)
    except RuntimeError as trouble:
        sys.exit(str(trouble))
    print("\n".join(str(path) for path in sorted(where.iterdir())))
