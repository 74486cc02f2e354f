#!/usr/bin/python3
"""clang-format over every C++ file; to mend: clang-format -i FILE. The adapter of tests/vm keeps the kernel's style."""
import sys

import inputs
from sources import ROOT, output_of, report, sources
from support.kept import digest

STYLE = (ROOT / ".clang-format").read_text()


def judge(path):
    code, text = output_of("clang-format", "--dry-run", "-Werror", path)
    return f"{path.relative_to(ROOT)}: {text.count('error: code should be')} places to format" if code else ""


def depends_on(path):
    return digest("format", path.read_text(), STYLE, inputs.tools("clang-format"))


if __name__ == "__main__":
    sys.exit(report(judge, sources(".cpp", ".hpp"), depends_on))
