"""Commands about the command itself: explain, schema, help."""
import json
import os
import re
import subprocess

from cases.specs import GUIDE, NM
from support.harness import BINARY


def test_explain_a_field(box):
    text = box.run("explain", "ipoib.pkey").expect(0).out
    assert "partition key" in text and "0x8002" in text
    assert "datagram" in box.run("explain", "ipoib.mode").expect(0).out
    assert "on create  datagram" in box.run("explain", "ipoib.mode").expect(0).out
    for word in ("version", "modules", "ipoib", "network"):
        assert re.search(rf"^\s*{word}\b", box.run("explain").expect(0).out, re.M), word


def test_explain_of_a_list_of_words_names_them(box):
    text = box.run("explain", "purge").expect(0).out
    assert "is removed where this spec does not name it" in text and "Without it, nothing that rdmastate did not make" in text, text
    assert "takes      a list, each ipoib, soft_devices or partitions\n" in text and "example    purge: [ipoib]\n" in text, text
    assert box.run("explain", "purge[0]").expect(0).out == text
    done = box.run("explain", "purge.ipoib").expect(1)
    assert done.err == "rdmastate: purge has no fields: it takes a list, each ipoib, soft_devices or partitions\n", done.err


def test_explain_of_nothing_says_what_is_near(box):
    done = box.run("explain", "ipoib.pkye").expect(1)
    assert "pkey" in done.err and done.out == "", done.err


def test_schema_takes_what_check_takes(box):
    import jsonschema
    schema = json.loads(box.run("schema").expect(0).out)
    jsonschema.Draft7Validator.check_schema(schema)
    assert "draft-07" in schema["$schema"]
    judge = jsonschema.Draft7Validator(schema)
    good = {"version": 1, "network": {"backend": "none"}, "modules": {"load": ["ib_ipoib"]},
            "ipoib": [{"name": "mlx4_ib0", "match": {"port_guid": "f452:1403:007b:cba1"}, "mode": "connected", "mtu": 65520,
                       "ipv4": {"method": "manual", "addresses": ["192.0.2.1/24"], "routes": [{"to": "203.0.113.0/24", "metric": 50}]}},
                      {"parent": "mlx4_ib0", "pkey": 0x8002, "absent": True}]}
    assert not list(judge.iter_errors(good))
    for wrong in ({}, {"version": 1, "ipobi": []}, {"version": "1"}, {"version": 1, "ipoib": [{"mode": "Connected"}]},
                  {"version": 1, "ipoib": [{"ipv4": {"addresses": []}}]}, {"version": 1, "modules": {"load": "ib_ipoib"}}):
        assert list(judge.iter_errors(wrong)), f"the schema takes {wrong}"


def test_help_names_every_command_and_exit_code(box):
    text = box.run("--help").expect(0).out
    for command in ("check", "plan", "apply", "verify", "rollback", "show", "explain", "schema", "packages", "completion"):
        assert re.search(rf"^\s+{command}\b", text, re.M), command
        assert box.run(command, "--help").expect(0).out
    assert "7 busy" in text
    assert not re.search(r"^\s+man\b", text, re.M), "man is for the build"


def test_help_stands_in_columns(box):
    """Names in one column, what they mean in another; every form of output that a command takes is told."""
    forms = {"check": "text|json|github|junit|sarif", "plan": "text|json|github|junit", "verify": "text|json|github|junit", "show": "text|json"}
    for command in ("check", "plan", "apply", "verify", "rollback", "show", "explain", "packages", "completion"):
        text = box.run(command, "--help").expect(0).out
        for line in text[text.index("Options:"):text.index("Exit codes")].splitlines()[1:]:
            assert not line or re.match(r"  -\S.{25}\S|  -.{26,}$| {30}\S", line), f"{command}: {line!r}"
        assert f"--output {forms.get(command, '')}" in text or command not in forms, text


def test_help_fits_into_80_columns(box):
    commands = [line.split("\t")[0] for line in box.run("complete", "").expect(0).out.splitlines() if not line.startswith("-")]
    assert len(commands) >= 14, commands
    for words in ((), *((command,) for command in commands), ("leave",), ("man",)):
        long = [line for line in box.run(*words, "--help").expect(0).out.splitlines() if len(line) > 80]
        assert not long, (words, long)


def test_version(box):
    assert re.fullmatch(r"rdmastate \d+\.\d+\.\d+\S*\n", box.run("--version").expect(0).out)


def test_a_closed_pager_is_no_crash(box):
    box.write("spec.yaml", NM)
    host = box.host()
    done = subprocess.run(["bash", "-c", f"'{BINARY}' schema | true; echo ${{PIPESTATUS[0]}}; "
                                         f"'{BINARY}' plan spec.yaml --host {host} > /dev/full; echo $?"],
                          cwd=box.dir, capture_output=True, text=True, timeout=20)
    first, full = done.stdout.split()
    assert first in ("0", "1") and full == "1", done.stdout
    said = [line for line in done.stderr.splitlines() if line.startswith("rdmastate: ")]
    assert len(said) == 1 and "no space left" in said[0].lower(), done.stderr


def test_a_reader_that_went_is_told_nothing(box):
    """And an apply whose reader went does all the same what it was to do."""
    box.write("spec.yaml", NM)
    host, after = box.host(), box.dir / "after.json"
    for words in (("plan", "spec.yaml", "--host", host), ("show", "--host", host), ("schema",), ("history", "--host", host),
                  ("apply", "spec.yaml", "--host", host, "--record", after)):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([BINARY, *words], cwd=box.dir, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=20)
        os.close(writing)
        assert done.returncode == 1 and "rdmastate:" not in done.stderr, (words, done.returncode, done.stderr)
        assert words[0] == "apply" or done.stderr == box.run(*words).err, (words, done.stderr)
    assert [run["end"] for run in box.run("history", "--host", after, "-o", "json").json["runs"]] == ["finished"]
