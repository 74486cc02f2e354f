# SPDX-License-Identifier: Apache-2.0
"""What the cases look at: the deb, rpm and tarball of this run ($RDMASTATE_PACKAGES), and a source rpm; and how they call programs."""
import os
import pathlib
import subprocess

TOP = pathlib.Path(__file__).resolve().parents[2]
SPEC = TOP / "agent/install/package/rdmastate.spec"
PACKAGES = pathlib.Path(os.environ.get("RDMASTATE_PACKAGES", TOP / "build/packages"))


def one(pattern):
    found = list(PACKAGES.glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


def deb():
    return one("*.deb")


def rpm():
    return one("*.rpm")


def tarball():
    return one("*.tar.gz")


def said(*command, **more):
    """What it printed; it has to end well."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    assert done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def unexplained(path, overrides):
    """Those of `overrides` that have no reason in the file: a comment on the line before."""
    lines = path.read_text().splitlines()
    explained = [line for before, line in zip(lines, lines[1:]) if before.lstrip().startswith("#")]
    return [one for one in overrides if not any(one in line and not line.lstrip().startswith("#") for line in explained)]


def source_rpm(folder):
    """Made there, of the commit that is checked out."""
    version = said("rpmspec", "-q", "--qf", "%{version}", SPEC)
    (folder / "SOURCES").mkdir()
    said("git", "archive", f"--prefix=rdmastate-{version}/", "-o", folder / f"SOURCES/rdmastate-{version}.tar.gz", "HEAD", cwd=TOP)
    said("rpmbuild", "-bs", "--define", f"_topdir {folder}", SPEC, env={**os.environ, "HOME": str(folder)})
    return next((folder / "SRPMS").glob("*.src.rpm"))
