"""show --as-spec: the spec that means a host is good, and planned there it does nothing, or nothing but write files."""
import json

from cases.specs import GUIDE
from cases.trees import tree
from golden import case_file as golden
from golden.seen import prepared
from support import harness

WHOLLY_OURS = {"guide-none", "guide-networkmanager", "networkd-runs", "guide-ifupdown", "guide-wicked", "guide-netplan-networkd", "guide-netplan-networkmanager", "soft-device", "devices-named", "devices-swapped", "netns"}


def adopted(box, host):
    box.write("adopted.yaml", box.run("show", "--as-spec", "--host", host).expect(0).out)
    box.run("check", "adopted.yaml").expect(0)
    return box.run("plan", "adopted.yaml", "--host", host, "-o", "json").expect(0).json


def says_the_same(step):
    """What is awaited of other owners stands in the order of the spec, and a default is said where their file spells it out, or left
    out where it has no key for it: the same entries, none with another value."""
    if step["key"] != "/etc/rdmastate/boot.json" or not step["from"] or not step["to"]:
        return False
    was, now = ({(one["kind"], one["key"]): one for one in json.loads(state["content"])["resources"]} for state in (step["from"], step["to"]))
    return was.keys() == now.keys() and all(
        one == now[name] or ("awaited_from" in one and all(now[name]["state"].get(k, v) == v for k, v in one["state"].items()))
        for name, one in was.items())


def test_what_was_applied_plans_to_nothing(box):
    passed = []
    for case in map(golden.named, golden.names()):
        prepared(case, box)
        box.write("spec.yaml", case.spec)
        if box.run("apply", "spec.yaml", "--host", "host.json", "--record", "after.json", *case.options).code != 0:
            continue
        before = box.run("plan", "spec.yaml", "--host", "after.json", "-o", "json").json
        if before["id"] != "host" or before["steps"]:
            continue
        plan = adopted(box, "after.json")
        # What is pending is not so yet, what was released or others made is there: a host is adopted as it is.
        kinds = {step["kind"] for step in plan["steps"] if not says_the_same(step)}
        assert kinds <= (set() if case.name in WHOLLY_OURS else {"file"}), (case.name, plan["steps"])
        assert plan["refused"] == [], (case.name, plan["refused"])
        passed.append(case.name)
    assert WHOLLY_OURS <= set(passed), passed


def test_what_others_made_moves_nothing_live(box):
    for name in ("mode-and-mtu", "soft-device-in-use", "child-absent"):
        host = box.write("host.json", json.dumps(golden.named(name).host()))
        plan = adopted(box, host)
        assert {step["kind"] for step in plan["steps"]} <= {"file"}, (name, plan["steps"])
        assert plan["refused"] == [], plan["refused"]


def test_explained(box):
    case = golden.named("networkmanager-activates")
    prepared(case, box)
    box.write("spec.yaml", case.spec)
    box.run("apply", "spec.yaml", "--host", "host.json", "--record", "after.json", *case.options).expect(0)
    text = box.run("show", "--as-spec", "--explain", "--host", "after.json").expect(0).out
    assert "# ipoib[0].mode: /etc/NetworkManager/system-connections/other.nmconnection:" in text, text
    box.write("explained.yaml", text)
    box.run("check", "explained.yaml").expect(0)
    data = box.run("show", "--as-spec", "-o", "json", "--host", "after.json").expect(0).json
    assert data["spec"]["version"] == 1 and data["sources"] and data["left_out"] is not None
    profile = json.loads((box.dir / "after.json").read_text())["files"]["/etc/NetworkManager/system-connections/other.nmconnection"]
    lines = profile["content"].splitlines()
    for one in data["sources"]:
        if one["path"] == "ipoib[0].mode":
            assert lines[int(one["source"].rsplit(":", 1)[1]) - 1].startswith("transport-mode="), one


def test_an_edit_that_asks_for_nothing_makes_no_run(box):
    """So rollback takes back the last change of the host; the edit is kept with the next one."""
    root = tree(box)
    kept = root / "etc/rdmastate/applied.yaml"
    box.write("spec.yaml", GUIDE)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    before = kept.read_text()
    box.write("spec.yaml", GUIDE + "initrd: leave\n")
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
    assert kept.read_text() == before and len(box.run("history", "--root", root, "-o", "json").json["runs"]) == 1
    box.write("spec.yaml", GUIDE.replace("load: [", "load: [rdma_ucm, ") + "initrd: leave\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert "initrd: leave" in kept.read_text(), kept.read_text()


def test_what_was_applied_is_kept_for_its_owner_and_told(box):
    """In a tree: of a recorded host nothing is kept, and a record of a host has it not."""
    root = tree(box)
    device = 'devices: [{match: {node_guid: "f452:1403:007b:cba0"}, optional: true, expect: {firmware: ">=2.30"}}]\n'
    box.write("spec.yaml", GUIDE + device + "id: storage\ninitrd: leave\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    kept = root / "etc/rdmastate/applied.yaml"
    assert kept.stat().st_mode & 0o7777 == 0o600, oct(kept.stat().st_mode)
    text = box.run("show", "--as-spec", "--explain", "--root", root).expect(0).out
    for part in ('firmware: ">=2.30"', "optional: true", "id: storage", "initrd: leave", "# ipoib: /etc/rdmastate/applied.yaml"):
        assert part in text, (part, text)
    box.write("again.yaml", text)
    assert "Nothing to do" in box.run("apply", "again.yaml", "--root", root).expect(0).out
    told = box.run("history", "000001", "--root", root).expect(0).out
    kept_lines = kept.read_text().count("\n")
    assert f"  + write file /etc/rdmastate/applied.yaml\n      {kept_lines} lines of the spec as it was applied\n" in told, told
    box.run("show", "--record", "record.json", "--root", root).expect(0)
    held = json.loads((box.dir / "record.json").read_text())["files"]
    assert "/etc/rdmastate/ledger.json" in held and "/etc/rdmastate/applied.yaml" not in held, sorted(held)
    kept.write_text("{")
    text = box.run("show", "--as-spec", "--root", root).expect(0).out
    assert "# left out: /etc/rdmastate/applied.yaml: it does not read as rdmastate wrote it" in text and "mlx4_ib0" in text, text
    kept.unlink()
    again = box.run("show", "--as-spec", "--root", root).expect(0).out
    assert again == "".join(line for line in text.splitlines(True) if not line.startswith("# left out: /etc/rdmastate/applied.yaml")), again


def test_foreign_profiles_are_read(box):
    keyfile = """[connection]
id=storage
type=infiniband
interface-name=mlx4_ib0.8002

[infiniband]
p-key=32770
parent=mlx4_ib0
transport-mode=datagram

[ipv4]
address1=198.51.100.1/24,198.51.100.254
route1=203.0.113.0/24,198.51.100.253,50
dns=192.0.2.200;
method=manual

[ipv6]
method=auto
"""
    parent = "[connection]\ntype=infiniband\ninterface-name=mlx4_ib0\n[infiniband]\ntransport-mode=connected\n[ipv4]\nmethod=shared\n[ipv6]\nmethod=link-local\nroute1=2001:db8:1::/48\n"
    model = json.loads((harness.TOP / "examples/hosts/minimal.json").read_text())
    for name, text in (("a child", keyfile), ("port", parent)):
        model["files"][f"/etc/NetworkManager/system-connections/{name}.nmconnection"] = {"content": text, "mode": "0600"}
    model["files"]["/run/NetworkManager/devices"] = {"directory": True}
    host = box.write("host.json", json.dumps(model))
    data = box.run("show", "--as-spec", "-o", "json", "--host", host).expect(0).json
    port, child = data["spec"]["ipoib"]
    assert port["name"] == "mlx4_ib0" and port["mode"] == "connected", port
    assert child["parent"] == "mlx4_ib0" and child["pkey"] == "0x8002", child
    assert child["ipv4"]["addresses"] == ["198.51.100.1/24"] and child["ipv4"]["gateway"] == "198.51.100.254", child
    assert child["ipv4"]["routes"][0]["metric"] == 50 and child["ipv4"]["dns"] == ["192.0.2.200"], child
    assert child["ipv6"]["method"] == "auto", child
    for part in ("method=shared has no counterpart", "[ipv6] route1: a spec takes it only with method manual or auto"):
        assert any(part in one for one in data["left_out"]), (part, data["left_out"])
    text = box.run("show", "--as-spec", "--host", host).expect(0).out
    assert "# left out: /etc/NetworkManager/system-connections/port.nmconnection: [ipv4] method=shared" in text, text
    box.write("spec.yaml", text)
    box.run("check", "spec.yaml").expect(0)
    refused = box.run("plan", "spec.yaml", "--host", host).out
    assert "let --adopt take the file over" in refused, refused
    for name, text in (("a child", keyfile), ("port", parent)):  # as GLib reads it all the same
        text = text.replace("\np-key", "\np-key=1\np-key").replace("=", " = ").replace("\n", "\r\n")
        model["files"][f"/etc/NetworkManager/system-connections/{name}.nmconnection"]["content"] = text
    again = box.run("show", "--as-spec", "-o", "json", "--host", box.write("host.json", json.dumps(model))).expect(0).json
    assert again["spec"] == data["spec"], again["spec"]


def test_foreign_profiles_of_one_name_are_told(box):
    model = json.loads((harness.TOP / "examples/hosts/minimal.json").read_text())
    for interface, name in (("ib0", "InfiniBand"), ("ib1", "InfiniBand"), ("ib2", "ib1")):
        text = f"[connection]\nid={name}\ntype=infiniband\ninterface-name={interface}\n[infiniband]\ntransport-mode=datagram\n"
        model["files"][f"/etc/NetworkManager/system-connections/{interface}.nmconnection"] = {"content": text, "mode": "0600"}
    model["files"]["/run/NetworkManager/devices"] = {"directory": True}
    host = box.write("host.json", json.dumps(model))
    data = box.run("show", "--as-spec", "--explain", "-o", "json", "--host", host).expect(0).json
    assert [(one["name"], one.get("profile")) for one in data["spec"]["ipoib"]] == [("ib0", "InfiniBand"), ("ib1", None), ("ib2", None)], data
    for interface, name, other in (("ib1", "InfiniBand", "ib0"), ("ib2", "ib1", "ib1")):
        told = f"the profile of {interface} is named {name} as that of {other} is, and a spec gives each its own name"
        assert told in data["left_out"], data["left_out"]
    box.write("spec.yaml", box.run("show", "--as-spec", "--host", host).expect(0).out)
    box.run("check", "spec.yaml").expect(0)


def test_explain_needs_as_spec(box):
    box.run("show", "--explain", "--host", box.host()).expect(1)
