"""What the black-box tests share: the binary, a place to work in, and the count of what passed."""
import json
import multiprocessing
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

TOP = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("RDMASTATE_BIN", TOP / "build/release/agent/cli/rdmastate")).resolve()
HOSTS = TOP / "examples/hosts"
IN_MEMORY = "/dev/shm"
ENOUGH = 256 << 20  # bytes that have to be free there


# What a package brings that the next boot depends on.
PACKAGE = {
    "usr/bin/rdmastate": "#!/bin/false\n",
    "usr/lib/systemd/system/rdmastate.service": "[Service]\nExecStart=/usr/bin/rdmastate apply --boot\n",
    "usr/lib/systemd/system/rdmastate-event@.service": "[Service]\nExecStart=/usr/bin/rdmastate apply --boot --coalesce\n",
    "usr/lib/udev/rules.d/60-rdmastate.rules": "# which devices start the second one\n",
}


def install_package(root):
    """Into a tree, as `cmake --install` does."""
    for path, text in PACKAGE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


# Measures from a small process: Linux counts the memory of the process that calls exec as the peak of the new program
# (setmax_mm_hiwater_rss()), and a run of all tests has more than the limits that are judged.
PEAK = """import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(usage.ru_maxrss, child.returncode)"""


class Done:
    """A finished command."""

    def __init__(self, command, code, out, err):
        self.command, self.code, self.out, self.err = command, code, out, err

    def expect(self, code):
        if self.code != code:
            raise AssertionError(f"exit {self.code} instead of {code}: {' '.join(map(str, self.command))}\n"
                                 f"--- stdout\n{self.out}\n--- stderr\n{self.err}")
        return self

    @property
    def json(self):
        data = json.loads(self.out)
        assert data["format_version"] == 1, data.get("format_version")
        return data


class Box:
    """A temporary directory, and rdmastate run in it."""

    def __init__(self, directory):
        self.dir = pathlib.Path(directory)

    def write(self, name, text, mode=0o644):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(mode)
        return path

    def host(self, change=None, name="host.json", base="minimal.json"):
        """A copy of a recorded host, changed by `change(model)`."""
        model = json.loads((HOSTS / base).read_text())
        if change:
            change(model)
        return self.write(name, json.dumps(model))

    def run(self, *words, cwd=None, env=None, stdin=None, raw=False, under=()):
        """`under`: a command that runs it, with its options. raw: what it says as bytes."""
        command = [*under, BINARY, *words]
        surroundings = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CI")}
        surroundings.update(env or {})
        done = subprocess.run(command, cwd=cwd or self.dir, env=surroundings, input=stdin, capture_output=True, timeout=120)
        out, err = (done.stdout, done.stderr) if raw else (done.stdout.decode(), done.stderr.decode())
        return Done(command, done.returncode, out, err)

    def peak_kib(self, *words):
        """The largest resident set of one run, in KiB, and its exit code."""
        done = subprocess.run(["/usr/bin/python3", "-I", "-S", "-c", PEAK, BINARY, *words], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        peak, code = map(int, done.stdout.split())
        return peak, code


def room_for(test):
    """Where a test works: in memory, since what a sync costs is not the question here (tests/crash breaks them), unless its
    module needs what a file system on a disk has. None: where temporary files are."""
    module = sys.modules[getattr(test, "__module__", __name__)]
    if getattr(module, "ON_DISK", False) or not os.access(IN_MEMORY, os.W_OK):
        return None
    found = os.statvfs(IN_MEMORY)
    return IN_MEMORY if found.f_bavail * found.f_frsize >= ENOUGH else None


def one_test(test):
    directory = tempfile.mkdtemp(prefix="rdmastate-test.", dir=room_for(test))
    try:
        test(Box(directory))
        return None
    except AssertionError as error:
        frames = traceback.extract_tb(error.__traceback__)
        here = next((f for f in reversed(frames) if "cases" in f.filename), frames[-1])
        return f"{os.path.basename(here.filename)}:{here.lineno}: {here.line}\n{error}"
    except Exception:  # a broken test is a failed one, and the rest still run
        return traceback.format_exc()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def chosen(names, wanted):
    """The names that hold one of the words `wanted` (all where it has none), less those that hold a word that it has behind a minus."""
    unwanted = [word[1:] for word in wanted if word.startswith("-")]
    wanted = [word for word in wanted if not word.startswith("-")]
    return [name for name in names if (not wanted or any(word in name for word in wanted)) and not any(word in name for word in unwanted)]


_tests = {}  # a worker has them from the process that it was forked from: functions do not go through a pipe


def _by_name(name):
    return name, one_test(_tests[name])


def run_tests(tests, wanted):
    """`tests`: names to functions. Runs those that are `chosen`, as many side by side as there are processors; an exit code."""
    if not BINARY.exists():
        sys.exit(f"there is no {BINARY}: build it, or name it in RDMASTATE_BIN")
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    names, failed, start = chosen(tests, wanted), [], time.monotonic()
    _tests.update(tests)
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for name, trouble in pool.imap_unordered(_by_name, names):
            if trouble is not None:
                failed.append(name)
                print(f"FAIL {name}\n" + "".join(f"    {line}\n" for line in trouble.splitlines()), flush=True)
    print(f"{len(names) - len(failed)} passed, {len(failed)} failed ({time.monotonic() - start:.1f} s)")
    return 1 if failed or not names else 0
