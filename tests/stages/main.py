"""The stages of tests/run, their order, and what they print: see tests/run."""
import argparse
import os
import pathlib
import signal
import sys
import time

import by_name
import items
import seed
import selection
from catalogue import ROOT, chosen, deep_stages, item_of
from excerpt import excerpt, troubles
from results import Follower, Results, table as results_table
from runner import Runner
from told import crash_sum, told

from support import kept  # items has set the path

COLOUR = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
WIDE = 900                  # characters of one stage in the last words
HOUR, BUILDS = 3600, 900    # a part of --deep takes an hour at most, builds from nothing included
MORE = """
The default run has a time. What is left out of it is printed: which scenarios and mutants run besides those that always do
is named by the commit's hash, so that successive commits see all. Random tests take their seed from the commit.

--deep I/N runs the I-th of N parts of everything: every scenario, mutant and stage whole, fuzzers for 300 s, new seeds. What
passed at this commit is not run again, so an interrupted part goes on; each part takes an hour at most, builds included.
--results [COMMIT] says what ran where and passed, and what is missing.

Kept in $XDG_CACHE_HOME/rdmastate (~/.cache/rdmastate): what is expensive and depends on its inputs alone (the guest's image
and kernel, sources that are downloaded, passed checks of single files), by their hash, 12 GiB at most; and results/COMMIT.jsonl.
"""


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


def last_words(results):
    """A line per failed stage, with the first troubles of its log: who sees only the last lines of the output must know them."""
    for one in results:
        if not one.good:
            why = " | ".join(one.reasons + troubles(text_of(one).splitlines()))
            print(f"{painted('31', 'FAILED')} {one.stage.name}: {one.counts()}: {why}"[:WIDE])


def table(results, seconds, seeded):
    print(painted("1", "\nstage             seconds  processor  passed  failed"))
    for one in results:
        print(f"{one.stage.name:16} {one.seconds:8.1f} {one.processor:10.1f} {one.passed:7} {one.failed:7}{'' if one.good else painted('31', '  FAIL')}")
    print(f"{'all':16} {seconds:8.1f} {sum(one.processor for one in results):10.1f}  (stages run side by side)\n")
    lines = [line for one in results for line in told(text_of(one), one.stage.name)]
    print("".join(f"{line}\n" for line in lines + crash_sum(lines) + [seeded]), end="")


def arguments():
    parser = argparse.ArgumentParser(prog="tests/run", description="Builds and tests everything.", epilog=MORE,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the release configuration: unit and CLI tests, cheap lint")
    parser.add_argument("--only", metavar="STAGE,...", help="these stages and what they need")
    parser.add_argument("--deep", metavar="I/N", type=part_of, help="the I-th of N parts of everything")
    parser.add_argument("--results", metavar="COMMIT", nargs="?", const="", help="what ran at a commit (this one), and stop")
    parser.add_argument("--install", action="store_true", help="install missing Debian packages without asking (tests/run does)")
    parser.add_argument("--list", action="store_true", help="name the stages, with --deep the items, and stop")
    args = parser.parse_args()
    if args.deep and (args.quick or args.only):
        parser.error("--deep goes with neither --quick nor --only")
    return args


def part_of(text):
    """`2/8` as (2, 8)"""
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError("a part is I/N, with I from 1 to N: 2/8")
    return int(number), int(count)


def deep_part(number, count):
    """The items of a part; ends where the parts would be too long."""
    everything = items.everything()
    lists = selection.parts(everything, count)
    longest = max(map(selection.length, lists))
    if longest > HOUR - BUILDS:
        least = next(n for n in range(count, 1000) if max(map(selection.length, selection.parts(everything, n))) <= HOUR - BUILDS)
        sys.exit(f"of {count} parts the longest would take {(longest + BUILDS) / 60:.0f} minutes: take {least}")
    return lists[number - 1]


def what_to_run(args, commit, results):
    """The stages, once the results know what there is."""
    if not args.deep:
        return chosen(args.quick, args.only.split(",") if args.only else [], commit)
    results.expect(items.everything())
    part, passed = deep_part(*args.deep), results.passed()
    left = [item for item in part if item.name not in passed]
    print(f"deep {args.deep[0]}/{args.deep[1]}: {len(part)} items, {len(part) - len(left)} passed at {results.commit} before, "
          f"{selection.length(left) / 60:.0f} minutes left, and builds", flush=True)
    return deep_stages(left)


def named(args, commit, place):
    """What --results and --list print; nothing for a run."""
    if args.results is not None:
        if not args.results:
            return results_table(Results(place, commit.name), sorted(item.name for item in items.everything()))
        found = sorted((place / "results").glob(f"{args.results}*.jsonl"))
        return [line for path in found for line in results_table(Results(place, path.stem))] or [f"nothing ran at {args.results}"]
    if args.list and args.deep:
        return [f"{item.name:30} {item.seconds:6.0f} s" for item in deep_part(*args.deep)]
    if args.list:
        return [f"{stage.name:16} {stage.what}" for stage in chosen(args.quick, args.only.split(",") if args.only else [], commit)]
    return None


def noting(results):
    """tell(), which also writes down what passed."""
    def tell_and_note(result):
        tell(result)
        item = item_of(result.stage)
        if item and (result.passed or result.failed) and not any(why.startswith("not run") for why in result.reasons):
            results.note(item, result.good, result.seconds)
    return tell_and_note


def main():
    args, commit, place = arguments(), seed.Commit(ROOT), kept.home()
    lines = named(args, commit, place)
    if lines is not None:
        print("\n".join(lines))
        return 0
    os.chdir(ROOT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    started = time.monotonic() - float(os.environ.get("RDMASTATE_TESTS_INSTALL_SECONDS", 0))
    number, origin = seed.chosen(os.environ, commit, bool(args.deep))
    seed.put(os.environ, number)
    os.environ[by_name.NOTED] = "1"
    seeded = f"seed: RDMASTATE_SEED={number} ({origin})"
    results = Results(place, commit.name, "deep {}/{}".format(*args.deep) if args.deep else "default", number)
    stages = what_to_run(args, commit, results)
    ended = Runner(stages, pathlib.Path("build/log"), noting(results), Follower(results).look, seeded).run()
    table(ended, time.monotonic() - started, seeded)
    last_words(ended)
    failed = sum(result.failed for result in ended)
    print(f"{sum(result.passed for result in ended)} passed, {failed} failed")
    return 1 if failed or not all(result.good for result in ended) else 0


if __name__ == "__main__":
    sys.exit(main())
