"""Our C++ files, and working through a list of them on every processor."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

from support.kept import Passed  # noqa: E402 (the path has to be set first)


def sources(*suffixes, below=("agent", "tests")):
    files = (path for room in below for path in (ROOT / room).rglob("*"))
    return sorted(path for path in files if path.suffix in suffixes and "build" not in path.parts)


def output_of(*command):
    """(exit code, what it printed) of a program that is run in the checkout."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def remembering(judge, inputs, passed):
    """The same judge, who does not look again at what passed before. inputs(file): a hash, or nothing where there is none."""
    def judge_anew(path):
        known = inputs(path)
        if known and passed.has(known):
            return ""
        complaint = judge(path)
        if known and not complaint:
            passed.note(known)
        return complaint
    return judge_anew


def report(judge, files, inputs=None):
    """judge(file) -> what is wrong with it, empty when nothing is. Prints that and the counts; returns the exit code.

    With `inputs` what passed once on these inputs passes again unread, in every clone (tests/support/kept.py)."""
    failed, passed = 0, Passed() if inputs else None
    if inputs:
        judge = remembering(judge, inputs, passed)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for complaint in pool.map(judge, files):
            failed += bool(complaint)
            if complaint:
                print(complaint, flush=True)
    if passed:
        print(passed.told("files"))
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0
