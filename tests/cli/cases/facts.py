"""--facts FILE: the hardware that a tree is for."""
import json
import shutil

from cases.specs import GUIDE, PORT
from cases.trees import state, tree

BY_DEVICE = GUIDE.replace(f'match: {{port_guid: "{PORT}"}}', "match: {device: mlx4_1, port: 1}")
DEVICES = """version: 1
network: {backend: none}
devices:
  - {match: {pci: "0000:81:00.0"}, name: store0}
"""


def shown(box, name="facts.json", change=None):
    """What `show -o json` prints of the guide's host."""
    facts = box.run("show", "--host", box.host(), "-o", "json").expect(0).json
    if change:
        change(facts["facts"])
    return box.write(name, json.dumps(facts))


def written(box, spec, *words):
    """The files that apply writes into a tree: path to text."""
    root = tree(box)
    before = state(root)
    box.write("spec.yaml", spec)
    done = box.run("apply", "spec.yaml", "--root", root, *words).expect(0)
    made = {path: (root / path).read_text() for path in state(root) if path not in before and (root / path).is_file()}
    box.run("plan", "spec.yaml", "--root", root, *words, "--detailed-exitcode").expect(0)
    box.run("verify", "spec.yaml", "--root", root, *words).expect(0)
    shutil.rmtree(root)
    return made, done


def on_the_host(box, spec):
    """The files that apply writes on the recorded host with that hardware."""
    box.write("spec.yaml", spec)
    before = json.loads(box.host().read_text())["files"]
    box.run("apply", "spec.yaml", "--host", "host.json", "--record", "after.json")
    after = json.loads((box.dir / "after.json").read_text())["files"]
    made = {p.lstrip("/"): f.get("content") for p, f in after.items() if before.get(p) != f and not f.get("directory")}
    return {p: text for p, text in made.items() if text is not None and not p.startswith("var/lib/rdmastate")}


def without_ledger(made):
    """Less the ledger, and the spec that a tree keeps beside it and a record does not."""
    return {p: text for p, text in made.items() if not p.endswith(("ledger.json", "applied.yaml", "rdmastate.service"))}


def test_a_tree_with_facts_gets_what_the_host_gets(box):
    facts = shown(box)
    for spec in (BY_DEVICE, GUIDE, DEVICES):
        made, _ = written(box, spec, "--facts", facts)
        assert without_ledger(made) == without_ledger(on_the_host(box, spec)), spec
    assert "f4:52:14:03:00:7b:cb:a1" in written(box, BY_DEVICE, "--facts", facts)[0]["etc/udev/rules.d/70-rdmastate-ipoib.rules"]


def test_without_facts_a_device_cannot_be_told(box):
    root = tree(box)
    box.write("spec.yaml", BY_DEVICE)
    done = box.run("plan", "spec.yaml", "--root", root).expect(3)
    assert "--facts" in done.err, done.err
    done = box.run("plan", "spec.yaml", "--root", root, "--facts", shown(box, change=lambda f: f["devices"].pop(1))).expect(3)
    assert "there is no mlx4_1 port 1 here (devices: mlx4_0)" in done.err, done.err


def test_the_plan_names_the_file(box):
    root = tree(box)
    box.write("spec.yaml", BY_DEVICE)
    shown(box)
    plan = box.run("plan", "spec.yaml", "--root", root, "--facts", "facts.json").expect(0)
    assert plan.out.startswith(f"Plan for tree at {root}, facts of facts.json (Debian GNU/Linux 12 (bookworm))"), plan.out
    facts = box.run("plan", "spec.yaml", "--root", root, "--facts", "facts.json", "-o", "json").json["facts"]
    assert len(facts["devices"]) == 2 and facts["live"] is False and facts["machine_id"] == "5d0c1f7e2a634b7c9c61a2c8f0e4b7d3"


def test_the_facts_alone_and_a_record_are_facts(box):
    box.host()
    box.write("alone.json", json.dumps(json.loads(shown(box).read_text())["facts"]))
    box.run("show", "--host", "host.json", "--record", "record.json").expect(0)
    texts = [written(box, BY_DEVICE, "--facts", box.dir / name)[0]["etc/rdmastate/boot.json"] for name in ("alone.json", "record.json", "facts.json")]
    assert texts[0] == texts[1] == texts[2]


def test_what_the_tree_knows_stays_its_own(box):
    def other(facts):
        facts["distribution"] = "rhel"
        facts["machine_id"] = "0" * 32
        facts["managers"] = [{"name": "networkmanager", "running": True, "enabled": False, "evidence": "/run/NetworkManager"}]
        facts["versions"] = {"systemd": "251"}
    root = tree(box)
    box.write("spec.yaml", GUIDE.replace("network: {backend: none}\n", "").replace("connected", "datagram").replace("65520", "2044"))
    facts = shown(box, change=other)
    words = ("plan", "spec.yaml", "--root", root, "--facts", facts, "-o", "json")
    plan = box.run(*words).expect(0).json
    assert plan["backend"] == "networkmanager" and plan["facts"]["distribution"] == "debian" and plan["facts"]["versions"] == {"systemd": "251"}
    assert plan["facts"]["managers"] == [{"name": "networkmanager", "running": False, "enabled": True, "evidence": "the facts given with --facts"}]
    (root / "etc/systemd/system/multi-user.target.wants/systemd-networkd.service").symlink_to("/usr/lib/systemd/system/systemd-networkd.service")
    assert box.run(*words).expect(0).json["backend"] == "networkd", "the tree says who owns its interfaces"


def test_files_that_are_no_facts(box):
    root = tree(box)
    box.write("spec.yaml", GUIDE)
    for text, sentence in (("{", "facts.json: it is not JSON: line 1, column 1"), ("[]", "facts.json: expected a map"), ('{"facts": {"devces": []}}', "facts.json: facts: unknown key 'devces'"),
                           ('{"devices": [{"name": "mlx4_0", "node_guid": "x"}]}', "facts.json: devices[0].node_guid"), ("{}", "facts.json names no device, version or manager")):
        box.write("facts.json", text)
        done = box.run("plan", "spec.yaml", "--root", root, "--facts", "facts.json").expect(1)
        assert sentence in done.err, done.err
    assert "there is no file of facts none.json" in box.run("plan", "spec.yaml", "--root", root, "--facts", "none.json").expect(1).err


def test_facts_are_for_trees_alone(box):
    box.write("spec.yaml", GUIDE)
    facts = shown(box)
    for more in ((), ("--host", "host.json")):
        done = box.run("plan", "spec.yaml", "--facts", facts, *more).expect(1)
        assert "--root" in done.err, done.err


def test_a_virtual_function_is_told_and_left_out_everywhere(box):
    def with_one(model):
        model["rdma"].append({"name": "mlx4_2", "node_guid": "f452:1403:007b:cbb0", "pci": "0000:81:00.1", "driver": "mlx4_core", "virtual": True,
                              "ports": [{"number": 1, "guid": "f452:1403:007b:cbb1", "link_layer": "infiniband", "state": 4}]})
    host = box.host(with_one)
    assert "mlx4_core at 0000:81:00.1 (virtual function)" in box.run("show", "--host", host).expect(0).out
    box.run("show", "--host", host, "--record", "again.json").expect(0)
    assert [one.get("virtual", False) for one in json.loads((box.dir / "again.json").read_text())["rdma"]] == [False, False, True]
    facts = box.run("show", "--host", "again.json", "-o", "json").expect(0).json  # with a system image GUID that is 0
    assert [one["virtual"] for one in facts["facts"]["devices"]] == [False, False, True]
    every = "version: 1\ndevices:\n  - {match: {driver: mlx4_core}, every: true, VIRTUAL ports: {1: {link_type: infiniband}}}\n"
    for words, count in (("", 2), ("virtual: true, ", 3)):
        made, _ = written(box, every.replace("VIRTUAL ", words), "--facts", box.write("facts.json", json.dumps(facts)))
        assert made["etc/rdmastate/boot.json"].count('"link_types"') == count, made
