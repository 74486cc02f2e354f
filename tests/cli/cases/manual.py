"""The manual pages: groff, man and mandoc have nothing to say of them, and all that there is stands in them."""
import re
import subprocess

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "CHECKS", "FILES", "JOURNAL", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"]
PAGES = {"8": "rdmastate.8", "5": "rdmastate.yaml.5"}


def page(box, section):
    return box.write(PAGES[section], box.run("man", section).expect(0).out)


def text_of(path):
    done = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=200", path], capture_output=True, text=True, check=True)
    return re.sub(".\b", "", done.stdout)


def headings(path):
    return [line.rstrip() for line in text_of(path).splitlines()[1:-1] if re.match("[A-Z]", line)]


def explained(box, path=""):
    """Every path that explain knows, by walking what it lists."""
    text = box.run("explain", *([path] if path else [])).expect(0).out
    if "fields:\n" not in text:
        return
    for line in text.split("fields:\n")[1].splitlines():
        name = line.split()[0]
        below = f"{path}.{name}" if path else name
        yield below
        yield from explained(box, below)


def test_no_formatter_complains(box):
    for section in PAGES:
        path = page(box, section)
        for command in (["groff", "-man", "-ww", "-b", "-z", path],
                        ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path]):
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            assert done.stderr == "", f"{command[0]}: {done.stderr}"
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "style", path], capture_output=True, text=True)
        # The same bytes from the same source: a page of a release has no date of its own.
        complaints = [line for line in (done.stdout + done.stderr).splitlines() if "missing date" not in line]
        assert not complaints, complaints


def test_sections(box):
    assert headings(page(box, "8")) == SECTIONS
    assert headings(page(box, "5")) == ["NAME", "SYNOPSIS", "DESCRIPTION", "FIELDS", "EXAMPLES", "SEE ALSO"]
    assert re.search(r"NAME\n +rdmastate [-–—] make a host", text_of(page(box, "8")))


def test_every_option_and_command_is_in_it(box):
    text = text_of(page(box, "8"))
    options = text[text.index("\nOPTIONS"):text.index("\nEXIT STATUS")]
    commands = re.findall(r"^  (\w+) +\S", box.run("--help").out.split("Subcommands:")[1].split("Exit codes")[0], re.M)
    assert len(commands) >= 10, commands
    for command in commands:
        assert re.search(rf"^ +{command}\b", text[text.index("\nCOMMANDS"):text.index("\nOPTIONS")], re.M), command
        usage = re.search(rf"^ +rdmastate {command}\b(?:.|\n(?! +rdmastate))*", text, re.M)[0]
        for names in re.findall(r"^  ((?:-\w,)?--[\w-]+)", box.run(command, "--help").out, re.M):
            name = names.split(",")[-1]
            assert re.search(rf"^ +(-\w, )?{name}\b", options, re.M), name
            assert name == "--help" or f"[{name}" in usage, (command, name, usage)


def test_every_exit_code_is_in_it(box):
    text = text_of(page(box, "8"))
    status = text[text.index("\nEXIT STATUS"):text.index("\nFILES")]
    assert re.findall(r"^ +(\d) +\S", status, re.M) == list("01234567"), status


def test_every_field_is_in_it(box):
    text = text_of(page(box, "5"))
    paths = list(explained(box))
    assert len(paths) > 50, paths
    for path in paths:
        place = re.search(rf"^ +{re.escape(path)}(\s|$)", text, re.M)
        assert place, path
        told = box.run("explain", path).expect(0).out
        shown = re.sub(r"\s+", " ", text[place.start():])
        doc = re.sub(r"\s+", " ", told.split("\n")[0].removeprefix(f"{path}: "))
        assert shown.strip().startswith(f"{path} {doc}"), (path, doc, shown[:200])
        for label, before in (("takes", "Takes "), ("on create", "gets "), ("example", "Example: ")):
            value = re.search(rf"^    {label} +(.*)$", told, re.M)
            assert not value or before + re.sub(r"\s+", " ", value[1]) in shown[:2000], (path, label, shown[:600])


def test_the_example_is_a_good_spec(box):
    lines = text_of(page(box, "5")).split("\nEXAMPLES\n")[1].split("\nSEE ALSO")[0].splitlines()
    start = next(i for i, line in enumerate(lines) if "version: 1" in line)
    indent = len(lines[start]) - len(lines[start].lstrip())
    box.write("example.yaml", "\n".join(line[indent:] for line in lines[start:]) + "\n")
    box.run("check", "example.yaml", "--strict").expect(0)


def test_hostile_text_stays_text(box):
    """What roff would take for requests and escapes: hyphens of options, quotes, backslashes."""
    text = text_of(page(box, "8"))
    assert "--detailed-exitcode" in text and "sed 's/ *#.*//'" in text and "host's" in text, text
    raw = box.run("man", "8").out + box.run("man", "5").out
    assert not re.search(r"^'|^\.(?![A-Z]{2}|br$|nh$|hy$|ad( l)?$|\\\")", raw, re.M)


def test_it_is_hidden_and_knows_two_sections(box):
    box.run("man", "7").expect(1)
    box.run("man").expect(1)
