# SPDX-License-Identifier: Apache-2.0
"""A class of tries: a module of classes/ with

    TRIES             how many there are in --deep
    prepare(room)     optional: what all tries start from, made once; `room` is a directory (pathlib) that lives as long
    ON_DISK           optional: the tries need what a file system in memory has not
    attempt(one)      one try; it raises AssertionError where the law does not hold. `one` is a Try.
"""
import collections
import multiprocessing
import os
import pathlib
import random
import shutil
import tempfile
import traceback

from support import harness

DOCUMENTED = range(8)  # exit codes of the agent
SHOWN = 6              # failures that are told in full


class Try:
    """box: a directory of its own, and rdmastate run in it (harness.Box). random: what the try is made of. made: what
    prepare() returned. counts: what else is to be told of all tries, by its name in the plural ("kills inside recovery")."""

    def __init__(self, name, seed, number, made, directory):
        self.number, self.made, self.counts = number, made, collections.Counter()
        self.random = random.Random(f"{name} {seed} {number}")
        self.box = harness.Box(directory)

    def speaks_plainly(self, done):
        """Ends with a code that is documented, by itself, and says why where it is no success."""
        assert done.code in DOCUMENTED, f"exit {done.code}: {done.command}\n{done.out[-2000:]}\n{done.err[-2000:]}"
        assert "internal error" not in done.err, f"{done.command}\n{done.err[-2000:]}"
        assert done.code in (0, 2) or done.err.strip() or done.out.strip(), f"exit {done.code} without a word: {done.command}"
        return done


_shared = {}  # a worker has it from the process that it was forked from


def _one(number):
    module, name, seed, made = _shared["all"]
    directory = tempfile.mkdtemp(prefix=f"rdmastate-{name}.", dir=_shared["room"])
    one = Try(name, seed, number, made, directory)
    try:
        module.attempt(one)
        return number, one.counts, None
    except Exception as error:  # a broken try is a failed one, and the rest still run
        return number, one.counts, f"{error}\n{traceback.format_exc(limit=-4)}"
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def run(module, name, seed, numbers):
    """(counts, failures: number and what was wrong), the tries side by side on all processors."""
    counts, failures = collections.Counter(), []
    on_disk = getattr(module, "ON_DISK", False) or not os.access(harness.IN_MEMORY, os.W_OK)
    with tempfile.TemporaryDirectory(prefix="rdmastate-attack.", dir=None if on_disk else harness.IN_MEMORY) as room:
        _shared["room"], made = room, module.prepare(pathlib.Path(room)) if hasattr(module, "prepare") else None
        _shared["all"] = module, name, seed, made
        with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
            for number, more, trouble in pool.imap_unordered(_one, numbers, chunksize=4):
                counts += more
                if trouble is not None:
                    failures.append((number, trouble if len(failures) < SHOWN else trouble.splitlines()[0]))
    return counts, sorted(failures)
