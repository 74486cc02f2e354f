"""-o json of plan and apply: what a program has to know of a run, as data."""
import json

from golden import case as golden
from golden.seen import prepared


def planned(box, name):
    case = golden.named(name)
    prepared(case, box)
    box.write("spec.yaml", case.spec)
    done = box.run("plan", "spec.yaml", "--host", "host.json", *case.options, "-o", "json")
    return case, {} if done.code == 3 else done.json


def test_apply_tells_its_steps_round_by_round(box):
    case, plan = planned(box, "guide-none")
    words = ("apply", "spec.yaml", "--host", "host.json", "--record", "after.json", *case.options)
    talk = box.run(*words).expect(0).err
    done = box.run(*words, "-o", "json").expect(0).json
    lines = [step["line"] for moved in done["rounds"] for step in moved]
    assert len(done["rounds"]) > 1 and done["moved"] == len(lines)
    assert [f"  done  {line}" for line in lines] == [line for line in talk.splitlines() if line.startswith("  done  ")]
    first = {(step["kind"], step["key"]) for step in done["rounds"][0]}
    assert first <= {(step["kind"], step["key"]) for step in plan["steps"]}, first
    kinds = {step["kind"]: at for at, moved in enumerate(done["rounds"]) for step in moved}
    assert kinds["module"] < kinds["ipoib_link"], kinds
    again = box.run("apply", "spec.yaml", "--host", "after.json", "--record", "again.json", "-o", "json").expect(0).json
    assert (again["rounds"], again["moved"], again["changed"]) == ([], 0, False)


def test_what_is_pending_says_what_it_waits_for(box):
    seen = {}
    for name in golden.names():
        _, plan = planned(box, name)
        for item in plan.get("steps", []) + plan.get("other", []):
            assert ("pending" in item) == ("pending_until" in item), item
            if "pending" in item:
                seen.setdefault(item["pending_until"], set()).add(name)
    assert seen.keys() >= {"reboot", "owner", "hardware", "account"}, seen.keys()
    assert "modules-block" in seen["reboot"] and "memlock-group-there" in seen["account"], seen


def test_a_missing_reader_of_boot_json_is_a_package_or_a_unit(box):
    for files, until in (({}, "package"), ({"/etc/systemd/system/rdmastate.service": {"link": "/dev/null"}}, "unit")):
        host = golden.named("guide-none").host()
        for path in list(host["files"]):
            if until == "package" and path.endswith("/rdmastate.service"):
                del host["files"][path]
        host["files"].update(files)
        box.write("host.json", json.dumps(host))
        box.write("spec.yaml", golden.named("guide-none").spec)
        plan = box.run("plan", "spec.yaml", "--host", "host.json", "-o", "json").json
        (boot,) = [item for item in plan["steps"] + plan["other"] if item["key"] == "/etc/rdmastate/boot.json"]
        assert boot["pending_until"] == until, boot
