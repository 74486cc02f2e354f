"""What of a failed stage's log says why it failed: whoever sees only the first lines of a run must be able to act on them."""
import re

TROUBLE = re.compile(r"^(FAIL|not ok)\b|^\d+/\d+ Test.*\*\*\*|\berror: |\bError\b|^FAILED:|\[ *FAILED *\]")
INDENTED = re.compile(r"^\s+\S")
BLOCK, MOST, TAIL = 20, 90, 25


def blocks(lines):
    """Each line that looks like trouble with the last of the indented lines that follow it."""
    at = 0
    while at < len(lines):
        first, at = at, at + 1
        if not TROUBLE.search(lines[first]):
            continue
        while at < len(lines) and INDENTED.match(lines[at]):
            at += 1
        body = lines[first + 1 : at]
        yield [lines[first], *(["    ..."] if len(body) > BLOCK else []), *body[-BLOCK:]]


def excerpt(lines):
    """The troubles if any are seen, the end of the log if none is."""
    found = [line for block in blocks(lines) for line in block]
    if not found:
        return lines[-TAIL:]
    return found[:MOST] + ([f"... and {len(found) - MOST} lines more"] if len(found) > MOST else []) + lines[-1:]


def troubles(lines):
    """The lines that look like trouble, each once and without what follows them; the last line if there is none."""
    return list(dict.fromkeys(line.strip() for line in lines if TROUBLE.search(line))) or lines[-1:]
