"""Specs of several files: what wins, where a mistake is shown, and which files are not read."""
import json
import os

from cases.specs import GUIDE, PORT

BASE = GUIDE
HOST = """version: 1
include: [base.yaml]
ipoib:
  - {name: mlx4_ib0, mode: datagram, mtu: 2044, ipv4: {addresses: [192.0.2.7/24]}}
  - {parent: mlx4_ib0, pkey: 0x8002, ipv4: {routes: []}}
"""
WHOLE = f"""version: 1
network: {{backend: none}}
modules: {{load: [ib_ipoib, ib_umad]}}
ipoib:
  - {{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}, mode: datagram, mtu: 2044, ipv4: {{method: manual, addresses: [192.0.2.7/24]}}}}
  - parent: mlx4_ib0
    pkey: 0x8002
    ipv4: {{method: manual, addresses: [198.51.100.1/24]}}
    ipv6: {{method: manual, addresses: ["2001:db8:1::1/64"]}}
"""


def test_an_included_spec_plans_as_one_written_whole(box):
    box.write("base.yaml", BASE)
    box.write("host.yaml", HOST)
    box.write("whole.yaml", WHOLE)
    host = box.host()
    plans = [box.run("plan", name, "--host", host).expect(0).out for name in ("host.yaml", "whole.yaml")]
    assert plans[0] == plans[1] and "192.0.2.7/24" in plans[0] and "203.0.113.0/24" not in plans[0], plans[0]
    assert box.run("check", "host.yaml", "base.yaml", "--strict").expect(0).out == "host.yaml: good\nbase.yaml: good\n"


def test_files_below_and_in_turn(box):
    box.write("common/site.yaml", "version: 1\ninclude: [./parts//port.yaml]\nmodules: {load: [ib_ipoib]}\n")
    box.write("common/parts/port.yaml", f'version: 1\nid: x\nipoib: [{{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}}}]\n')
    box.write("later.yaml", "version: 1\nid: y\nmodules: {load: [ib_umad]}\n")
    box.write("host.yaml", "version: 1\ninclude: [common/site.yaml, later.yaml]\nipoib: [{name: mlx4_ib0, mtu: 1}]\n")
    done = box.run("check", "host.yaml").expect(3)
    assert done.err.startswith("host.yaml:3:31: error: ipoib[0].mtu: MTU 1 is outside"), done.err
    box.write("host.yaml", "version: 1\ninclude: [common/site.yaml, later.yaml]\n")
    done = box.run("apply", "host.yaml", "--host", box.host(), "--record", "after.json")
    files = json.loads((box.dir / "after.json").read_text())["files"]
    assert json.loads(files["/etc/rdmastate/ledger.json"]["content"])["id"] == "y", "a later include wins"
    loaded = files["/etc/modules-load.d/rdmastate.conf"]["content"].splitlines()
    assert "ib_umad" in loaded and "ib_ipoib" not in loaded, done.err


def test_a_mistake_is_shown_in_the_file_that_has_it(box):
    box.write("sub/base.yaml", "version: 1\nipoib:\n  - name: mlx4_ib0\n    mode: Connected\n    mtu: 70000\n")
    box.write("host.yaml", "version: 1\ninclude: [sub/base.yaml]\nipoib:\n  - {name: mlx4_ib0, mtu: 2044, colour: red}\n")
    done = box.run("check", "host.yaml").expect(3)
    assert "sub/base.yaml:4:11: error: ipoib[0].mode" in done.err and "    4 |     mode: Connected\n" in done.err, done.err
    assert "host.yaml:4:33: error: ipoib[0]: unknown key 'colour'" in done.err and "70000" not in done.err, done.err
    data = box.run("check", "host.yaml", "-o", "json").expect(3).json
    assert [(d["file"], d["line"], d["column"]) for d in data["diagnostics"]] == [("host.yaml", 4, 33), ("sub/base.yaml", 4, 11)]
    lines = box.run("check", "host.yaml", "-o", "github").expect(3).out.splitlines()
    assert lines[0].startswith("::error file=host.yaml,line=4,col=33::") and lines[1].startswith("::error file=sub/base.yaml,line=4,col=11::")


def test_rules_are_judged_of_the_whole(box):
    box.write("base.yaml", "version: 1\nnetwork: {backend: none}\nipoib:\n"
              f'  - {{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}, mtu: 65520}}\n')
    box.write("host.yaml", "version: 1\ninclude: [base.yaml]\nipoib:\n  - {name: mlx4_ib0, mode: datagram}\n")
    done = box.run("plan", "host.yaml", "--host", box.host()).expect(3)
    assert "base.yaml:4:70: error: ipoib[0].mtu: MTU 65520 needs mode connected" in done.err, done.err


def test_a_mistake_that_only_the_host_shows_is_placed_too(box):
    box.write("base.yaml", "version: 1\nnetwork: {backend: none}\nipoib:\n  - name: mlx4_ib0\n    match: {device: mlx4_9, port: 1}\n")
    box.write("host.yaml", "version: 1\ninclude: [base.yaml]\nipoib:\n  - {name: mlx4_ib0, mode: datagram}\n")
    done = box.run("plan", "host.yaml", "--host", box.host()).expect(3)
    assert "base.yaml:5:12: error: ipoib[0].match: there is no mlx4_9 port 1 here" in done.err, done.err


def refused(box, sentence, spec="version: 1\ninclude: [base.yaml]\n"):
    box.write("host.yaml", spec)
    done = box.run("check", "host.yaml").expect(3)
    assert sentence in done.err, done.err
    return done.err


def test_a_circle_is_named(box):
    box.write("base.yaml", "version: 1\ninclude: [sub/other.yaml, base.yaml]\n")
    box.write("sub/other.yaml", "version: 1\n")
    text = refused(box, "base.yaml:2:27: error: include[1]: the files include each other in a circle: host.yaml, base.yaml, base.yaml")
    assert "    2 | include: [sub/other.yaml, base.yaml]\n" in text
    box.write("host.yaml", "version: 1\ninclude: [host.yaml]\n")
    assert "in a circle: host.yaml, host.yaml" in box.run("check", "host.yaml").expect(3).err


def test_a_file_twice_is_refused(box):
    box.write("base.yaml", "version: 1\n")
    box.write("site.yaml", "version: 1\ninclude: [base.yaml]\n")
    refused(box, "include[1]: base.yaml is included already", "version: 1\ninclude: [site.yaml, base.yaml]\n")


def test_paths_that_are_none(box):
    for path, word in (("/etc/base.yaml", "is an absolute path"), ("sub/", "expected a file"), ("''", "expected a file")):
        assert "host.yaml:2:11: error: include[0]: " in refused(box, word, f"version: 1\ninclude: [{path}]\n")


def test_a_file_above_is_as_trusted_as_its_way(box):
    """By its path or by a link; who only checks a spec sees no private file."""
    box.write("sites/a/host.yaml", "version: 1\ninclude: [../../common/base.yaml]\n")
    box.write("sites/b/host.yaml", "version: 1\ninclude: [base.yaml]\n")
    base = box.write("common/base.yaml", BASE)
    (box.dir / "sites/b/base.yaml").symlink_to(base)
    for site in ("a", "b"):
        spec = f"sites/{site}/host.yaml"
        for words in (("check", spec), ("plan", spec, "--host", box.host())):
            box.run(*words).expect(0)
            for path, mode in ((base, 0o666), (base.parent, 0o777), (base.parent, 0o1777)):
                before = path.stat().st_mode
                path.chmod(mode)
                done = box.run(*words)
                path.chmod(before)
                assert done.code == (0 if mode == 0o1777 else 3), (words, oct(mode), done.err)
        base.chmod(0o600)
        done = box.run("check", spec).expect(3)
        assert f"{spec}:2:11: error: include[0]: " in done.err and "not everybody may read it" in done.err, done.err
        box.run("plan", spec, "--host", box.host()).expect(0)
        base.chmod(0o644)


def test_files_that_are_not_there_or_no_specs(box):
    refused(box, "host.yaml:2:11: error: include[0]: reading base.yaml: No such file")
    box.write("base.yaml", "version: 1\n  x: [\n")
    refused(box, "base.yaml:2:")
    box.write("base.yaml", "- version: 1\n")
    refused(box, "base.yaml:1:1: error: expected a map, got a list")
    for nothing in ("", "# nothing\n"):
        box.write("base.yaml", nothing)
        refused(box, "base.yaml: error: holds nothing")
    box.write("base.yaml", "id: x\n")
    refused(box, "base.yaml:1:1: error: version: 'version' is missing")
    box.write("base.yaml", "version: 2\n")
    refused(box, "base.yaml:1:10: error: version: version 2 of this format is not known")
    refused(box, "host.yaml:2:10: error: include: expected a list, got a single value", "version: 1\ninclude: base.yaml\n")


def test_every_broken_file_is_told_at_once(box):
    box.write("one.yaml", "version: 1\nx: [\n")
    box.write("two.yaml", "version: 1\ny: {\n")
    text = refused(box, "one.yaml:", "version: 1\ninclude: [one.yaml, two.yaml, none.yaml]\n")
    assert "two.yaml:" in text and "none.yaml: No such file" in text, text


def test_depth_and_size_have_limits(box):
    for i in range(9):
        box.write(f"f{i}.yaml", f"version: 1\ninclude: [f{i + 1}.yaml]\n")
    box.write("f9.yaml", "version: 1\n")
    box.run("check", "f1.yaml").expect(0)
    assert "f8.yaml:2:11: error: include[0]: files include each other at most 8 deep" in box.run("check", "f0.yaml").expect(3).err
    names = [f"n{i}.yaml" for i in range(64)]
    for name in names:
        box.write(name, "version: 1\n")
    refused(box, "include[63]: a spec consists of at most 64 files", f"version: 1\ninclude: [{', '.join(names)}]\n")
    for name in names[:5]:
        box.write(name, "version: 1\n#" + "x" * 1000000)
    refused(box, "include[4]: the included files have more than 4194304 bytes", f"version: 1\ninclude: [{', '.join(names[:5])}]\n")
    with open(box.dir / "n0.yaml", "wb") as file:
        file.truncate(2 << 20)
    refused(box, "n0.yaml has 2097152 bytes", "version: 1\ninclude: [n0.yaml]\n")


def test_what_others_may_write_is_refused(box):
    box.write("base.yaml", BASE, mode=0o666)
    box.write("host.yaml", HOST)
    done = box.run("check", "host.yaml").expect(0)
    assert "warning: base.yaml may be written by others" in done.err, done.err
    done = box.run("plan", "host.yaml", "--host", box.host()).expect(3)
    assert "host.yaml:2:11: error: include[0]: base.yaml may be written by others" in done.err and "chmod go-w base.yaml" in done.err, done.err
    (box.dir / "base.yaml").chmod(0o644)
    box.write("open/part.yaml", BASE)
    os.chmod(box.dir / "open", 0o777)
    box.write("host.yaml", "version: 1\ninclude: [open/part.yaml]\n")
    assert "the directory open may be written by others than its owner (mode 0777), who could replace the spec" in box.run("plan", "host.yaml", "--host", box.host()).expect(3).err


def test_standard_input_includes_nothing(box):
    box.write("base.yaml", BASE)
    done = box.run("check", "-", stdin=HOST.encode()).expect(3)
    assert "standard input:2:11: error: include[0]: a spec on standard input has no directory" in done.err, done.err
