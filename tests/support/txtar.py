"""Several texts in one file, as Go's txtar has them: lines about it, then `-- NAME --` and a text, as often as there are texts.

A name may hold anything but a newline. A text that ends without a newline is followed by the line that diff(1) has for that.
"""
import re

HEADER = re.compile(r"^-- (\S|\S.*\S) --$")
NO_NEWLINE = "\\ No newline at end of file\n"


def lines_of(text):
    """Its lines with their newlines; other characters that Python counts as line ends are none."""
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def parse(text):
    """What stands above the first text, and the texts by their names, in order. A name twice is a ValueError."""
    above, texts, name = "", {}, None
    for line in lines_of(text):
        header = HEADER.match(line.rstrip("\n"))
        if header:
            name = header.group(1)
            if name in texts:
                raise ValueError(f"{name} is there twice")
            texts[name] = ""
        elif name is None:
            above += line
        else:
            texts[name] += line
    return above, {name: without_mark(one) for name, one in texts.items()}


def without_mark(text):
    return text.removesuffix(NO_NEWLINE).removesuffix("\n") if text.endswith("\n" + NO_NEWLINE) else text


def dump(texts):
    """The part of a file that holds `texts`. What parse() would not give back is a ValueError."""
    made = ""
    for name, text in texts.items():
        made += f"-- {name} --\n{text}" + ("" if text.endswith("\n") or not text else "\n" + NO_NEWLINE)
    if parse(made) != ("", dict(texts)):
        raise ValueError(f"a text or a name cannot be written: {list(texts)}")
    return made
