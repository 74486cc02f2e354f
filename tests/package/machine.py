# SPDX-License-Identifier: Apache-2.0
"""The emulated guest of tests/vm, which has of rdmastate only what a case brings: nothing of preset release."""
import os
import subprocess

from published import TOP


def passes(scenario, tree):
    """A scenario of that name, or of that file, with what lies in `tree` put onto the guest's root before."""
    env = {key: value for key, value in os.environ.items() if key != "RDMASTATE_BIN"} | {"RDMASTATE_INSTALL": str(tree)}
    done = subprocess.run([TOP / "tests/vm/run", scenario], capture_output=True, text=True, env=env)
    assert done.returncode == 0 and "1 passed, 0 failed" in done.stdout, done.stdout + done.stderr
