"""The plan as a person reads it: how long it is, what the short form keeps, how wide it is, and one total for all commands."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

from cases.examples import CHAPTERS, WHOLE_HOSTS, copied
from cases.specs import GUIDE, NM
from golden.case_file import named
from support.harness import BINARY, HOSTS, TOP

COMPUTE = ("plan", TOP / "examples/compute.yaml", "--host", HOSTS / "compute.json")
BRIEF, WHOLE = 60, 140  # lines of the first plan of a node with eight adapters


def on_terminal(box, *words, columns, env=None, talk=False):
    """What a command writes to a terminal of so many columns, which has no colours. talk: with what it writes to stderr."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    surroundings = {**{name: value for name, value in os.environ.items() if name != "COLUMNS"}, "NO_COLOR": "1", **(env or {})}
    child = subprocess.Popen([BINARY, *words], cwd=box.dir, env=surroundings, stdout=slave, stderr=slave if talk else subprocess.DEVNULL)
    os.close(slave)
    said = b""
    try:
        while part := os.read(master, 65536):
            said += part
    except OSError:  # EIO: nobody has the other side any more
        pass
    os.close(master)
    assert child.wait(20) in (0, 3, 6), child.returncode
    return said.decode().replace("\r\n", "\n")


def squeezed(text):
    return re.sub(r"\s+", " ", text)


def test_the_first_plan_of_eight_adapters_is_short(box):
    for words, most in ((("--brief",), BRIEF), ((), WHOLE)):
        for text in (box.run(*COMPUTE, *words).expect(0).out, *(on_terminal(box, *COMPUTE, *words, columns=width) for width in (80, 120))):
            assert text.count("\n") <= most, f"{text.count(chr(10))} lines: {text}"


def test_equal_lines_are_one(box):
    text = box.run(*COMPUTE, "--brief").expect(0).out
    line = next(line for line in text.splitlines() if "rename rdma_device" in line)
    assert line.startswith("  ~ rename rdma_device (10): gpu0 (node_guid e8eb:d303:0022:0000), gpu1 ") and "store1 (" in line, text
    whole = box.run(*COMPUTE).expect(0).out
    assert "      gpu7 (node_guid e8eb:d303:0022:0070): name mlx5_7 -> gpu7\n" in whole, whole


def test_the_short_form_tells_each_step_and_refusal(box):
    """Titles of one kind are listed in one line, or each has its own; sentences of refusals stand whole."""
    def claimed(model):
        model["files"]["/etc/network/interfaces"] = {"content": "iface mlx4_ib0 inet dhcp\n", "mode": "0644", "uid": 0, "gid": 0}
    box.write("spec.yaml", GUIDE)
    words = ("plan", "spec.yaml", "--host", box.host(claimed))
    brief, data = box.run(*words, "--brief").expect(6).out, box.run(*words, "-o", "json").expect(6).json
    assert data["refused"] and all(sentence in brief for sentence in data["refused"]), brief
    for item in data["steps"] + data["other"]:
        title = item["title"].removeprefix(item["kind"] + " ")
        assert any(title in line and item["kind"] in line for line in brief.splitlines()), (item["title"], brief)
        assert not item.get("columns") or "next boot" not in brief, brief
    assert brief.splitlines()[-1].endswith(f"{len(data['refused'])} refused, so apply changes nothing."), brief


def test_what_is_refused_has_its_mark(box):
    """In the short form too, and the marks that are there are explained."""
    case = named("session-in-use")
    box.write("spec.yaml", case.spec)
    box.write("host.json", json.dumps(case.host()))
    brief = box.run("plan", "spec.yaml", "--host", "host.json", "--brief").expect(6).out
    line = next(line for line in brief.splitlines() if "change ipoib_link mlx4_ib0 " in line)
    assert line.startswith("  # change ipoib_link") and "refused: ipoib_link mlx4_ib0" in line, brief
    assert "   # refused: apply changes nothing" in brief.splitlines()[-2], brief


def test_text_is_as_wide_as_the_terminal(box):
    box.write("spec.yaml", NM)
    words = ("plan", "spec.yaml", "--host", box.host())
    piped = box.run(*words, env={"COLUMNS": "50"}).expect(0).out
    assert piped == box.run(*words).expect(0).out, "nobody wraps what goes into a pipe"
    assert max(len(line) for line in piped.splitlines() if line.strip()[0] not in "+-@") > 100, piped
    for columns, env, width in ((60, None, 60), (200, {"COLUMNS": "50"}, 50), (70, {"COLUMNS": "wide"}, 70), (10, None, 40)):
        shown = on_terminal(box, *words, columns=columns, env=env)
        long = [line for line in shown.splitlines() if len(line) > width and " " in line.strip() and line.strip()[0] not in "+-@"]
        assert not [line for line in long if any(len(word) < width - 10 for word in line.split()[1:])], (width, long)
        assert squeezed(shown) == squeezed(piped), (width, shown)


def test_mistakes_and_checks_are_as_wide_as_the_terminal(box):
    line = "modules: {load: [ib_umad], lode: [ib_ipoib, rdma_ucm, ib_iser, ib_isert]}"
    box.write("spec.yaml", "version: 1\n" + line + "\n")
    check = on_terminal(box, "check", "spec.yaml", columns=50, talk=True)
    assert f"    2 | {line}\n" in check, "the caret has to stay below its word:\n" + check
    explained = on_terminal(box, "doctor", "iwpmd-missing", columns=50)
    field = on_terminal(box, "explain", "network.backend", columns=50)
    for shown in (check, explained, field):
        long = [line for line in shown.splitlines() if len(line) > 50 and " | " not in line]
        assert shown.count("\n") > 4 and not long, (long, shown)


def first_plans(box):
    """Each spec that is written for a recorded host, beside that host."""
    for name, host in WHOLE_HOSTS.items():
        copied(box, TOP / f"examples/{name}.yaml")
        yield name, box.host(base=f"{host}.json")
    for path in CHAPTERS:
        copied(box, path)
        yield path.name, box.host(base="rhel-guide.json")


def test_one_total_of_every_example(box):
    """What comes with a step is no step of any of them. tests/golden/plan_rules.py says so of the golden cases."""
    along = 0
    for name, host in first_plans(box):
        summary = box.run("plan", "spec.yaml", "--host", host, "-o", "json").json["summary"]
        number = summary["steps"] + summary["waiting"]
        line = box.run("plan", "spec.yaml", "--host", host).out.splitlines()[-1]
        assert line.startswith(f"{number} step"), (name, line)
        done = box.run("apply", "spec.yaml", "--host", host, "--record", "after.json").expect(0)
        assert f"Applied: {number} steps, run 000001" in done.out and line.removesuffix(".") in done.err, (name, line, done.out, done.err)
        assert box.run("history", "--host", "after.json", "-o", "json").json["runs"][0]["steps"] == number, name
        along += summary["coming_along"]
    assert along >= 3, along


def test_what_a_module_brings_is_no_step(box):
    """rdma_cm begins with RoCE v2 and ToS 0: another value is a step of its own."""
    for value, along in (("default_mode: v2", True), ("tos: 0", True), ("default_mode: v1", False), ("tos: 106", False)):
        box.write("spec.yaml", f"""version: 1
modules: {{load: [rdma_cm]}}
devices: [{{match: {{node_guid: "f452:1403:007b:cba0"}}, ports: {{2: {{roce: {{{value}}}}}}}}}]
""")
        last = box.run("plan", "spec.yaml", "--host", box.host()).out.splitlines()[-1]
        done = box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json").expect(0).out
        total = re.match(r"\d+ steps", last).group(0)
        assert f"Applied: {total}, run" in done and (", 1 comes with them" in last) == along, (value, last, done)


def test_what_is_alike_is_told_once_afterwards(box):
    """By apply and by history, as by the plan; as data each step stands for itself."""
    words = (TOP / "examples/compute.yaml", "--host", HOSTS / "compute.json")
    done = box.run("apply", *words, "--record", "after.json").expect(0)
    assert "  done  rename rdma_device (10): gpu0 (node_guid e8eb:d303:0022:0000), gpu1 (" in done.err, done.err
    text = box.run("history", "000001", "--host", "after.json").expect(0).out
    assert text.count("\n") < WHOLE and "\n  ~ rename rdma_device (10)\n" in text and "next boot:" not in text, text
    assert "      gpu7 (node_guid e8eb:d303:0022:0070): name mlx5_7 -> gpu7\n" in text, text
    assert "      60-rdmastate-ibp64s0.network: Name=ibp64s0, Address=198.51.100.17/28\n" in text, text
    data = box.run("history", "000001", "--host", "after.json", "-o", "json").json
    assert len(data["steps"]) == 40 + data["rehearsed"], data


def test_one_total(box):
    """What the plan closes with, what apply and rollback say, and what history counts; each of them as data too."""
    for spec, change in ((GUIDE, None), (NM, None)):
        box.write("spec.yaml", spec)
        host = box.host(change)
        planned = box.run("plan", "spec.yaml", "--host", host, "-o", "json").json["summary"]
        total = re.match(r"\d+ steps?", box.run("plan", "spec.yaml", "--host", host).out.splitlines()[-1]).group(0)
        done = box.run("apply", "spec.yaml", "--host", host, "--record", "after.json")
        assert f"Applied: {total}, run 000001" in done.out, (total, done.out, done.err)
        number = planned["steps"] + planned["waiting"]
        assert number == int(total.split()[0]), (planned, total)
        assert box.run("apply", "spec.yaml", "--host", host, "--record", "again.json", "-o", "json").json["moved"] == number
        assert len(box.run("history", "000001", "--host", "after.json", "-o", "json").json["steps"]) == number
        back = box.run("rollback", "--host", "after.json", "--record", "back.json").expect(0)
        assert f"({total})" in back.err and back.out == f"Run 000001 is taken back: {total}.\n", (total, back.out, back.err)
        text = box.run("history", "000001", "--host", "after.json").expect(0).out
        assert text.endswith(f"\n{total}.\n"), (total, text)
        rows = box.run("history", "--host", "after.json").expect(0).out.splitlines()
        assert rows[1].split()[-2] == total.split()[0], (total, rows)


def test_names_stand_beside_guids(box):
    """What a plan calls by its name is called so by apply and by history, and a step that fails too; the key stays a GUID."""
    box.write("spec.yaml", GUIDE)
    done = box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json").expect(0)
    step = "add address (3): 192.0.2.1/24 on mlx4_ib0, "
    assert f"  done  {step}" in done.err, done.err
    history = box.run("history", "000001", "--host", "after.json").expect(0).out
    assert f"  + {step}" in history and "/24 on port " not in history, history
    steps = box.run("history", "000001", "--host", "after.json", "-o", "json").json["steps"]
    [key] = [one["key"] for one in steps if one["title"] == "address 192.0.2.1/24 on mlx4_ib0"]
    assert "port f452:1403:007b:cba1" in key and "mlx4_ib0" not in key, key
    box.write("types.yaml", """version: 1
devices:
  - match: {node_guid: "f452:1403:007b:cba0"}
    ports: {2: {link_type: infiniband}}
""")
    plan = box.run("plan", "types.yaml", "--host", box.host()).out
    assert "link_types mlx4_1 port 2 infiniband (node_guid f452:1403:007b:cba0)" in plan, plan
