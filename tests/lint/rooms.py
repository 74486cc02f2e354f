#!/usr/bin/python3
"""Holds the maps of agent/ to the tree: each room has a README of at most 60 lines, agent/README.md has at most 120 and its
table of words at most 15; a room's table of files names each of them; each section and kind of the two lists is a folder or a file, which defines its object; the tables of
sections and the list of packages name each section; each decision is called as its title, has its four parts, and what it is seen
by exists.

No two sources of a room have names that differ by a letter. A room is a folder of agent/, tests/ or tests/unit/ with all
below it. Names of different rooms are not compared: an implementation in another room is called as its interface in `host`
(host/links.hpp, sys/links.cpp), and a test as what it tests. Of tests/, what is no source (cases, corpora, lists) is not compared.

rooms.py: prints `FILE: sentence` per breach, then `N passed, N failed` counted in files.
"""
import fnmatch
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


def slug(title):
    """A title as a file is called: "A host's spec" is a-hosts-spec."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower().replace("'", "")).strip("-")


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


def defines(path, word, name):
    """Whether this source has `const Section NAME_section` or `const Kind NAME_kind`."""
    return re.search(rf"^(?:constinit )?const {word} {name}_{word.lower()}\b", path.read_text(), re.M)


def of_object(word, name, paths):
    """The source called as a section or a kind has its object."""
    found = [path for path in paths if path.exists()]
    if not found:
        yield paths[0].relative_to(ROOT), f"a {word.lower()} of the list has this file, or a folder of its name with it"
    elif not any(defines(path, word, name) for path in found):
        yield found[0].relative_to(ROOT), f"const {word} {name}_{word.lower()} is not defined here, where its name says"


def of_lists():
    sections, kinds = lists()
    assert len(sections) > 8 and len(kinds) > 15, f"{len(sections)} sections and {len(kinds)} kinds were found"
    folders = {path.parent.name for path in (AGENT / "sections").glob("*/spec.hpp")}
    for name in sorted(folders - set(sections)):
        yield f"agent/sections/{name}", "this folder has a spec.hpp, and sections/list.hpp has no such section"
    for name in sections:
        if not (AGENT / "sections" / name / "spec.hpp").exists():
            yield f"agent/sections/{name}/spec.hpp", "a section of the list has this file"
        yield from of_object("Section", name, [AGENT / "sections" / name / f"{name}.cpp"])
    for name in kinds:
        yield from of_object("Kind", name, [AGENT / "resources" / file for file in (f"{name}.cpp", f"{name}/{name}.cpp")])


def packaged(text):
    """The sections whose packages platform/packages.cpp names: the first words of a Need's parts ("nfs.client")."""
    named = dict(re.findall(r'std::string_view (\w+) = "([^"]*)";', text))
    parts = [quoted or named.get(word, "") for quoted, word in re.findall(r'Need\{"[^"]*",\s*(?:"([^"]*)"|(\w+)),', text)]
    return {part.split(".")[0] for one in parts for part in one.split()}


def table_of_sections(text):
    """The first column of the README's table with the heading `section`."""
    found = re.search(r"^\| section \|.*\n\|[- |]*\n((?:\|.*\n)*)", text, re.M)
    return re.findall(r"^\| `(\w+)` \|", found[1], re.M) if found else []


def of_sections():
    """What is written by hand beside the list: two tables for readers, and the packages that a section needs."""
    sections = set(lists()[0])
    shown = set(table_of_sections((ROOT / "README.md").read_text()))
    for name in sorted(sections ^ shown):
        yield "README.md", f"the table of sections and sections/list.hpp disagree on {name}"
    line = re.search(r"^Sections: (?:.+\n)+", (AGENT / "README.md").read_text(), re.M)[0]
    for name in sorted(sections - set(re.findall(r"\w+", line))):
        yield "agent/README.md", f"the sentence `Sections:` does not name {name}"
    for name in sorted(set(re.findall(r"\[(\w+)\]\(sections/", line)) - sections):
        yield "agent/README.md", f"the sentence `Sections:` names {name}, which sections/list.hpp has not"
    have = packaged((AGENT / "platform/packages.cpp").read_text())
    for name in sorted(sections - have):
        readme = AGENT / "sections" / name / "README.md"
        if not readme.exists() or "Packages: none." not in readme.read_text():
            yield "agent/platform/packages.cpp", f"no package is for {name}: name what it needs, or say `Packages: none.` in its README.md"
    for name in sorted(have - sections - {"network"}):
        yield "agent/platform/packages.cpp", f"a package is for {name}, which sections/list.hpp has not"


def is_source(path):
    if path.suffix in (".cpp", ".hpp", ".py", ".sh", ".c"):
        return True
    return not path.suffix and path.read_bytes()[:2] == b"#!"


def rooms():
    """The folders whose names are compared, and the sources below each."""
    units = TESTS / "unit"
    for room in sorted(path for top in (AGENT, TESTS, units) for path in top.iterdir() if path.is_dir() and path != units):
        yield room, [path for path in room.rglob("*") if path.is_file() and "__pycache__" not in path.parts and is_source(path)]


def alike(paths):
    """The pairs of names that differ by a letter."""
    return [pair for pair in itertools.combinations(sorted({path.stem for path in paths}), 2) if differ_by_a_letter(*pair)]


def of_names():
    for room, paths in rooms():
        for one, other in alike(paths):
            yield room.relative_to(ROOT), f"{one} and {other} differ by a letter: who looks for one opens the other"


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


def files_in(text):
    """The names in a README's table with the heading `files`, and in its words above it; nothing where it has no such table."""
    above, heading, below = text.split("\n## ")[0].partition("\n| files |")
    rows = re.findall(r"^\| ([^|]+) \|", below, re.M)
    return [name.rstrip("/") for name in re.findall(r"`([^`]+?)(?:\.[ch]pp)?`", " ".join([above, *rows]))] if heading else []


def of_files():
    """A file that its room's table does not name is found by nobody who reads the map."""
    for readme in sorted(AGENT.glob("*/README.md")):
        named = files_in(readme.read_text())
        folders = {path.name for path in readme.parent.iterdir() if path.is_dir() and not (path / "spec.hpp").exists()}
        for name in sorted(folders | {path.stem for path in readme.parent.glob("*.[ch]pp")} if named else []):
            if not any(fnmatch.fnmatch(name, one) or name.startswith(one + "_") for one in named):
                yield readme.relative_to(ROOT), f"its table of files does not name {name}"


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
        title = path.read_text().splitlines()[0].removeprefix("# ")
        if path.stem[4:] != slug(title):
            yield path.relative_to(ROOT), f"its title makes it NNN-{slug(title)}.md"
        if f"- [{title}]({path.name})" not in index:
            yield path.relative_to(ROOT), "decisions/README.md does not list it by its title"


def self_test():
    good = "# A\n\n**Rule:** r\n\n**Because:** b\nmore\n\n**Instead of:** i\n\n**Seen by:** `a`, `S.c`\n"
    assert not list(of_decision(good, {"a", "S.c"})), list(of_decision(good, {"a", "S.c"}))
    assert list(of_decision(good, {"a"})), "it is seen by nothing that exists"
    assert list(of_decision(good.replace("**Because:** b\nmore\n\n", ""), {"a", "S.c"})), "a part is missing"
    assert words_in("a\n## Words\n\n| word | means |\n| --- | --- |\n| a | b |\n| c, d | e |\n\n## Next\n| x | y |\n") == ["a", "c, d"]
    assert files_in("a\n`b.cpp` c\n\n| files | hold |\n| --- | --- |\n| `d/`, `e*` | `f` |\n\n## Rules\n- `g`\n") == ["b", "d", "e*"]
    assert files_in("a\n`b.cpp` c\n") == []
    assert slug("boot.json is a host's twin") == "boot-json-is-a-hosts-twin"
    assert packaged('std::string_view k = "a b";\nNeed{"x", "c.d e", ""},\nNeed{"y", k, ""},\nNeed{"z",\n  "f=g", ""}') == {"a", "b", "c", "e", "f=g"}
    assert table_of_sections("| section | x |\n| --- | --- |\n| `a` | `b` |\n\n| back end |\n| --- |\n| `c` |\n") == ["a"]
    assert alike([pathlib.Path("a/file.cpp"), pathlib.Path("b/files.hpp"), pathlib.Path("c/file.hpp")]) == [("file", "files")]
    assert differ_by_a_letter("less", "loss") and differ_by_a_letter("file", "files") and not differ_by_a_letter("file", "fields")


def main():
    self_test()
    breaches = [breach for of in (of_lists, of_sections, of_names, of_maps, of_files, of_words, of_decisions) for breach in of()]
    for file, sentence in breaches:
        print(f"{file}: {sentence}")
    judged = len(list(AGENT.rglob("*.md"))) + len(list(AGENT.rglob("*.[ch]pp")))
    bad = len({str(file) for file, _ in breaches})
    print(f"{judged - bad} passed, {bad} failed")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
