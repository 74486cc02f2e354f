"""-o json of plan and apply: what a program has to know of a run, as data."""
import json
import re

from golden import case_file as golden
from golden.seen import prepared, tells


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
    told = [line for line in talk.splitlines() if line.startswith("  done  ")]
    assert len(told) < len(lines), told
    for moved in done["rounds"]:
        assert all(any(tells(line, step) for line in told) for step in moved), (told, moved)
    assert sum(int((re.search(r" \((\d+)\): ", line) or [0, 1])[1]) for line in told) == len(lines), told
    first = {(step["kind"], step["key"]) for step in done["rounds"][0]}
    assert first <= {(step["kind"], step["key"]) for step in plan["steps"]}, first
    kinds = {step["kind"]: at for at, moved in enumerate(done["rounds"]) for step in moved}
    assert kinds["module"] < kinds["ipoib_link"], kinds
    again = box.run("apply", "spec.yaml", "--host", "after.json", "--record", "again.json", "-o", "json").expect(0).json
    assert (again["rounds"], again["moved"], again["changed"]) == ([], 0, False)


def test_the_first_round_is_what_the_plan_told(box):
    """All of it: from where to where, what it disturbs; and the plan says which of its steps come in the last round."""
    for name in ("guide-none", "soft-device", "rename-up", "nfs"):
        case, plan = planned(box, name)
        done = box.run("apply", "spec.yaml", "--host", "host.json", "--record", "after.json", *case.options, "-o", "json").json
        now = [step for step in plan["steps"] if not step.pop("last_round", False)]
        assert done["rounds"][0] == now and now, name
        assert plan["summary"]["disruption"] in {step["disruption"] for step in plan["steps"]} | {"none"}, name
        assert done["diagnostics"] == plan["diagnostics"] and done["notes"] == plan["notes"], name
    case, plan = planned(box, "guide-none")
    assert [step["key"] for step in plan["steps"] if step.get("last_round")] == ["/etc/rdmastate/boot.json"]
    assert plan["summary"]["more_rounds"] is True


def test_what_disturbs_most_and_what_waits_for_a_reboot_is_summed_up(box):
    for name, disruption, reboot in (("guide-none", "none", False), ("mode-and-mtu", "link", False), ("modules-block", "none", True)):
        case, plan = planned(box, name)
        assert (plan["summary"]["disruption"], plan["summary"]["reboot_required"]) == (disruption, reboot), (name, plan["summary"])
        if not plan["refusals"]:
            done = box.run("apply", "spec.yaml", "--host", "host.json", "--record", "after.json", *case.options, "-o", "json").json
            assert done["reboot_required"] is reboot and (name == "guide-none" or done["disruption"] == disruption), (name, done["disruption"])


def test_what_a_spec_is_warned_of_is_data_too(box):
    box.write("spec.yaml", golden.named("guide-none").spec.replace("mlx4_ib0", "ib0"))
    box.write("host.json", json.dumps(golden.named("guide-none").host()))
    plan = box.run("plan", "spec.yaml", "--host", "host.json", "-o", "json").json
    (first, *_) = plan["diagnostics"]
    assert first["severity"] == "warning" and first["line"] > 1 and "ib0" in first["message"], first
    box.write("empty.yaml", "version: 1\n")
    notes = box.run("plan", "empty.yaml", "--host", "host.json", "-o", "json").json["notes"]
    assert notes == ["The spec asks for nothing."], notes


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
