# SPDX-License-Identifier: Apache-2.0
"""The part `record`: runs the program of test_record.cpp, in which a recorded host dies, and reads what it counted."""
import os
import pathlib
import re
import subprocess

import fixture

PROGRAM = pathlib.Path(os.environ.get("RDMASTATE_TEST_CRASH", fixture.TOP / "build/release/tests/crash/test_crash"))
COUNT = re.compile(r"^crash \(record\): \d+ points, 0 lost, (\d+) ended old, (\d+) ended new$", re.M)


def test(_made, quick):
    """Whether all is well; `quick` takes three of the cases."""
    chosen = ["--gtest_filter=*/Fresh:*/RdmaChanged:*/MemlockMember"] if quick else []
    done = subprocess.run([PROGRAM, "--gtest_brief=1", *chosen], capture_output=True, text=True, timeout=900, errors="replace")
    found = COUNT.search(done.stdout)
    print("\n".join(line for line in done.stdout.splitlines()[:60] if done.returncode != 0 or line.startswith("crash (")), flush=True)
    return done.returncode == 0 and found is not None and all(int(number) > 0 for number in found.groups())
