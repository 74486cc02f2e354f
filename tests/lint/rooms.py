#!/usr/bin/python3
"""Holds the maps of agent/ to the tree: each room has a README of at most 60 lines, agent/README.md has at most 120 and its
table of words at most 15; each section and kind of the two lists is a folder or a file; no two names in a folder differ by
a letter; each decision has its four parts, and what it is seen by exists.

rooms.py: prints `FILE: sentence` per breach, then `N passed, N failed` counted in files.
"""
import itertools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
AGENT, TESTS = ROOT / "agent", ROOT / "tests"
PARTS = ["Rule", "Because", "Instead of", "Seen by"]
LIMITS = {"README.md": 120, "*/README.md": 60, "sections/*/README.md": 60, "sections/ipoib/backends/*/README.md": 60}
NO_ROOM = {"decisions"}
MOST_WORDS = 15


def lists():
    """The names of sections and of kinds, as the two lists have them."""
    sections = re.findall(r"^ *SECTION\((\w+), (?!type)", (AGENT / "sections/list.hpp").read_text(), re.M)
    kinds = re.findall(r"^ *KIND\((\w+)\)", (AGENT / "resources/registry.cpp").read_text(), re.M)
    return sections, kinds


def differ_by_a_letter(one, other):
    """`file` and `files`, `less` and `loss`"""
    short, long = sorted((one, other), key=len)
    if len(short) == len(long):
        return sum(a != b for a, b in zip(short, long)) == 1
    return len(long) == len(short) + 1 and any(long[:at] + long[at + 1:] == short for at in range(len(long)))


def witnesses():
    """What a decision may name: test suites and their cases, mutants, scenarios, cases of the command line, lints."""
    names = {path.stem for place in ("mutants/*.mutant", "vm/scenarios/*.sh", "cli/cases/*.py") for path in TESTS.glob(place)}
    for path in TESTS.rglob("*.cpp"):
        for suite, case in re.findall(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\((\w+),\s*(\w+)\)", path.read_text(), re.M):
            names |= {suite, f"{suite}.{case}"}
    return names


def of_decision(text, known):
    """What is wrong with a decision."""
    parts = dict(re.findall(r"^\*\*(.+?):\*\* (.+?)(?=\n\n|\n?\Z)", text, re.M | re.S))
    if list(parts) != PARTS:
        yield f"a decision has {', '.join(PARTS)}, in this order; this one has {', '.join(parts) or 'none'}"
        return
    seen = re.findall(r"`([^`]+)`", parts["Seen by"])
    if not seen:
        yield "nothing sees it: name a test, a mutant, a scenario or a lint"
    for name in seen:
        if name not in known and not (name.startswith("tests/") and (ROOT / name).exists()):
            yield f"it is seen by {name}, which does not exist"


def of_lists():
    sections, kinds = lists()
    assert len(sections) > 8 and len(kinds) > 15, f"{len(sections)} sections and {len(kinds)} kinds were found"
    folders = {path.parent.name for path in (AGENT / "sections").glob("*/spec.hpp")}
    for name in sorted(folders - set(sections)):
        yield f"agent/sections/{name}", "this folder has a spec.hpp, and sections/list.hpp has no such section"
    for name in sections:
        for needed in ("spec.hpp", f"{name}.cpp"):
            if not (AGENT / "sections" / name / needed).exists():
                yield f"agent/sections/{name}/{needed}", "a section of the list has this file"
    for name in kinds:
        if not any((AGENT / "resources" / file).exists() for file in (f"{name}.cpp", f"{name}/{name}.cpp")):
            yield f"agent/resources/{name}.cpp", "a kind of the list has this file, or a folder of its name with it"


def of_names():
    for folder in sorted({path.parent for path in AGENT.rglob("*.[ch]pp")}):
        stems = sorted({path.stem for path in folder.glob("*.[ch]pp")})
        for one, other in itertools.combinations(stems, 2):
            if differ_by_a_letter(one, other):
                yield folder.relative_to(ROOT), f"{one} and {other} differ by a letter: who looks for one opens the other"


def of_maps():
    rooms = {path.parent for path in AGENT.glob("*/CMakeLists.txt")} | {path.parent for path in AGENT.glob("sections/ipoib/backends/*/*.cpp")}
    for room in sorted(rooms):
        if room.name not in NO_ROOM and not (room / "README.md").exists():
            yield room.relative_to(ROOT), "a room has a README.md: what it holds, for whom, and its own rules"
    for pattern, limit in LIMITS.items():
        for path in sorted(AGENT.glob(pattern)):
            lines = len(path.read_text().splitlines())
            if lines > limit and path.parent.name not in NO_ROOM:
                yield path.relative_to(ROOT), f"{lines} lines: a map has at most {limit}"


def words_in(text):
    """The first column of the table below the heading `Words`."""
    part = text.split("\n## Words\n")[1].split("\n## ")[0]
    return [cell for cell in re.findall(r"^\| ([^|]+?) \|", part, re.M) if cell not in ("word", "---")]


def of_words():
    words = words_in((AGENT / "README.md").read_text())
    if not 5 < len(words) <= MOST_WORDS or any("," in word for word in words):
        yield "agent/README.md", f"{len(words)} words of our own: a line has one, and there are at most {MOST_WORDS}"


def of_decisions():
    known = witnesses()
    index = (AGENT / "decisions/README.md").read_text()
    for path in sorted((AGENT / "decisions").glob("[0-9]*.md")):
        for sentence in of_decision(path.read_text(), known):
            yield path.relative_to(ROOT), sentence
        if f"]({path.name})" not in index:
            yield path.relative_to(ROOT), "decisions/README.md does not list it"


def self_test():
    good = "# A\n\n**Rule:** r\n\n**Because:** b\nmore\n\n**Instead of:** i\n\n**Seen by:** `a`, `S.c`\n"
    assert not list(of_decision(good, {"a", "S.c"})), list(of_decision(good, {"a", "S.c"}))
    assert list(of_decision(good, {"a"})), "it is seen by nothing that exists"
    assert list(of_decision(good.replace("**Because:** b\nmore\n\n", ""), {"a", "S.c"})), "a part is missing"
    assert words_in("a\n## Words\n\n| word | means |\n| --- | --- |\n| a | b |\n| c, d | e |\n\n## Next\n| x | y |\n") == ["a", "c, d"]
    assert differ_by_a_letter("less", "loss") and differ_by_a_letter("file", "files") and not differ_by_a_letter("file", "fields")


def main():
    self_test()
    breaches = [breach for of in (of_lists, of_names, of_maps, of_words, of_decisions) for breach in of()]
    for file, sentence in breaches:
        print(f"{file}: {sentence}")
    judged = len(list(AGENT.rglob("*.md"))) + len(list(AGENT.rglob("*.[ch]pp")))
    bad = len({str(file) for file, _ in breaches})
    print(f"{judged - bad} passed, {bad} failed")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
