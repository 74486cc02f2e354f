"""What is wrong in a spec, and how it is said: every wrong/NAME.yaml against wrong/NAME.txt."""
import re

from support import golden
from support.harness import TOP

WRONG = TOP / "tests/cli/wrong"
# Bytes that no editor and no diff likes to see in a tree.
MADE = {
    "nul": b"version: 1\nipoib:\n  - name: mlx4\x00ib0\n",
    "bad-utf8": b"version: 1\nid: h\xe9te\n",
    "utf16": "version: 1\n".encode("utf-16"),
    "escape-sequence": b"version: 1\nid: \"\x1b]0;evil\x07\"\n",
    "deep-flow": b"version: 1\nipoib: " + b"[" * 65 + b"]" * 65 + b"\n",
}


def has_caret(text):
    """Every line `  12 | text` is followed by one that points into it."""
    lines = text.splitlines()
    places = [i for i, line in enumerate(lines) if re.match(r" +\d+ \| ", line)]
    return places and all(re.match(r" +\| .*\^", lines[i + 1]) for i in places)


def is_judged(path, name, box):
    done = box.run("check", path.name, cwd=path.parent).expect(3)
    assert done.out == "", f"stdout of a refusal: {done.out}"
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.err), f"control characters reach the terminal: {done.err!r}"
    golden.compare(WRONG / f"{name}.txt", done.err)
    if name == "empty":
        return  # nothing to point at
    assert re.match(re.escape(path.name) + r":\d+:\d+: (error|warning): ", done.err), done.err
    if name not in MADE:
        assert has_caret(done.err), f"no caret under the line:\n{done.err}"


def more_tests():
    tests = {}
    for path in sorted(WRONG.glob("*.yaml")):
        tests[path.stem] = lambda box, path=path: is_judged(path, path.stem, box)
    for name, text in MADE.items():
        tests[name] = lambda box, name=name, text=text: is_judged(box.write(f"{name}.yaml", text), name, box)
    return tests


def test_every_text_has_its_spec(_box):
    specs = {p.stem for p in WRONG.glob("*.yaml")} | set(MADE)
    assert {p.stem for p in WRONG.glob("*.txt")} == specs


def test_100_megabytes_are_not_read(box):
    path = box.dir / "large.yaml"
    with open(path, "wb") as file:
        file.truncate(100 << 20)
    done = box.run("check", "large.yaml").expect(3)
    assert "1 MiB" in done.err and "104857600" in done.err, done.err
    peak, code = box.peak_kib("check", "large.yaml")
    assert code == 3 and peak < 50 << 10, f"peak {peak} KiB"


def test_standard_input_is_named(box):
    done = box.run("check", "-", stdin=b"version: 2\n").expect(3)
    assert done.err.startswith("standard input:1:10: error: version: version 2"), done.err


def test_what_is_no_file(box):
    assert "is a directory" in box.run("check", ".").expect(3).err
    assert "no such file" in box.run("check", "nowhere.yaml").expect(1).err.lower()


def test_several_files_are_all_judged(box):
    box.write("good.yaml", "version: 1\n")
    box.write("bad.yaml", "version: 2\n")
    box.write("worse.yaml", "versoin: 1\n")
    done = box.run("check", "good.yaml", "bad.yaml", "worse.yaml").expect(3)
    assert done.out == "good.yaml: good\n", done.out
    assert "bad.yaml:1:10" in done.err and "worse.yaml:1:1" in done.err, done.err


def test_a_mistake_in_every_record_is_told_at_once(box):
    text = "version: 1\nmodules: {load: [" + ", ".join(["../x"] * 300) + "]}\n"
    box.write("many.yaml", text)
    done = box.run("check", "many.yaml").expect(3)
    assert done.err.count("error: modules.load[") == 300
    assert "300 errors" in done.err


def test_warnings_do_not_refuse_unless_strict(box):
    box.write("warn.yaml", "version: 1\nnetwork: {backend: none}\nipoib:\n"
                           "  - {name: ib0, match: {port_guid: \"f452:1403:007b:cba1\"}}\n")
    done = box.run("check", "warn.yaml").expect(0)
    assert "warning: ipoib[0].name" in done.err and done.out == "warn.yaml: good\n"
    box.run("check", "warn.yaml", "--strict").expect(3)


def test_places_as_json(box):
    box.write("bad.yaml", "version: 1\nipoib:\n  - name: mlx4_ib0\n    mode: Connected\n")
    data = box.run("check", "bad.yaml", "-o", "json").expect(3).json
    assert data["errors"] == 1
    one = data["diagnostics"][0]
    assert one == {"severity": "error", "file": "bad.yaml", "line": 4, "column": 11, "path": "ipoib[0].mode",
                   "message": "expected datagram or connected, got 'Connected'", "expected": "", "hint": "did you mean connected?"}, one


def test_places_for_github(box):
    box.write("a%b,c.yaml", "version: 1\nipoib:\n  - name: mlx4_ib0\n    mode: Connected\n")
    done = box.run("check", "a%b,c.yaml", "-o", "github").expect(3)
    assert done.out == ("::error file=a%25b%2Cc.yaml,line=4,col=11::ipoib[0].mode: expected datagram or connected, got 'Connected'"
                        "%0Ahint: did you mean connected?\n"), done.out


def test_no_colour_without_a_terminal(box):
    box.write("bad.yaml", "version: 2\n")
    assert "\x1b" not in box.run("check", "bad.yaml").err
    assert "\x1b" in box.run("check", "bad.yaml", "--color", "always").err
    assert "\x1b" not in box.run("check", "bad.yaml", "--color", "never").err


def test_names_of_other_tools_are_one_mistake_with_the_name_that_a_spec_has(box):
    for text, hint in (("ipoib:\n  - {name: ib2, ipv4: {method: dhcp, addresses: [192.0.2.1/24], gateway: 192.0.2.254}}\n", "did you mean auto?"),
                       ("ipoib:\n  - {name: ib2, ipv4: {method: static, addresses: [192.0.2.1/24]}}\n", "did you mean manual?"),
                       ("ipoib:\n  - {name: ib2, mode: Connected}\n", "did you mean connected?"),
                       ("devices:\n  - {match: {node_guid: \"f452:1403:007b:cba0\"}, ports: {1: {roce: {default_mode: IB/RoCE v1}}}}\n", "did you mean v1?"),
                       ("permissions: {umad: {group: ibdiag, mode: 432}}\n", 'write "0660", which YAML 1.1 reads as 432'),
                       ("permissions: {umad: {group: ibdiag, mode: 0660}}\n", 'write "0660"'),
                       ("memlock: {group: rdma, soft: unlimited, hard: unlimited, services: [slurmd.servise]}\n", "write slurmd.service")):
        box.write("spec.yaml", "version: 1\n" + text)
        done = box.run("check", "spec.yaml").expect(3)
        assert hint in done.err and done.err.count(" error: ") == 1, done.err
