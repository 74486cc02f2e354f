"""The table of releases in tests/vm/README.md, out of the scenarios' headers: `releases` and `refused`.

python3 -m rig.table, in tests/vm: prints it. rig_test.py compares it with the README.
"""
from . import scenario

RELEASES = ("bullseye", "trixie", "sid")


def _family(one):
    return one.name.split("-")[0]


def _cell(scenarios, release):
    """What of a family passed there, by the rest of the names, and what is refused there."""
    passed = [one.name.partition("-")[2] or one.name for one in scenarios if release in one.releases]
    refused = {}
    for one in scenarios:
        if release in one.refused:
            refused.setdefault(one.refused[release], []).append(one.name.partition("-")[2] or one.name)
    told = ([f"passed: {', '.join(passed)}"] if passed else []) + [f"`refused: {reason}`: {', '.join(names)}" for reason, names in refused.items()]
    return "; ".join(told) or "not tried"


def table():
    families = {}
    for one in scenario.every():
        families.setdefault(_family(one), []).append(one)
    rows = [(name, *(_cell(scenarios, release) for release in RELEASES)) for name, scenarios in sorted(families.items())]
    rows = [row for row in rows if set(row[1:]) != {"not tried"}]
    head = [("scenarios", *RELEASES), ("---",) * (1 + len(RELEASES))]
    return "".join(f"| {' | '.join(row)} |\n" for row in head + rows)


if __name__ == "__main__":
    print(table(), end="")
