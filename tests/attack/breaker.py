# SPDX-License-Identifier: Apache-2.0
"""The command that breaks another at one of its system calls (tests/crash/breaker.cpp), and what calls a command makes."""
import collections
import os

from support.harness import TOP

PROGRAM = os.environ.get("RDMASTATE_BREAKER", str(TOP / "build/release/tests/crash/breaker"))
# Those that change, make, name or sync a file.
CHANGING = ("write", "pwrite64", "openat", "openat2", "mkdirat", "renameat", "renameat2", "rename", "linkat", "symlinkat", "unlinkat", "fchmod", "fchown",
            "fchownat", "fsetxattr", "fremovexattr", "fsync", "fdatasync", "syncfs", "ftruncate", "fallocate", "utimensat", "flock", "close")
READING = ("read", "pread64", "fstat", "newfstatat", "statx", "getdents64", "readlinkat", "flistxattr", "fgetxattr", "lseek", "fstatfs", "faccessat2", "getrandom", "fcntl")


def calls_of(box, names, *words, **how):
    """The calls of these names that a command makes once it is loaded: by name the numbers of the first and the last one. The loader
    never calls openat2, so what comes before the first openat2 is taken for the loader's. The command does its work."""
    listed = box.dir / "calls"
    box.run(*words, under=(PROGRAM, "list", listed, "openat2", *(name for name in names if name != "openat2"), "--"), **how)
    made = listed.read_text().split()
    before, all_of = collections.Counter(made[:made.index("openat2")]), collections.Counter(made)
    return {name: (before[name] + 1, last) for name, last in all_of.items() if name in names and before[name] < last}


def point(chance, calls):
    """One of a command's calls, each as likely as every other: NAME:N."""
    name = chance.choices(list(calls), [last - first + 1 for first, last in calls.values()])[0]
    return f"{name}:{chance.randint(*calls[name])}"


def killed(at):
    return (PROGRAM, "kill", at, "--")


def failing(number, at):
    return (PROGRAM, str(int(number)), at, "--")
