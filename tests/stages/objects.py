# SPDX-License-Identifier: Apache-2.0
"""How much of a build the compiler cache had: objects.py STATSLOG, as ccache writes it where CCACHE_STATSLOG says so."""
import pathlib
import sys


def told(text):
    """ccache writes one line for each thing that it counts, several per source."""
    lines = text.split()
    hits = sum(lines.count(name) for name in ("direct_cache_hit", "preprocessed_cache_hit"))
    misses = lines.count("cache_miss")
    return f"kept: {hits} of {hits + misses} objects compiled before, the same inputs" if hits + misses else ""


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    line = told(path.read_text(errors="replace")) if path.exists() else ""
    if line:
        print(line)
