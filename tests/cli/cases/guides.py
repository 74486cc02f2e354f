"""The pages of examples/guides: each spec line in them is one that rdmastate applies, and each command is one that it has."""
import pathlib
import re
import shutil

import yaml

from support.harness import TOP

GUIDES = TOP / "examples/guides"
PAGES = sorted(path for path in GUIDES.glob("*.md") if path.name != "README.md")
HOST_OF = {"debian-wiki": "minimal.json", "ci": "ci.json"}  # of the other specs rhel-guide.json
HEADING = re.compile(r"^## .*\[[\w.-]+\]\(([\w./-]+\.yaml)\)$", re.M)
COMMAND = re.compile(r"^rdmastate ([a-z]+)((?: [^ ]+)*)$")


def spans(text):
    """What stands in the right column of the page's tables as code."""
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [span for row in rows for span in re.findall(r"`([^`]+)`", re.split(r"(?<!\\)\|", row)[2])]


def spec_lines(page):
    """(the spec that the heading above links to, the line) of a page."""
    text = page.read_text()
    headings = list(HEADING.finditer(text))
    ends = [found.start() for found in headings[1:]] + [len(text)]
    for found, end in zip(headings, ends):
        for span in spans(text[found.end():end]):
            if re.match(r"[a-z_]+: \S", span):
                yield (page.parent / found[1]).resolve(), span


def applied(box, spec, line, host):
    """The line is laid over the spec by `include`, applied to the host and found in sync, or waiting for the next boot."""
    place = spec.relative_to(TOP / "examples")
    # Beside the spec, since `include` names files from there.
    laid = place.parent / "laid.yaml"
    box.write(f"examples/{laid}", f"version: 1\ninclude: [{place.name}]\n{line}\n")
    box.run("check", f"examples/{laid}", "--strict").expect(0)
    box.run("apply", f"examples/{laid}", "--host", f"examples/hosts/{host}", "--record", "after.json", "--allow-fabric").expect(0)
    box.run("verify", f"examples/{laid}", "--host", "after.json", "--allow-pending").expect(0)


def one_page(page):
    def test(box):
        shutil.copytree(TOP / "examples", box.dir / "examples")
        lines = list(spec_lines(page))
        assert len(lines) >= 4, f"{page}: {lines}"
        for spec, line in lines:
            assert isinstance(yaml.safe_load(line), dict), line
            try:
                applied(box, spec, line, HOST_OF.get(spec.stem, "rhel-guide.json"))
            except AssertionError as error:
                raise AssertionError(f"{page.name}: {line}\n{error}") from None
    return test


def more_tests():
    return {f"test_{page.stem}": one_page(page) for page in PAGES}


def test_specs_are_in_sync_on_their_hosts(box):
    shutil.copytree(TOP / "examples", box.dir / "examples")
    for name in ("rhel-7", "rhel-8"):
        box.run("apply", f"examples/guides/{name}.yaml", "--host", "examples/hosts/rhel-guide.json", "--record", "after.json").expect(0)
        box.run("verify", f"examples/guides/{name}.yaml", "--host", "after.json", "--allow-pending").expect(0)


def test_commands_are_there(box):
    """Every `rdmastate COMMAND OPTIONS` of the pages is one that the program has."""
    seen = 0
    for page in [TOP / "README.md", GUIDES / "README.md", *PAGES]:
        text = page.read_text()
        blocks = "\n".join(re.findall(r"^ *```(?:sh|console)\n(.*?)^ *```", text, re.M | re.S))
        candidates = re.findall(r"`(rdmastate [^`\n]+)`", text) + re.findall(r"^ *(?:\$ |sudo )?(rdmastate [^#\n|]+)", blocks, re.M)
        for command in candidates:
            found = COMMAND.match(command.strip())
            if not found:
                continue
            usage = box.run(found[1], "--help").expect(0).out
            for option in re.findall(r"--?[a-z][\w-]*", " ".join(word for word in found[2].split() if word.startswith("-"))):
                assert re.search(rf"(?<![\w-]){re.escape(option)}\b", usage), f"{page.name}: {command}: there is no {option}"
            seen += 1
    assert seen > 20, seen


def test_links_lead_somewhere(box):
    pages = [path for path in TOP.glob("*.md")] + [path for folder in ("examples", "tests", "agent") for path in (TOP / folder).rglob("*.md")]
    assert len(pages) > 20
    for page in pages:
        for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text()):
            assert (page.parent / pathlib.Path(target)).exists(), f"{page.relative_to(TOP)}: {target} does not exist"
