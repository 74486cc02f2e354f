"""--confirm-within, confirm and history: what is armed, said and kept, on recorded hosts and in a tree."""
import json
import re

from cases.exit_codes import applied, interrupted
from cases.specs import GUIDE, NM, PORT_ONLY
from cases.trees import state, tree

UNTIL = "2026-01-01 00:02:00 UTC"  # a recorded host's clock begins with that year
TIMER = "rdmastate-unconfirmed-000001"


def systemd(model):
    model["systemd"] = {}


def awaiting(box, spec=GUIDE):
    box.write("spec.yaml", spec)
    host = box.host(systemd)
    done = box.run("apply", "spec.yaml", "--host", host, "--record", "after.json", "--confirm-within", "2min").expect(0)
    assert done.out.endswith(f"It is taken back at {UNTIL} unless you say until then: rdmastate confirm\n"), done.out
    return box.dir / "after.json"


def record(box, name):
    return json.loads((box.dir / name).read_text())


def without_runs(model):
    model["files"] = {p: f for p, f in model["files"].items() if not p.startswith("/var/lib") and not f.get("directory")}
    return {key: model[key] for key in ("files", "addresses", "routes")} | {"links": [link["name"] for link in model["links"]]}


def test_who_confirms_as_data_is_told_whether_that_changed_anything(box):
    path = awaiting(box)
    first = box.run("confirm", "000001", "--host", path, "--record", "kept.json", "-o", "json").expect(0).json
    again = box.run("confirm", "000001", "--host", "kept.json", "--record", "again.json", "-o", "json").expect(0).json
    assert (first["changed"], again["changed"]) == (True, False), (first, again)


def test_the_timer_takes_back_what_nobody_confirmed(box):
    path = awaiting(box)
    assert record(box, "after.json")["systemd"] == {"timers": {TIMER: {"seconds": 120, "arguments": ["rollback", "--unconfirmed", "000001"]}}}
    done = box.run("rollback", "--unconfirmed", "000001", "--host", path, "--record", "back.json").expect(0)
    assert "Run 000001 is taken back" in done.out
    assert without_runs(record(box, "back.json")) == without_runs(record(box, "host.json"))
    assert record(box, "back.json")["systemd"] == {}
    again = box.run("rollback", "--unconfirmed", "000001", "--host", "back.json", "--record", "no.json").expect(0)
    assert "nothing to take back" in again.err and again.out == ""
    assert "taken back" in box.run("confirm", "--host", "back.json", "--record", "no.json").expect(1).err


def test_confirmed_it_stays(box):
    path = awaiting(box)
    busy = box.run("apply", "spec.yaml", "--host", path, "--record", "no.json").expect(7)
    assert box.run("apply", "spec.yaml", "--host", path, "--record", "no.json", "-o", "json").expect(7).json["busy"] == "awaits_confirmation"
    assert f"run 000001 awaits confirmation until {UNTIL}" in busy.err and "rdmastate confirm" in busy.err and "rdmastate rollback" in busy.err
    other = box.run("confirm", "000002", "--host", path, "--record", "no.json").expect(1)
    assert "the newest run is 000001, not 000002: nothing was confirmed" in other.err, other.err
    assert box.run("confirm", "000001", "--host", path, "--record", "kept.json").expect(0).out == "Run 000001 is confirmed: it stays.\n"
    assert record(box, "kept.json")["systemd"] == {}
    assert box.run("confirm", "--host", "kept.json", "--record", "again.json").expect(0).out == "Run 000001 is confirmed already.\n"
    assert record(box, "again.json") == record(box, "kept.json")
    late = box.run("rollback", "--unconfirmed", "000001", "--host", "kept.json", "--record", "late.json").expect(0)
    assert "nothing to take back" in late.err
    nothing = box.run("apply", "spec.yaml", "--host", "kept.json", "--record", "same.json", "--confirm-within", "2min").expect(0)
    assert nothing.out.startswith("Nothing to do") and "confirm" not in nothing.out
    assert record(box, "same.json") == record(box, "kept.json")


def test_nothing_to_confirm(box):
    assert "no run" in box.run("confirm", "--host", box.host(), "--record", "no.json").expect(1).err
    done = box.run("confirm", "--host", applied(box), "--record", "no.json").expect(0)
    assert "without --confirm-within" in done.out
    where = ("--host", interrupted(box), "--record", "no.json")
    assert "rdmastate rollback" in box.run("confirm", *where).expect(7).err
    assert box.run("confirm", *where, "-o", "json").expect(7).json["busy"] == "interrupted"


def test_rollback_by_hand_disarms(box):
    box.run("rollback", "--host", awaiting(box), "--record", "back.json").expect(0)
    assert record(box, "back.json")["systemd"] == {}


def test_refused_without_systemd(box):
    box.write("spec.yaml", GUIDE)
    done = box.run("apply", "spec.yaml", "--host", box.host(), "--record", "no.json", "--confirm-within", "60s").expect(6)
    assert "--confirm-within needs a systemd that answers on the bus" in done.err, done.err
    assert not any(path.startswith("/var/lib/rdmastate") for path in record(box, "no.json")["files"])
    root = tree(box)
    before = state(root)
    done = box.run("apply", "spec.yaml", "--root", root, "--confirm-within", "60s").expect(6)
    assert "needs a systemd" in done.err and state(root) == before


def test_durations(box):
    box.write("spec.yaml", GUIDE)
    for words in (["60"], ["0s"], ["25h"], ["soon"], ["-5s"]):
        box.run("apply", "spec.yaml", "--host", box.host(systemd), "--record", "no.json", "--confirm-within", *words).expect(1)
    box.run("apply", "--boot", "--confirm-within", "60s").expect(1)


def test_json(box):
    box.write("spec.yaml", GUIDE)
    done = box.run("apply", "spec.yaml", "--host", box.host(systemd), "--record", "after.json", "--confirm-within", "2min", "-o", "json").expect(0)
    assert json.loads(done.out)["confirm_until"] == UNTIL
    assert json.loads(box.run("confirm", "--host", "after.json", "--record", "kept.json", "-o", "json").expect(0).out) == {
        "format_version": 1, "exit_code": 0, "changed": True, "moved": 0, "run": "000001", "message": "Run 000001 is confirmed: it stays."}
    back = json.loads(box.run("rollback", "--host", "kept.json", "--record", "back.json", "-o", "json").expect(0).out)
    assert back["changed"] and back["moved"] > 0 and back["run"] == "000001"


def test_history(box):
    assert box.run("history", "--host", box.host()).expect(0).out == "There was no run yet.\n"
    path = awaiting(box)
    lines = box.run("history", "--host", path).expect(0).out.splitlines()
    assert lines[0].split() == ["run", "begun", "spec", "steps", "end"]
    assert lines[1].startswith("000001  2026-01-01 00:00:00 UTC  host") and lines[1].endswith(f"awaits confirmation until {UNTIL}"), lines
    box.run("confirm", "--host", path, "--record", "kept.json").expect(0)
    box.write("port.yaml", PORT_ONLY)
    box.run("apply", "port.yaml", "--host", "kept.json", "--record", "two.json").expect(0)
    box.run("rollback", "--host", "two.json", "--record", "back.json").expect(0)
    told = json.loads(box.run("history", "--host", "back.json", "-o", "json").expect(0).out)
    assert [(run["run"], run["end"], run["spec"]) for run in told["runs"]] == [("000002", "rolled back", "host"), ("000001", "confirmed", "host")]
    assert "confirm_until" in told["runs"][1] and told["runs"][0]["steps"] > 0
    assert json.loads(box.run("history", "--host", interrupted(box), "-o", "json").expect(0).out)["runs"][0]["end"] == "unfinished"


def test_history_of_one_run(box):
    path = awaiting(box)
    text = box.run("history", "000001", "--host", path).expect(0).out
    assert "Run 000001 of spec host, begun 2026-01-01 00:00:00 UTC: awaits confirmation until" in text
    assert "  + load module (2): ib_ipoib, ib_umad\n" in text and "  + create ipoib_link mlx4_ib0.8002" in text and "; mode datagram; " in text, text
    box.run("confirm", "--host", path, "--record", "kept.json").expect(0)
    box.write("port.yaml", PORT_ONLY)
    box.run("apply", "port.yaml", "--host", "kept.json", "--record", "two.json").expect(0)
    text = box.run("history", "000002", "--host", "two.json").expect(0).out
    assert "  - remove ipoib_link mlx4_ib0.8002" in text and "; mode datagram; " in text, text
    told = json.loads(box.run("history", "000002", "--host", "two.json", "-o", "json").expect(0).out)
    child = [step for step in told["steps"] if step["kind"] == "ipoib_link"][0]
    assert child["verb"] == "remove" and {"field": "mode", "from": "datagram", "to": None} in child["changes"]
    assert "they are 000001 to 000002" in box.run("history", "000009", "--host", "two.json").expect(1).err


def test_history_shows_diffs_and_no_secret(box):
    """People see what the plan showed; programs, whose output is kept, no byte of a file."""
    def claimed(model):
        model["files"]["/etc/NetworkManager/system-connections/old.nmconnection"] = {
            "content": "[connection]\nid=old\ntype=infiniband\ninterface-name=mlx4_ib0\n[802-1x]\npassword=hunter2\n", "mode": "0600", "uid": 0, "gid": 0}
    box.write("spec.yaml", NM)
    done = box.run("apply", "spec.yaml", "--adopt", "--host", box.host(claimed), "--record", "after.json").expect(1)  # no module
    text = box.run("history", "000001", "--host", "after.json").expect(0).out
    assert "old.nmconnection\n" in text and "transport-mode=connected\n" in text and "password=(a secret, not shown)\n" in text, text
    assert re.search(r"Kept by rdmastate for itself, no steps of the plan:\n  \+ write file /etc/rdmastate/ledger.json\n      \d+ resources in the ledger\n", text), text
    assert text.splitlines()[-1] + "\n" == re.search(r"Applied: (\d+ steps?), run", done.out).group(1) + ".\n", (text, done.out)
    data = box.run("history", "000001", "--host", "after.json", "-o", "json").expect(0).out
    assert "old.nmconnection" in data and " bytes (SHA-256 " in data and "transport-mode" not in data, data
    assert "hunter2" not in text + data


def test_history_names_a_damaged_run(box):
    path = applied(box)
    model = json.loads(path.read_text())
    model["files"]["/var/lib/rdmastate/runs/000001/round-01.json"]["content"] = "{"
    path.write_text(json.dumps(model))
    assert "damaged: /var/lib/rdmastate/runs/000001/round-01.json: it is damaged" in box.run("history", "--host", path).expect(0).out
