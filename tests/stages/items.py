# SPDX-License-Identifier: Apache-2.0
"""Everything there is to run, as items of known seconds: scenarios, mutants, fuzzers, parts of the crash suite, classes of tries, stages.

An item's seconds are those of a machine with two processors, of which it has its share.
"""
import pathlib
import sys

from selection import Item

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "vm"), str(TESTS / "mutants"), str(TESTS / "ansible")]

import mutant  # noqa: E402 (the path has to be set first)
import plays  # noqa: E402
from rig import image, scenario  # noqa: E402

EACH_RELEASE = 6                                               # scenarios of another release in the default run
SIDE_BY_SIDE = 2.0                                             # machines and mutants at a time
FUZZ_SECONDS = 300                                             # of each fuzzer, in --deep
CRASH_SECONDS = {"tree": 60, "replay": 90, "record": 120}
ATTACK_SECONDS = {"damage": 50, "faults": 60, "injections": 50, "kills": 120, "together": 35, "trees": 85, "undo": 85}
# Of the collection's tests, by itself; those of plays stand beside them.
ANSIBLE_SECONDS = {"build": 1, "python36": 1, "sanity": 29, "units": 28, "integration": 90, "lint": 6}
BENCH_SECONDS = {"trees": 140, "guest": 300, "ansible": 300}
# What runs whole or not at all. Their builds are not counted: MARGIN of main.py is for them.
STAGE_SECONDS = {"stages": 5, "layers": 5, "kinds": 5, "rooms": 5, "lint-units": 20, "contracts": 5, "shellcheck": 30, "release-tests": 120, "schema": 5, "binary": 1, "install": 10,
                 "examples": 60, "cli": 90, "vm-units": 5, "crash-units": 5, "ansible-units": 2, "package": 2300, "attack-units": 5, "mutant-units": 5, "editor": 25, "guides": 5, "coverage": 600, "gcc-syntax": 30, "headers": 120,
                 "format": 20, "tidy": 500}


def scenarios():
    """Of this machine's release those that a commit's part has or always run; the others are for --deep, as those of other releases are."""
    here = [Item(f"vm/{one.name}", one.seconds / SIDE_BY_SIDE, bool(one.promises), one.by_name_alone) for one in scenario.every()]
    return here + [Item(f"vm/{one.name}", one.seconds / SIDE_BY_SIDE, deep=True) for one in scenario.elsewhere()]


def elsewhere(number, is_kept=image.is_kept):
    """What the default run takes of other releases: some of each whose guest is kept on this machine, since making one takes minutes. The
    number of the commit says where in the list they begin."""
    of_release = {}
    for one in scenario.elsewhere():
        of_release.setdefault(one.release, []).append(one)
    kept = [those for those in of_release.values() if is_kept(those[0].debian)]
    begun = [those[number % len(those):] + those[:number % len(those)] for those in kept]
    return [Item(f"vm/{one.name}", one.seconds / SIDE_BY_SIDE) for those in begun for one in those[:EACH_RELEASE]]


def mutants():
    """Their seconds are those of a processor."""
    return [Item(f"mutants/{one.name}", one.seconds() / SIDE_BY_SIDE) for one in mutant.all_mutants()]


def fuzzers():
    names = sorted(path.stem for path in (TESTS / "fuzz").glob("fuzz_*.cpp")) + ["fuzz_yaml_cpp"]
    return [Item(f"fuzz/{name}", FUZZ_SECONDS / SIDE_BY_SIDE, deep=True) for name in names]


def collection():
    """Parts that judge the collection's own files always run: a pass of theirs is kept by the files' hash. Of the parts that need the binary
    the default run takes some."""
    alone = [Item(f"ansible/{name}", seconds / SIDE_BY_SIDE, name != "integration") for name, seconds in ANSIBLE_SECONDS.items()]
    return alone + [Item(f"ansible/plays/{name}", seconds / SIDE_BY_SIDE, always) for name, seconds, always in plays.times()]


def _fixed(kind, seconds):
    return [Item(f"{kind}/{name}", number) for name, number in seconds.items()]


def everything():
    return [*scenarios(), *mutants(), *fuzzers(), *collection(), *_fixed("crash", CRASH_SECONDS), *_fixed("attack", ATTACK_SECONDS), *_fixed("bench", BENCH_SECONDS),
            *_fixed("stage", STAGE_SECONDS)]
