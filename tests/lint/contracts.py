#!/usr/bin/python3
"""Holds the sources to what a reader needs: a file's first line says its purpose, what a header declares has a contract (a
`///` comment: meaning, units, ownership, errors, source), and texts are plain technical English.

contracts.py: prints `FILE:LINE: sentence` per breach, then `N passed, N failed` counted in files.

A contract stands above a declaration or behind it on its line (`///<`). It also covers the declarations that follow it line by
line, without a blank line between: overloads, or a group. What needs none: forward declarations, a template's
specialisation, uses of macros, namespaces called `detail`, data members, member functions that override, and those whose
whole body stands in the class (an accessor says what it does). A struct with a field table, and its kind, have theirs
there (`Fields<...>::doc`).
"""
import fnmatch
import functools
import itertools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n\\]|\\\n|\\.)*'
                   r"|\n|[A-Za-z_]\w*|\d[\w.]*|[^\s\w]", re.M)
CLASS = re.compile(r"^(?:template <(?: .*?)? > (?:requires .*? )?)?(class|struct|union) (?:\[ \[ .*? \] \] )?(\w+)")

# A word or phrase, why a reader stumbles over it, and what to write. In texts that people read: messages, comments, pages.
PLAIN = [
    (r"\bas it should be\b", "say what is expected"),
    (r"\b(?:until|unless) it is so\b", "say what is awaited"),
    (r"\bwhom it disturbs\b", "`which users it disturbs`"),
    (r"\b(?:of ours|of theirs)\b", "`of rdmastate`, `foreign`"),
    (r"\bsomebody else's\b", "`foreign`, `another program's`"),
    (r"\bwhat is masked\b", "`a symlink to /dev/null`"),
    (r"\bmake what copies\b", "`rebuild the initrd`"),
    (r"\b(?:it|they) (?:shall|is to) be there\b", "`must exist`"),
    (r"\bcannot be so\b", "`this host cannot have it`, `is blocked`"),
    (r"\b(?:makes?|made|making) (?:it|them|the \w+) so\b(?! that)", "say who does what: `NetworkManager configures it from FILE`"),
    (r"\b(?:is|are) not so yet\b", "`is pending`, `does not match yet`"),
    (r"\b(?:and|within) so (?:is|are) (?:one|those) that\b", "repeat the verb"),
]
# What is looked at: a pattern of fnmatch(3) over the whole path, in which a star crosses folders.
TEXTS = ["README.md", "examples/*.md", "agent/*.md", "tests/*.md", "agent/*.[ch]pp", "*.in", "ansible/*.md", "ansible/*.yml", "ansible/*.py",
         "templates/*", "examples/*.yaml", "tests/golden/*.txtar", "tests/vm/fake_hca/*.[ch]"]
SOURCES = ["agent/*.[ch]pp", "tests/*.[ch]pp", "*.py", "*.sh", "*CMakeLists.txt", "*.cmake", "*.in", "ansible/*.yml",
           "templates/completion.*", "tests/vm/fake_hca/*.[ch]"]  # and each script without a suffix, by its #!
HEADERS = ["agent/*.hpp"]
# What may stand before the line with the purpose, since a program wants it first; and how that line begins.
LEAD = re.compile(r"(?://|#|/\*) SPDX|#!|# shellcheck|---$|#compdef ")
PURPOSE = re.compile(r'(?://|#(?!include|pragma|define|if)|"""|/\*(?:\n \*)?|\.\\"|%\{!|\\") ?\S')


class Declaration:
    """What stands between two semicolons or braces of a namespace or a class."""

    def __init__(self, line, scope, covered):
        self.line, self.scope, self.public, self.words, self.covered, self.inline = line, scope, scope.public, [], covered, False

    def kind(self):
        """class, function, type or value; None for what needs no contract by its form."""
        text = " ".join(self.words)
        if re.match(r"(friend|using namespace|static_assert|template class|extern template|extern const Kind)\b|template < >|[A-Z_]+ \(", text):
            return None
        found = CLASS.match(text)
        if found and "(" not in re.sub(r"\[ \[ .*? \] \]|alignas \( .*? \)", "", text):
            specialised = re.search(rf"{found[1]} (?:\[ \[ .*? \] \] )?(?:\w+ : : )*\w+ <", text)
            return None if text.endswith(";") or specialised else "class"
        if re.match(r"enum\b", text):
            return None if text.endswith(";") and "{" not in text and self.inline is False else "type"
        if re.search(r"\( \*|: : ~?\w+ \(", text.split("=")[0]) and "=" not in self.words[:self.words.index("(")]:
            return None  # a pointer to a function; a member that is defined outside of its class
        if "(" in self.words and "=" not in self.words[:self.words.index("(")] or "operator" in self.words:
            return "function"
        return "type" if re.match(r"(template <.*> )?(using|typedef|concept)\b", text) else "value"

    def name(self):
        """What it is called, for the sentence."""
        found = CLASS.match(" ".join(self.words)) or re.match(r"enum (class) (\w+)", " ".join(self.words))
        if found:
            return found[2]
        names = [word for word, after in zip(self.words, self.words[1:] + [""]) if after in ("(", "=", ";", "{") and re.match(r"[A-Za-z_]", word)]
        return names[0] if names else self.words[0]


class Scope:
    def __init__(self, kind, name="", public=True, exempt=False):
        self.kind, self.name, self.public, self.exempt = kind, name, public, exempt


class Reader:
    """Reads a header's text into its declarations at namespace and class scope."""

    def __init__(self, text):
        self.found, self.scopes = [], [Scope("namespace")]
        self.line, self.newlines, self.group = 1, 0, False
        self.now, self.depth, self.body = None, 0, 0
        self.last = None
        for match in TOKEN.finditer(text):
            self.take(match.group())

    def take(self, token):
        if token == "\n":
            self.line, self.newlines = self.line + 1, self.newlines + 1
            self.group = self.group and self.newlines < 2
            return
        self.newlines = 0
        if token.startswith("//"):
            self.comment(token)
        elif not token.startswith("/*") and not token.lstrip().startswith("#"):
            self.code(token)
        self.line += token.count("\n")

    def comment(self, token):
        if token.startswith("///<"):
            covered = self.now if self.now else self.last if self.last and self.last.end == self.line else None
            if covered and not self.body:
                covered.covered = True
        elif token.startswith("///") and not self.now:
            self.group = True

    def code(self, token):
        if self.body:
            self.body += (token == "{") - (token == "}")
            if not self.body and self.now and self.now.kind() in ("function", "type") and "=" not in self.now.words:
                self.end()
            return
        if self.now is None:
            if token == "}":
                self.scopes.pop()
                self.group = False
                return
            if token == ";":
                return
            self.now = Declaration(self.line, self.scopes[-1], self.group)
        self.now.words.append(token)
        self.depth += (token in "([") - (token in ")]") if len(token) == 1 else 0
        if self.depth:
            return
        if token == ":" and self.now.words[0] in ("public", "private", "protected"):
            self.scopes[-1].public, self.now = self.now.words[0] == "public", None
        elif token == ";":
            self.end()
        elif token == "{":
            self.open()

    def open(self):
        words = [word for word in self.now.words if word != "inline"]
        if words[0] == "namespace" or words[:2] == ["extern", '"C"']:
            name = "".join(words[1:-1])
            self.scopes.append(Scope("namespace", name, exempt=self.scopes[-1].exempt or "detail" in name))
            self.now = None
        elif CLASS.match(" ".join(words)) and "(" not in words and "=" not in words:
            found = CLASS.match(" ".join(words))
            exempt = self.scopes[-1].exempt or self.now.kind() is None
            scope = Scope("class", found[2], found[1] != "class", exempt)
            self.end()
            self.scopes.append(scope)
            self.group = False
        else:
            self.now.inline, self.body = True, 1

    def end(self):
        self.now.end = self.line
        self.found.append(self.now)
        self.last, self.now, self.depth = self.now, None, 0


def needs_contract(one):
    """Whether this declaration has to have a contract of its own."""
    if one.scope.exempt:
        return False
    if one.scope.kind == "namespace":
        return one.kind() is not None
    special = {"override", "default", "delete", "final", "operator", "~"} & set(one.words) or one.name() == one.scope.name
    return one.public and one.kind() == "function" and not one.inline and not special


def uncovered(text):
    """(line, name) of each declaration of a header that has no contract."""
    for one in Reader(text).found:
        if needs_contract(one) and not one.covered and one.name() not in tables():
            yield one.line, one.name()


@functools.cache
def tables():
    """The structs that have a field table, of any header."""
    return {name for path in tracked(HEADERS) for name in re.findall(r"^struct Fields<(\w+)>", path.read_text(), re.M)}


def first_line(path, text):
    """The sentence about a file that does not begin with its purpose; None for one that does."""
    lines = text.splitlines()
    if path.name == "__init__.py" or not lines:
        return None
    rest = list(itertools.dropwhile(LEAD.match, lines))
    if path.suffix == ".cpp" and path.with_suffix(".hpp").exists():
        return None  # its header tells
    if rest and PURPOSE.match("\n".join(rest[:2])):
        return None
    return "the first line does not say what this file is for"


def stumbles(text):
    """(line, what, instead) for each phrase that is not plain."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, instead in PLAIN:
            found = re.search(pattern, line, re.I)
            if found:
                yield number, f'"{found[0]}" is not plain: {instead}'


@functools.cache
def files():
    """The paths of the clone's files, without what git ignores."""
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True)
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def tracked(patterns):
    return [ROOT / name for name in sorted(files()) if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]


def sources():
    """What has to begin with its purpose. A rendered template does not: it begins with the mark that the host's file has."""
    scripts = [path for path in tracked(["*"]) if not path.suffix and path.read_bytes()[:2] == b"#!"]
    return sorted({*tracked(SOURCES), *scripts})


def breaches():
    for path in sources():
        sentence = first_line(path, path.read_text())
        if sentence:
            yield path, 1, sentence
    for path in tracked(HEADERS):
        for line, name in uncovered(path.read_text()):
            yield path, line, f"{name} has no contract: say in a /// what it means, in which unit, who owns it and how it fails"
    for path in tracked(TEXTS):
        for line, sentence in stumbles(path.read_text()):
            yield path, line, sentence


def self_test():
    header = ("namespace a {\n/// Good.\nint f(int x);\nint g();\n\nint h();\nclass Fwd;\n/// C.\nclass C {\n public:\n  C();\n  int size() const { return 1; }\n"
              "  int m();\n  int n();  ///< fails never\n private:\n  int p();\n};\nenum class E { a };\nstruct S { int x; };\ntemplate <>\nstruct T<int> { int f(); };\n"
              "inline constexpr int v = 3;\nnamespace detail {\nint d();\n}\n}\n")
    assert [name for _, name in uncovered(header)] == ["h", "m", "E", "S", "v"], list(uncovered(header))
    assert [line for line, _ in uncovered(header)] == [6, 13, 18, 19, 22], list(uncovered(header))
    assert first_line(pathlib.Path("x.hpp"), "// SPDX\n#pragma once\n") and not first_line(pathlib.Path("x.hpp"), "// SPDX\n// A.\n")
    good = ["#!/bin/sh\n# SPDX\n# A.\n", "---\n# A.\n", "// SPDX\n/* A. */\n", "// SPDX\n/*\n * A.\n */\n", '# SPDX\n"""A."""\n']
    assert not any(first_line(pathlib.Path("x"), text) for text in good)
    bad = ["#!/bin/sh\nset -e\n", "---\na: 1\n", "// SPDX\n#include <a.h>\n", "# SPDX\n\nimport a\n"]
    assert all(first_line(pathlib.Path("x"), text) for text in bad)
    assert [line for line, _ in stumbles("blocked: cannot be so\nnetplan makes it so\nso that it is\nmade the host so\n")] == [1, 2, 4]
    assert [line for line, _ in stumbles("fine\nall is as it should be\n")] == [2]


def main():
    self_test()
    found = list(breaches())
    for path, line, sentence in found:
        print(f"{path.relative_to(ROOT)}:{line}: {sentence}")
    judged = len({*sources(), *tracked(TEXTS)})
    assert judged > 500, f"only {judged} files were found"
    bad = len({path for path, _, _ in found})
    print(f"{judged - bad} passed, {bad} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
