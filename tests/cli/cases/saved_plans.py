"""plan --out and apply --plan: what was looked at is what is applied, or nothing is."""
import json

from cases.exit_codes import applied
from cases.specs import GUIDE, NO_MODULE, PORT_ONLY
from cases.trees import state, tree

BASE = "version: 1\nmodules: {load: [ib_umad]}\n"
MORE = "version: 1\ninclude: [base.yaml]\nnetwork: {backend: none}\n"


def planned(box, spec=GUIDE, *words):
    box.write("spec.yaml", spec)
    host = box.host()
    done = box.run("plan", "spec.yaml", "--host", host, "--out", "plan.json", *words).expect(0)
    return host, done


def test_the_plan_that_was_saved_is_applied(box):
    host, done = planned(box)
    saved = box.dir / "plan.json"
    assert (saved.stat().st_mode & 0o777) == 0o600
    held = json.loads(saved.read_text())
    shown = box.run("plan", "spec.yaml", "--host", host, "-o", "json").expect(0).json
    assert [(s["kind"], s["key"], s["to"]) for s in held["steps"]] == [(s["kind"], s["key"], s["to"]) for s in shown["steps"]]
    assert held["facts"] == shown["facts"] and held["spec"][0]["text"] == GUIDE
    assert {(o["kind"], o["key"]) for o in held["observed"]} >= {(s["kind"], s["key"]) for s in held["steps"]}
    (box.dir / "spec.yaml").unlink()  # the plan holds it
    box.run("apply", "--plan", "plan.json", "--host", host, "--record", "after.json").expect(0)
    box.write("spec.yaml", GUIDE)
    box.run("apply", "spec.yaml", "--host", host, "--record", "direct.json").expect(0)
    assert (box.dir / "after.json").read_text() == (box.dir / "direct.json").read_text()
    # Applied once, its steps are none any more: that is another host than the one that was planned for.
    again = box.run("apply", "--plan", "plan.json", "--host", "after.json", "--record", "again.json").expect(6)
    assert "it was a step and is none now" in again.err, again.err
    assert (box.dir / "again.json").read_text() == (box.dir / "after.json").read_text()


def test_a_plan_of_nothing_is_applied_to_nothing(box):
    after = applied(box)
    box.run("plan", "spec.yaml", "--host", after, "--out", "plan.json").expect(0)
    done = box.run("apply", "--plan", "plan.json", "--host", after, "--record", "again.json").expect(0)
    assert "Nothing to do" in done.out


def test_a_host_that_changed_since_is_refused_by_key(box):
    host, _ = planned(box, PORT_ONLY)

    def changed(model):
        model["files"]["/etc/modules-load.d/rdmastate.conf"] = {"content": "ib_umad\n"}

    box.host(changed)
    done = box.run("apply", "--plan", "plan.json", "--host", host, "--record", "after.json").expect(6)
    assert "refused, nothing was changed" in done.err
    assert "file /etc/modules-load.d/rdmastate.conf: it is not as it was when the plan was made" in done.err, done.err
    assert done.err.count("the saved plan does not hold any more") == 1, done.err
    box.host(lambda model: model["facts"].update(machine_id="0" * 32) if "facts" in model else
             model["files"].update({"/etc/machine-id": {"content": "0" * 32 + "\n"}}))
    other = box.run("apply", "--plan", "plan.json", "--host", host, "--record", "after.json").expect(6)
    assert "the plan was made on another machine" in other.err, other.err


def test_what_was_included_is_in_the_plan(box):
    box.write("base.yaml", BASE)
    box.write("spec.yaml", MORE)
    root = tree(box)
    box.run("plan", "spec.yaml", "--root", root, "--out", "plan.json").expect(0)
    box.write("base.yaml", BASE.replace("ib_umad", "rds_rdma"))
    box.run("apply", "--plan", "plan.json", "--root", root).expect(0)
    assert "ib_umad" in (root / "etc/modules-load.d/rdmastate.conf").read_text()


def test_options_are_of_the_plan(box):
    host, _ = planned(box)
    for words in (["--adopt"], ["--replace"], ["--allow-fabric"], ["--max-disruption", "module"], ["--in-use", "mlx4_0"], ["spec.yaml"], ["--boot"]):
        assert box.run("apply", "--plan", "plan.json", "--host", host, "--record", "x.json", *words).expect(1).err
    assert json.loads((box.dir / "plan.json").read_text())["options"]["max_disruption"] == "link"
    planned(box, GUIDE, "--max-disruption", "none", "--in-use", "mlx4_0")
    options = json.loads((box.dir / "plan.json").read_text())["options"]
    assert options["max_disruption"] == "none" and options["in_use"] == ["mlx4_0"], options


def test_a_deadline_is_of_the_apply(box):
    def with_systemd(model):
        model["systemd"] = {}

    planned(box)
    host = box.host(with_systemd)
    box.run("apply", "--plan", "plan.json", "--host", host, "--record", "after.json", "--confirm-within", "60s").expect(0)
    assert "awaits confirmation" in box.run("history", "--host", "after.json").expect(0).out
    without = box.run("apply", "--plan", "plan.json", "--host", box.host(), "--record", "x.json", "--confirm-within", "60s").expect(6)
    assert "--confirm-within needs a systemd" in without.err, without.err


def test_what_is_no_plan_is_refused(box):
    host, _ = planned(box)
    good = (box.dir / "plan.json").read_text()
    held = json.loads(good)
    before = host.read_text()
    broken = {"": "it is no plan", "{}": "it is no plan", "[1": "it is no plan", good[:len(good) // 2]: "it is no plan"}
    for change, sentence in (({"format_version": 2}, "its format_version is 2: a newer rdmastate wrote it"), ({"spec": []}, "it holds no spec"),
                             ({"steps": [{"kind": "rocket", "key": "x", "from": None, "to": None}]}, "steps[0].kind: 'rocket' is no kind that this version knows"),
                             ({"options": held["options"] | {"max_disruption": "all"}}, "'all' is no disruption")):
        broken[json.dumps(held | change)] = sentence
    for text, sentence in broken.items():
        box.write("bad.json", text)
        done = box.run("apply", "--plan", "bad.json", "--host", host, "--record", "x.json").expect(1)
        assert "bad.json" in done.err and sentence in done.err and "internal" not in done.err, done.err
    # What its steps say is never done: they are only compared.
    forged = held | {"steps": held["steps"][1:]}
    box.write("bad.json", json.dumps(forged))
    done = box.run("apply", "--plan", "bad.json", "--host", host, "--record", "x.json").expect(6)
    assert "it is a step now and was none" in done.err, done.err
    assert host.read_text() == before and not (box.dir / "x.json").exists() or (box.dir / "x.json").read_text()


def test_a_plan_is_trusted_as_a_spec_is(box):
    host, _ = planned(box)
    (box.dir / "plan.json").chmod(0o666)
    done = box.run("apply", "--plan", "plan.json", "--host", host, "--record", "x.json").expect(3)
    assert "may be written by others than its owner" in done.err, done.err
    missing = box.run("apply", "--plan", "none.json", "--host", host, "--record", "x.json").expect(1)
    assert "none.json" in missing.err


def test_a_saved_spec_that_is_wrong_is_told_as_one(box):
    host, _ = planned(box, NO_MODULE)
    held = json.loads((box.dir / "plan.json").read_text())
    held["spec"][0]["text"] = "version: 1\nfrobnicate: 2\n"
    box.write("bad.json", json.dumps(held))
    done = box.run("apply", "--plan", "bad.json", "--host", host, "--record", "x.json").expect(3)
    assert "spec.yaml:2:1: error" in done.err, done.err
