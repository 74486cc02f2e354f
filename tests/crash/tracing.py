# SPDX-License-Identifier: Apache-2.0
"""The binary under strace: what it did to files, call by call, and made to fail or die at one of them."""
import os
import re
import subprocess

import fixture

MUTATING = {"openat", "openat2", "write", "renameat", "unlinkat", "mkdirat", "symlinkat", "fchmod", "fchown", "fchownat", "fsetxattr", "ftruncate",
            "fsync", "fdatasync", "syncfs", "sync_file_range"}
# What changes no file. A call that is in neither list ends the suite: it would not be broken.
HARMLESS = {"access", "arch_prctl", "brk", "close", "dup", "execve", "exit_group", "fcntl", "fgetxattr", "flistxattr", "flock", "fstat",
            "fstatfs", "futex", "getcwd", "getdents64", "geteuid", "getegid", "getpid", "getrandom", "getxattr", "ioctl", "listxattr",
            "lseek", "mmap", "mprotect", "munmap", "newfstatat", "openat", "openat2", "pread64", "prlimit64", "read", "readlink",
            "readlinkat", "rseq", "rt_sigaction", "rt_sigprocmask", "sched_getaffinity", "set_robust_list", "set_tid_address", "statfs",
            "statx", "sysinfo", "uname", "clock_nanosleep"}
LINE = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+|\?|0x[0-9a-f]+)(.*)$")
TEXT = re.compile(r'(?<!<)"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
AT = re.compile(r"(\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})*)>")
MADE = re.compile(r"O_CREAT|O_TRUNC|O_TMPFILE")


def unhexed(text):
    return bytes.fromhex(text.replace("\\x", ""))


class Call:
    """One call that changed, made or synced a file: `at` the paths of its descriptors, `texts` its strings."""

    def __init__(self, name, number, args, result):
        self.name, self.number, self.args, self.failed = name, number, args, result.startswith("-")
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
    """Those of one recording that concern the tree, each numbered among the calls of its name as strace counts them."""
    numbers, calls = {}, []
    for line in text.splitlines():
        if re.match(r"^\d+ +(\+\+\+|---)", line):
            continue
        found = LINE.match(line)
        if not found:
            raise fixture.Broken(f"strace's line is not understood: {line[:200]}")
        name, args, result, _ = found.groups()
        numbers[name] = numbers.get(name, 0) + 1
        if is_mutating(name, args):
            call = Call(name, numbers[name], args, result)
            if any(path.startswith(os.fsencode(root)) for path in call.at):
                calls.append(call)
    return calls


def strace(*options, log="/dev/null"):
    return ["strace", "-f", "-o", log, *options]


def recording(words, root, more=()):
    """Runs the binary; its calls. `more`: options for strace, of a failure that belongs to what is recorded."""
    log = root.parent / f"{root.name}.strace"
    done = fixture.run(*words, root=root, before=strace("-y", "-xx", "-s", "1000000", *more, log=log))
    text = log.read_text()
    if not text.rstrip().endswith(f"+++ exited with {done.returncode} +++"):
        raise fixture.Broken(f"strace did not follow to the end: {done.stderr}")
    return done, calls_in(text, root)


def failing(words, root, numbers, failure):
    """Runs the binary so that a call is not executed: it fails (EIO), it and all like it behind it fail (EIO+), or the
    process dies (SIGKILL). numbers: which one, by each name of such calls. Its exit code, 137 where it died."""
    how = f"signal={failure}" if failure.startswith("SIG") else f"error={failure.rstrip('+')}"
    more = "+" if failure.endswith("+") else ""
    options = [word for name, number in numbers.items() for word in ("-e", f"inject={name}:{how}:when={number}{more}")]
    return fixture.run(*words, root=root, before=strace("-e", f"trace={','.join(numbers)}", *options))
