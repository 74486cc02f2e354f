"""Our C++ files, and working through a list of them on every processor."""
import concurrent.futures
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sources(*suffixes, below=("agent", "tests")):
    files = (path for room in below for path in (ROOT / room).rglob("*"))
    return sorted(path for path in files if path.suffix in suffixes and "build" not in path.parts)


def output_of(*command):
    """(exit code, what it printed) of a program that is run in the checkout."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def report(judge, files):
    """judge(file) -> what is wrong with it, empty when nothing is. Prints that and the counts; returns the exit code."""
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for complaint in pool.map(judge, files):
            failed += bool(complaint)
            if complaint:
                print(complaint, flush=True)
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0
