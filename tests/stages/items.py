# SPDX-License-Identifier: Apache-2.0
"""Everything there is to run, as items of known seconds: scenarios, mutants, fuzzers, parts of the crash suite, stages.

An item's seconds are those of a machine with two processors, of which it has its share.
"""
import pathlib
import sys

from selection import Item

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS / "vm"))

from rig import scenario  # noqa: E402 (the path has to be set first)

SIDE_BY_SIDE = 2.0                                             # machines and mutants at a time
MUTANT_SECONDS = {"test": 16, "cli": 30, "crash": 60}          # where a mutant does not say
FUZZ_SECONDS = 300                                             # of each fuzzer, in --deep
CRASH_SECONDS = {"tree": 60, "replay": 240, "record": 120}
BENCH_SECONDS = {"trees": 140, "guest": 300}
# What runs whole or not at all. Their builds are not counted: MARGIN of main.py is for them.
STAGE_SECONDS = {"stages": 5, "layers": 5, "shellcheck": 30, "release-tests": 120, "schema": 5, "binary": 1, "install": 10,
                 "examples": 60, "cli": 90, "vm-units": 5, "crash-units": 5, "coverage": 600, "gcc-syntax": 30, "headers": 120,
                 "format": 20, "tidy": 500}


def scenarios():
    return [Item(f"vm/{one.name}", one.seconds / SIDE_BY_SIDE, bool(one.promises), one.by_name_alone) for one in scenario.every()]


def mutants():
    return [Item(f"mutants/{path.stem}", _seconds_of(path.read_text()) / SIDE_BY_SIDE)
            for path in sorted((TESTS / "mutants").glob("*.mutant"))]


def _seconds_of(text):
    keys = dict(line.split(":", 1) for line in text.splitlines() if ":" in line and line[:2] not in ("- ", "+ "))
    suite = next((one for one in MUTANT_SECONDS if one in keys), "test")
    return float(keys.get("seconds", MUTANT_SECONDS[suite]))


def fuzzers():
    names = sorted(path.stem for path in (TESTS / "fuzz").glob("fuzz_*.cpp")) + ["fuzz_yaml_cpp"]
    return [Item(f"fuzz/{name}", FUZZ_SECONDS / SIDE_BY_SIDE, deep=True) for name in names]


def _fixed(kind, seconds):
    return [Item(f"{kind}/{name}", number) for name, number in seconds.items()]


def everything():
    return [*scenarios(), *mutants(), *fuzzers(), *_fixed("crash", CRASH_SECONDS), *_fixed("bench", BENCH_SECONDS),
            *_fixed("stage", STAGE_SECONDS)]
