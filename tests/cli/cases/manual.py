"""The manual pages: groff, man and mandoc have nothing to say of them, and all that there is stands in them; that of the command,
which is text, has the options that the program has."""
import re
import subprocess

from support.harness import TOP

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "CHECKS", "FILES", "JOURNAL", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"]
PAGES = {"8": "rdmastate.8", "5": "rdmastate.yaml.5"}


def source(box, section):
    if section == "5":
        return box.run("man", "5").expect(0).out
    version = box.run("--version").expect(0).out.split()[1]
    return (TOP / "agent/install/rdmastate.8.in").read_text().replace("@PROJECT_VERSION@", version)


def page(box, section):
    return box.write(PAGES[section], source(box, section))


def plain(roff):
    """The words of a piece of the source, in one line."""
    roff = re.sub(r"\\f[BIR]", "", roff).replace("\\-", "-").replace("\\(aq", "'").replace("\\(ga", "`")
    return re.sub(r"\s+", " ", roff).strip()


def written_options(box):
    """Of the page: the commands that have it, by each long option and what it says there."""
    written = {}
    text = source(box, "8")
    for item in text[text.index(".SH OPTIONS"):text.index(".SH EXIT")].split(".TP\n")[1:]:
        tag, rest = item.split("\n", 1)
        if ".IP\nOf " not in rest:  # of the program: --help, --version
            continue
        doc, commands = rest.split(".IP\nOf ")
        name = re.search(r"--[\w-]+", plain(tag))[0]
        for command in plain(commands).rstrip(".").split(", "):
            assert (command, name) not in written, (command, name)
            written[command, name] = plain(doc).rstrip(".")
    return written


def real_options(box):
    real = {}
    for line in box.run("complete", "").expect(0).out.splitlines():
        command = line.split("\t")[0]
        for option in ([] if command.startswith("-") else box.run("complete", command, "--").expect(0).out.splitlines()):
            name, _, doc = option.partition("\t")
            if not name.startswith(":") and name != "--help":
                real[command, name] = doc.rstrip(".")
    return real


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
        assert re.search(rf"^ +rdmastate {command}\b", text, re.M), command
        for names in re.findall(r"^  ((?:-\w,)?--[\w-]+)", box.run(command, "--help").out, re.M):
            name = names.split(",")[-1]
            assert re.search(rf"^ +(-\w, )?{name}\b", options, re.M), name


def test_the_table_of_options_is_the_programs(box):
    written, real = written_options(box), real_options(box)
    assert len(real) > 50, real
    assert written == real, [(one, written.get(one), real.get(one)) for one in sorted(written.keys() | real.keys())
                             if written.get(one) != real.get(one)]


def test_the_list_of_checks_is_the_programs(box):
    text = source(box, "8")
    items = text[text.index(".SH CHECKS"):text.index(".SH FILES")].split(".TP\n")[1:]
    written = [tuple(map(plain, item.split("\n", 1))) for item in items]
    report = box.run("doctor", "--host", box.host(), "-o", "junit").out
    real = []
    for name in re.findall(r'classname="rdmastate.doctor" name="([^"]+)"', report):
        head = box.run("doctor", name).expect(0).out.split("\n")[0].replace("at worst: ", "")
        real.append((name, head.removeprefix(f"{name}: ") + "."))
    assert len(real) > 40 and written == real, [pair for pair in zip(written, real) if pair[0] != pair[1]]


def test_every_exit_code_is_in_it(box):
    text = text_of(page(box, "8"))
    status = text[text.index("\nEXIT STATUS"):text.index("\nCHECKS")]
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
    raw = source(box, "8") + source(box, "5")
    assert not re.search(r"^'|^\.(?![A-Z]{2}|br$|nh$|hy$|ad( l)?$|\\\")", raw, re.M)


def test_it_is_hidden_and_knows_one_section(box):
    box.run("man", "8").expect(1)
    box.run("man").expect(1)
