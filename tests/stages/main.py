"""The stages of tests/run, their order, and what they print: see tests/run."""
import argparse
import os
import pathlib
import signal
import sys
import time

from catalogue import ROOT, chosen
from excerpt import excerpt
from runner import Runner
from told import crash_sum, told

COLOUR = sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def painted(code, text):
    return f"\033[{code}m{text}\033[0m" if COLOUR else text


def text_of(result):
    return result.log.read_text(errors="replace") if result.log.exists() else ""


def tell(result):
    """One line per finished stage; of a failed one also why, and the part of its log that says it."""
    word = painted("32", "ok  ") if result.good else painted("31", "FAIL")
    print(f"{word} {result.stage.name:16} {result.seconds:7.1f} s  {result.counts()}", flush=True)
    if result.good:
        return
    for line in result.reasons:
        print(f"     {line}")
    print("".join(f"     | {line}\n" for line in excerpt(text_of(result).splitlines())), end="", flush=True)


def table(results, seconds):
    print(painted("1", "\nstage             seconds  passed  failed"))
    for one in results:
        print(f"{one.stage.name:16} {one.seconds:8.1f} {one.passed:7} {one.failed:7}{'' if one.good else painted('31', '  FAIL')}")
    print(f"{'all':16} {seconds:8.1f}  (stages run side by side)\n")
    lines = [line for one in results for line in told(text_of(one))]
    print("".join(f"{line}\n" for line in lines + crash_sum(lines)), end="")


def main():
    parser = argparse.ArgumentParser(prog="tests/run", description="Builds and tests everything.")
    parser.add_argument("--quick", action="store_true", help="the release configuration: unit and CLI tests, cheap lint")
    parser.add_argument("--only", metavar="STAGE,...", help="these stages and what they need")
    parser.add_argument("--list", action="store_true", help="name the stages and stop")
    args = parser.parse_args()
    stages = chosen(args.quick, args.only.split(",") if args.only else [])
    if args.list:
        for stage in stages:
            print(f"{stage.name:16} {stage.what}")
        return 0
    os.chdir(ROOT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    started = time.monotonic() - float(os.environ.get("RDMASTATE_TESTS_STARTED", 0))
    results = Runner(stages, pathlib.Path("build/log"), tell).run()
    table(results, time.monotonic() - started)
    failed = sum(result.failed for result in results)
    print(f"{sum(result.passed for result in results)} passed, {failed} failed")
    return 1 if failed or not all(result.good for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
