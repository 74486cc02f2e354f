"""The example outputs in README.md are what the program prints: each block marked `console` is run, in a copy of examples/.
Each block marked `yaml` is a spec without a mistake; the scenario nfs-two follows a whole chapter."""
import re
import shlex
import shutil
import textwrap

from support import golden
from support.harness import TOP

PAGE = TOP / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)

SPEC = re.compile(r"^ *```yaml\n(.*?)^ *```$", re.M | re.S)


def printed(box, block):
    """The block's commands, each with what it prints to standard output now."""
    lines = []
    for command in re.findall(r"^\$ (.*)$", block, re.M):
        words = [word.replace("/tmp/", f"{box.dir}/") for word in shlex.split(command)]
        assert words[0] == "rdmastate", command
        done = box.run(*words[1:], cwd=box.dir / "examples")
        assert done.code in (0, 2), f"{command} ended with {done.code}: {done.err}"
        lines.append(f"$ {command}\n{done.out.replace(str(box.dir), '/tmp')}")
    return "".join(lines)


def test_outputs_are_real(box):
    shutil.copytree(TOP / "examples", box.dir / "examples")
    text = PAGE.read_text()
    blocks = BLOCK.findall(text)
    assert len(blocks) >= 2, blocks
    for block in blocks:
        text = text.replace(block, printed(box, block))
    golden.compare(PAGE, text)


def test_specs_are_good(box):
    blocks = SPEC.findall(PAGE.read_text())
    assert len(blocks) >= 3, blocks
    for block in blocks:
        box.write("spec.yaml", textwrap.dedent(block))
        box.run("check", "spec.yaml", "--strict").expect(0)
