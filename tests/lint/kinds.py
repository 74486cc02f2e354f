#!/usr/bin/python3
"""No kind of resource is named in plan, doctor, apply and cli: neither its table nor, as a string, its name. What those rooms
need to know of a kind is an answer of the kind (resources/kind.hpp).

kinds.py: prints `FILE:LINE: sentence` per breach, then `N passed, N failed` counted in files.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ["plan", "doctor", "apply", "cli"]
# FILE below agent/: what it may name, and why. One that names it no longer is a breach too.
EXCEPTED = {
    ("cli/pipeline_cases.cpp", '"file"'): "a word of the output for pipelines",
    ("cli/output.cpp", '"file"'): "a word of the output for pipelines",
    ("doctor/finding.hpp", '"file"'): "a word of the output for pipelines",
}


def kinds(sources):
    """The tables' identifiers and the kinds' names, as the room of resources has them."""
    tables = set(re.findall(r"^extern const Kind (\w+);", sources, re.M))
    names = set(re.findall(r'kind_of<[\w, ]+>\("(\w+)"\)', sources))
    return tables, names


def code(text):
    """The text without its comments; lines stay where they are."""
    return re.sub(r"//[^\n]*", "", text)


def named(text, tables, names):
    """(line, token) of each table and name in a source."""
    for number, line in enumerate(code(text).splitlines(), 1):
        for word in re.findall(r"\w+", line):
            if word in tables:
                yield number, word
        for string in re.findall(r'"(\w+)"', line):
            if string in names:
                yield number, f'"{string}"'


def self_test():
    tables, names = kinds('extern const Kind a_kind;\n  Kind kind = kind_of<A, B>("a");\n')
    assert (tables, names) == ({"a_kind"}, {"a"})
    assert list(named("x;\nf(&a_kind);", tables, names)) == [(2, "a_kind")]
    assert list(named('f("a")', tables, names)) == [(1, '"a"')]
    assert not list(named('f("ab"); // a_kind "a"', tables, names))


def main():
    self_test()
    resources = ROOT / "agent/resources"
    text = "\n".join(path.read_text() for path in sorted(resources.rglob("*.[ch]pp")))
    tables, names = kinds(text)
    assert len(tables) == len(names) > 15, f"{len(tables)} tables and {len(names)} names of kinds were found"
    files = sorted(path for room in ROOMS for path in (ROOT / "agent" / room).rglob("*.[ch]pp"))
    unused = dict(EXCEPTED)
    bad = 0
    for path in files:
        short = str(path.relative_to(ROOT / "agent"))
        found = []
        for line, token in named(path.read_text(), tables, names):
            if EXCEPTED.get((short, token)):
                unused.pop((short, token), None)
            else:
                found.append((line, token))
        for line, token in found:
            print(f"agent/{short}:{line}: {token} is a kind of resource: ask the kind instead (resources/kind.hpp)")
        bad += bool(found)
    for (short, token), why in unused.items():
        print(f"tests/lint/kinds.py:1: agent/{short} no longer names {token} ({why}): take the exception out")
    print(f"{len(files) - bad} passed, {bad} failed")
    return 1 if bad or unused or len(files) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
