# SPDX-License-Identifier: Apache-2.0
"""Built again from a copy at another path, by another clock, in another locale and with another umask and modes: the same bytes."""
import hashlib
import subprocess

import build
from published import PACKAGES, TOP

DEEP = True
LOCALES = ("de_DE.UTF-8", "tr_TR.UTF-8")  # a decimal comma; an i without a dot


def made_locales(folder):
    """A directory for LOCPATH (locale(7)); the C library would fall back to C without a word."""
    for name in LOCALES:
        subprocess.run(["localedef", "--no-archive", "-i", name.split(".")[0], "-f", "UTF-8", folder / name], check=True)
    said = subprocess.run(["locale", "decimal_point"], env={"PATH": "/usr/bin", "LOCPATH": str(folder), "LC_ALL": LOCALES[0]}, check=True, capture_output=True, text=True).stdout
    assert said == ",\n", said
    return folder


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir()) if path.suffix != ".sha256"}


def test_two_builds_are_the_same_bytes(box):
    elsewhere = box.dir / "a longer way to another place/of the same source"
    elsewhere.mkdir(parents=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, capture_output=True).stdout
    packed = subprocess.run(["tar", "-c", "--null", "-T", "-"], cwd=TOP, input=files, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", elsewhere], input=packed, check=True)
    subprocess.run(["chmod", "-R", "go-rwx", elsewhere], check=True)
    (box.dir / "locales").mkdir()
    build.packages(elsewhere, box.dir / "again", wrap=["sh", "-c", 'umask 077; exec "$0" "$@"'],
                   more={"TZ": "Pacific/Auckland", "LOCPATH": str(made_locales(box.dir / "locales")), "LC_ALL": LOCALES[0], "LANG": LOCALES[1],
                         "CCACHE_DISABLE": "1", "USER": "somebody"})
    first, second = digests(PACKAGES), digests(box.dir / "again")
    assert len(first) == 3 and first == second, {name: (first[name], second.get(name)) for name in first if first[name] != second.get(name)}
