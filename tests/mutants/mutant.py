"""What a .mutant file says, and the wrong text that it makes of a source. How such a file is written: README.md."""
import dataclasses
import functools
import pathlib

import source

TOP = pathlib.Path(__file__).resolve().parents[2]
SUITES = ("test", "cli", "crash")
KEYS = ("why", "room", "function", *SUITES)
# Of a processor, for one alone, whose right program is then tried too: for who chooses what fits into a time.
SECONDS = {"crash": 110, "cli": 5, "test": 4, "test_property": 20}


class Trouble(Exception):
    pass


@functools.cache
def definitions(path):
    text = path.read_text()
    return text, source.definitions(text)


def sources(room, top=TOP):
    """Those that are compiled by themselves, of a room and the rooms in it."""
    return sorted((top / room).rglob("*.cpp"))


def bodies(room, name, top=TOP):
    """(source, its text, definition) of every function of that name: overloads, and those that only their files see."""
    return [(path, definitions(path)[0], one) for path in sources(room, top)
            for one in definitions(path)[1] if one.name == "".join(name.split())]


@dataclasses.dataclass(frozen=True)
class Wrong:
    """A source as it stands, and as the mutant wants it."""
    path: pathlib.Path
    right: str
    wrong: str


class Mutant:
    def __init__(self, name, text, top=TOP):
        self.name, self.top = name, top
        lines = [line for line in text.splitlines() if line.strip()]
        known = {}
        for line in lines:
            if line[0] not in "-+":
                key, _, value = line.partition(":")
                known[key.strip()] = value.strip()
        self.old, self.new = ("\n".join(line[1:].strip() for line in lines if line[0] == mark) for mark in "-+")
        suites = [suite for suite in SUITES if suite in known]
        if set(known) - set(KEYS) or len(known) != 4 or len(suites) != 1 or not self.old:
            raise Trouble(f"{name}.mutant needs why, room, function, one of {', '.join(SUITES)}, and a pattern, and no more")
        self.why, self.room, self.function, self.suite = known["why"], known["room"], known["function"], suites[0]
        self.target, self.filter = known["test"].split(maxsplit=1) if self.suite == "test" else ("rdmastate", known[self.suite])

    def seconds(self):
        return SECONDS.get(self.target, SECONDS[self.suite])

    def trouble(self, found, tried):
        text = f"{self.room}, {self.function}: the pattern is found {found} times, not once: {self.old}\n"
        return Trouble(text + "".join(f"{path.relative_to(self.top)}:\n{whole[one.start:one.end]}\n" for path, whole, one in tried))

    def made(self):
        tried = bodies(self.room, self.function, self.top)
        if not tried:
            raise Trouble(f"no source of {self.room} defines {self.function}")
        found = [(path, text, place) for path, text, one in tried
                 for place in source.places(text, self.old, one.start, one.end)]
        if len(found) != 1:
            raise self.trouble(len(found), tried)
        path, text, place = found[0]
        return Wrong(path, text, text[:place.start] + self.replacement(place) + text[place.end:])

    def replacement(self, place):
        first, *rest = self.new.split(source.ANY)
        if len(rest) > len(place.parts):
            raise Trouble(f"{self.name}.mutant puts more `{source.ANY}` in than its pattern has")
        return first + "".join(part + text for part, text in zip(place.parts, rest))


def all_mutants():
    return [Mutant(path.stem, path.read_text()) for path in sorted((TOP / "tests/mutants").glob("*.mutant"))]
