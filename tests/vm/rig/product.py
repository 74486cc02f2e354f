"""What of ours goes into a guest: the release binary and the install tree, where the caller named them.

A guest whose C library is older than what they were linked against gets what is published (preset released), and the C
library of this machine for the suite of tests/contract, which is not published.
"""
import os
import pathlib
import re

from .cache import BUILD, VM, run

TOP = VM.parent.parent
OURS = "usr/bin/rdmastate"  # in the install tree


def needs(binary):
    """Of which version 2.N of the C library its youngest symbol is: N."""
    return max((int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)\b", binary)), default=0)


def _published():
    """The binary that preset released makes of the sources as they are."""
    build = TOP / "build/published"  # as deep as the others: ccache then knows what they compiled
    root = run("python3", TOP / "tests/package/root.py").splitlines()[-1]
    run("env", f"RDMASTATE_SYSROOT={root}", "cmake", "--preset", "released", "-B", build, cwd=TOP)
    run("cmake", "--build", build, "--target", "rdmastate", "--", "-j2", cwd=TOP)
    return build / "agent/cli/rdmastate"


def _c_library():
    """{path below $RIG: bytes}; libc/ld-linux-x86-64.so.2 --library-path libc PROGRAM runs a program by it. All of its parts: the guest's
    libraries ask for them, and one of another version does not work with the rest."""
    names = [f"/lib/x86_64-linux-gnu/{name}" for name in ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2")]
    return {f"libc/{path.name}": path.read_bytes() for path in map(pathlib.Path, ["/lib64/ld-linux-x86-64.so.2", *names])}


def _tree(tree, debian, published):
    """The tree as a tar; `published`: in place of its binary."""
    path = BUILD / f"install-{debian}.tar"
    owned = ["--owner=0", "--group=0", "-f", path]
    run("tar", "-c", *owned, *([f"--exclude=./{OURS}"] if published else []), "-C", tree, ".")
    if published:
        run("tar", "-r", *owned, f"--transform=s,.*,./{OURS},", "-C", published.parent, published.name)
    return path.read_bytes()


def files(debian):
    """{path below $RIG: bytes} for a guest of that release."""
    found = {}
    binary, tree = os.environ.get("RDMASTATE_BIN"), os.environ.get("RDMASTATE_INSTALL")
    any_of_ours = binary or tree and pathlib.Path(tree, OURS)
    older = any_of_ours and needs(pathlib.Path(any_of_ours).read_bytes()) > debian.c_library()
    published = _published() if older else None
    if binary:
        found["bin/rdmastate"] = (published or pathlib.Path(binary)).read_bytes()
    if tree:
        found["install.tar"] = _tree(tree, debian, published)
    return {**found, **(_c_library() if older else {})}
