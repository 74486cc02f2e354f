"""Which files a command looks at, found out by strace, as the list that bench_floor takes."""
import pathlib
import re
import subprocess
import tempfile

CALLS = "openat2,openat,newfstatat"
IN_ROOT = re.compile(r'openat2\(\d+<[^>]*>, "([^"]*)", \{flags=([A-Z_|0-9]+)')
BELOW = re.compile(r'openat\(\d+<([^>]*)>, "([^"]*)", ([A-Z_|0-9]+)')
STAT_BELOW = re.compile(r'newfstatat\(\d+<([^>]*)>, "([^"]+)"')
STAT = re.compile(r'newfstatat\(AT_FDCWD<[^>]*>, "([^"]+)"')


def _verb(flags):
    if "O_PATH" in flags:
        return "look"
    return "list" if "O_DIRECTORY" in flags else "read"


def _look(line, root):
    """(path, verb) of one line, or nothing."""
    if match := IN_ROOT.search(line):
        return root + match[1], _verb(match[2])
    if match := BELOW.search(line):
        return f"{match[1]}/{match[2]}", _verb(match[3])
    if match := STAT_BELOW.search(line):
        return f"{match[1]}/{match[2]}", "look"
    if match := STAT.search(line):
        return match[1], "look"
    return None


def files_of(command, root=""):
    """Lines `verb path`, each path once, with the most that is done to it."""
    with tempfile.TemporaryDirectory() as directory:
        log = pathlib.Path(directory) / "strace"
        subprocess.run(["strace", "-f", "-qq", "-y", "-s", "4096", "-e", f"trace={CALLS}", "-o", log, *map(str, command)],
                       check=False, stdout=subprocess.DEVNULL)
        found = {}
        for line in log.read_text(errors="replace").splitlines():
            seen = _look(line, root)
            if seen is None:
                continue
            path, verb = seen
            if found.get(path, "look") == "look":
                found[path] = verb
    return [f"{verb} {path}" for path, verb in found.items()]
