"""Commands about the command itself: explain, schema, completion, help."""
import json
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


def complete(box, line):
    """What bash offers at the end of `line`."""
    script = f"""source ./completion
COMP_WORDS=({line} {"''" if line.endswith(' ') else ''}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_rdmastate; printf '%s\\n' "${{COMPREPLY[@]}}\""""
    done = subprocess.run(["bash", "-c", script], cwd=box.dir, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return set(done.stdout.split())


def test_completion_completes(box):
    box.write("completion", box.run("completion", "bash").expect(0).out)
    subprocess.run(["bash", "-n", "completion"], cwd=box.dir, check=True)
    box.write("host.yaml", GUIDE)
    assert complete(box, "rdmastate pl") == {"plan"}
    assert complete(box, "rdmastate ") >= {"check", "plan", "apply", "verify", "rollback", "show", "explain", "schema"}
    assert complete(box, "rdmastate apply --re") == {"--record", "--replace"}
    assert complete(box, "rdmastate plan ho") == {"host.yaml"}
    assert complete(box, "rdmastate explain ipoib.pk") == {"ipoib.pkey"}
    assert "--boot" not in complete(box, "rdmastate plan --")
    assert complete(box, "rdmastate check --color a") == {"auto", "always"}


def test_completion_is_registered(box):
    box.write("completion", box.run("completion", "bash").expect(0).out)
    done = subprocess.run(["bash", "-c", "source ./completion; complete -p rdmastate"], cwd=box.dir, capture_output=True, text=True, check=True)
    assert "-F _rdmastate" in done.stdout


def test_help_names_every_command_and_exit_code(box):
    text = box.run("--help").expect(0).out
    for command in ("check", "plan", "apply", "verify", "rollback", "show", "explain", "schema", "completion"):
        assert re.search(rf"^\s+{command}\b", text, re.M), command
        assert box.run(command, "--help").expect(0).out
    assert "7 busy" in text


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
    assert "no space left" in done.stderr.lower(), done.stderr
