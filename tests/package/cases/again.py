# SPDX-License-Identifier: Apache-2.0
"""Built again from a copy at another path, by another clock, in another locale and with another umask: the same bytes."""
import hashlib
import subprocess

import build
from published import PACKAGES, TOP

DEEP = True


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir()) if path.suffix != ".sha256"}


def test_two_builds_are_the_same_bytes(box):
    elsewhere = box.dir / "a longer way to another place/of the same source"
    elsewhere.mkdir(parents=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, capture_output=True).stdout
    subprocess.run(["rsync", "-a", "--from0", "--files-from=-", f"{TOP}/", f"{elsewhere}/"], input=files, check=True)
    build.packages(elsewhere, box.dir / "again", wrap=["sh", "-c", 'umask 077; exec "$0" "$@"'],
                   more={"TZ": "Pacific/Auckland", "LC_ALL": "de_DE.UTF-8", "LANG": "tr_TR.UTF-8", "CCACHE_DISABLE": "1", "USER": "somebody"})
    first, second = digests(PACKAGES), digests(box.dir / "again")
    assert len(first) == 3 and first == second, {name: (first[name], second.get(name)) for name in first if first[name] != second.get(name)}
