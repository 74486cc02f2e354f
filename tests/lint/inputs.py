"""What a check of one file depends on, as a hash: its text, what it includes of ours, how it is compiled, the tools."""
import functools
import pathlib
import re

from sources import ROOT, output_of
from support import compiled
from support.kept import digest

# What a compiler adds to the code that it makes, and no warning depends on.
CODE_ALONE = ("-fsanitize", "-fno-sanitize", "-fprofile", "-fcoverage", "-fno-omit-frame-pointer", "-g", "-Xclang")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
# A comment that no check reads: a line of its own, or the end of one and without what could make it the inside of a string; and
# without a word to a check (NOLINT, "fall through"), a letter that may change the direction (-Wbidi-chars), or a mark that the line
# goes on (-Wcomment).
COMMENT = re.compile(r"""^\s*//(?![^\n]*(?:NOLINT|(?i:fall)|[^\x00-\x7f]|\\))[^\n]*$|//(?![^\n]*(?:NOLINT|(?i:fall)|[^\x00-\x7f]|["'\\]))[^\n]*$""", re.M)
# Which files of the system a C++ file can see, and by whom it is read.
PACKAGES = ("lib*-dev", "clang*", "g++*", "gcc*", "llvm*", "googletest*", "nlohmann*", "cli11*")


def commands(preset):
    """By source, the words by which a build compiles it, by itself or in a unit."""
    return {str(source): words for path, words in compiled.commands(ROOT / "build" / preset).items()
            for source in compiled.sources(path, ROOT)}


def folders(words):
    """Where a compile command looks for our headers."""
    return [pathlib.Path(word[2:]) for word in words if word.startswith("-I")]


def precompiled(words):
    """The headers, as CMake writes them together, that a compile command has precompiled."""
    names = {word.removesuffix(".pch") for word in words if "/cmake_pch.hxx" in word}
    return sorted(path for path in map(pathlib.Path, names) if path.is_file())


def closure(path, where, seen=None):
    """The file and our headers that it includes, directly or not; nothing where one of them is not found."""
    seen = {} if seen is None else seen
    if path in seen:
        return seen
    seen[path] = True
    for name in INCLUDE.findall(path.read_text()):
        found = next((folder / name for folder in (path.parent, *where) if (folder / name).is_file()), None)
        if found is None or closure(found, where, seen) is None:
            return None
    return seen


@functools.cache
def tools(*programs):
    """The versions of these programs, and of every package with headers."""
    versions = [output_of(program, "--version")[1] for program in programs]
    return digest(*versions, output_of("dpkg-query", "-W", *PACKAGES)[1])


def without_place(text):
    """The same for all clones."""
    return text.replace(str(ROOT), "")


@functools.cache
def read_by_checks(text):
    """The text without comments and blank lines: so a file whose comments alone are reworded is not judged again."""
    return "\n".join(line.rstrip() for line in COMMENT.sub("", text).splitlines() if line.strip())


def of(path, words, *more):
    """The hash of a check that reads what this compile command does; nothing where it cannot be told what is included.
    `more`: what else the check depends on."""
    files = {}
    for one in (path, *precompiled(words)):
        if closure(one, folders(words), files) is None:
            return None
    words = [word for word in words if not word.startswith(CODE_ALONE)]
    texts = [f"{without_place(str(one))}\0{without_place(read_by_checks(one.read_text()))}" for one in sorted(files)]
    return digest(str(path.relative_to(ROOT)), *texts, *map(without_place, words), *more)
