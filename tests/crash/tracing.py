# SPDX-License-Identifier: Apache-2.0
"""What the binary did to files, call by call, as strace tells it; and the binary made to fail or die at one of these calls."""
import errno
import os
import pathlib
import re
import subprocess

import fixture

MUTATING = {"write", "renameat", "unlinkat", "mkdirat", "symlinkat", "fchmod", "fchown", "fchownat", "fsetxattr",
            "fremovexattr", "ftruncate", "fsync", "fdatasync", "syncfs", "sync_file_range"}
# Calls that change no file. Of openat and openat2 the flags decide (is_mutating). A call in neither list ends the suite: the
# suite would not know that it has to break it.
HARMLESS = {"access", "arch_prctl", "brk", "close", "dup", "execve", "exit_group", "fcntl", "fgetxattr", "flistxattr", "flock",
            "fstat", "fstatfs", "futex", "getcwd", "getdents64", "geteuid", "getegid", "getpid", "getrandom", "getxattr",
            "ioctl", "listxattr", "lseek", "mmap", "mprotect", "munmap", "newfstatat", "pread64", "prlimit64", "read",
            "readlink", "readlinkat", "rseq", "rt_sigaction", "rt_sigprocmask", "sched_getaffinity", "set_robust_list",
            "set_tid_address", "statfs", "statx", "sysinfo", "uname", "clock_nanosleep"}
LINE = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+|\?|0x[0-9a-f]+)(.*)$")
# strace prints texts, and the paths of descriptors (-y), in hex (-xx). TEXT is a string in quotes; the dots behind it say that
# strace cut it, and (?<!<) that a quote behind a descriptor's `<` begins none. AT is a descriptor with its path: 3<PATH>,
# AT_FDCWD<PATH>.
TEXT = re.compile(r'(?<!<)"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
AT = re.compile(r"(\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})*)>")
MADE = re.compile(r"O_CREAT|O_TRUNC|O_TMPFILE")


BREAKER = pathlib.Path(os.environ.get("RDMASTATE_TEST_BREAKER", fixture.TOP / "build/release/tests/crash/breaker"))
KILL = "kill"


def unhexed(text):
    return bytes.fromhex(text.replace("\\x", ""))


class Call:
    """One call of the binary: `at` the paths of its descriptors, `texts` its strings; `changes`: it changes, makes or syncs a
    file, or would if it did not fail."""

    def __init__(self, name, args, result, before):
        """before: how many calls there were already, by name."""
        self.name, self.args, self.failed, self.before = name, args, result.startswith("-"), before
        self.number = 1 + before.get(name, 0)
        self.changes = is_mutating(name, args)
        self.at = [unhexed(path) for _, path in AT.findall(args)]
        if any(cut for _, cut in TEXT.findall(args)):
            raise fixture.Broken(f"strace cut a text of {name}")
        self.texts = [unhexed(text) for text, _ in TEXT.findall(args)]

    def __str__(self):
        return f"{self.name} {self.number} ({b' '.join([*self.at[:1], *self.texts[:1]]).decode(errors='replace')[-100:]})"


def is_mutating(name, args):
    if name in ("openat", "openat2"):
        return bool(MADE.search(args))
    if name == "mmap" and "MAP_SHARED" in args and "PROT_WRITE" in args:
        raise fixture.Broken("a file is written through memory, which this suite does not see")
    if name not in MUTATING and name not in HARMLESS:
        raise fixture.Broken(f"the binary calls {name}: tests/crash/tracing.py does not know whether that changes a file")
    return name in MUTATING


def calls_in(text, root):
    """The calls of one recording that change the tree, each numbered among the calls of its name as strace counts them."""
    return [call for call in all_calls_in(text) if call.changes and any(path.startswith(os.fsencode(root)) for path in call.at)]


def all_calls_in(text):
    numbers = {}
    for line in text.splitlines():
        if re.match(r"^\d+ +(\+\+\+|---)", line):
            continue
        found = LINE.match(line)
        if not found:
            raise fixture.Broken(f"strace's line is not understood: {line[:200]}")
        name, args, result, _ = found.groups()
        call = Call(name, args, result, dict(numbers))
        numbers[name] = call.number
        yield call


def strace(*options, log="/dev/null"):
    return ["strace", "-f", "-o", log, *options]


def recording(words, root, more=()):
    """Runs the binary, and returns the run and its calls that change the tree. more: further options for strace, such as an
    injected error (replay.py)."""
    done, text = recorded(words, root, more)
    return done, calls_in(text, root)


def recorded(words, root, more=()):
    log = root.parent / f"{root.name}.strace"
    done = fixture.run(*words, root=root, before=strace("-y", "-xx", "-s", "1000000", *more, log=log))
    text = log.read_text()
    if not text.rstrip().endswith(f"+++ exited with {done.returncode} +++"):
        raise fixture.Broken(f"strace did not follow to the end: {done.stderr}")
    return done, text


def from_here(call, names):
    """By each of these names, the number of the first such call that does not come before `call`."""
    return {name: 1 + call.before.get(name, 0) for name in names}


def breaker(*what):
    if not BREAKER.exists():
        raise fixture.Broken(f"there is no {BREAKER}: build it, or name it in RDMASTATE_TEST_BREAKER")
    return [BREAKER, *map(str, what), "--"]


def failing(words, root, numbers, failure):
    """Runs the binary so that a call is not executed. failure: an errno's name ("EIO": this call fails), the name with "+" (this
    call and all later ones of its name fail), or KILL (the process dies). numbers: which one, by each name of such calls. Returns
    the run, whose exit code is 137 where the process died."""
    how = "kill" if failure == KILL else str(getattr(errno, failure.rstrip("+")))
    more = "+" if failure.endswith("+") else ""
    return fixture.run(*words, root=root, before=breaker(how, *(f"{name}:{number}{more}" for name, number in numbers.items())))
