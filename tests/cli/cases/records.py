"""show --record: the record plans every spec as the host does; what it does not hold is unseen in it, and no secret is in it."""
import json
import os

from cases.trees import tree
from golden import case_file as golden
from golden.seen import prepared
from support import harness


def record(box, host="host.json", name="record.json"):
    (box.dir / name).unlink(missing_ok=True)
    box.run("show", "--host", host, "--record", name).expect(0)
    return json.loads((box.dir / name).read_text())


def planned(box, spec, host, *options):
    done = box.run("plan", spec, "--host", host, *options)
    return done.code, done.out.replace(str(host), "HOST"), done.err.replace(str(host), "HOST")


def test_every_case_plans_on_its_record_as_on_its_host(box):
    for case in map(golden.named, golden.names()):
        prepared(case, box)
        box.write("spec.yaml", case.spec)
        record(box)
        for options in (case.options, [*case.options, "--adopt"]):
            assert planned(box, "spec.yaml", "record.json", *options) == planned(box, "spec.yaml", "host.json", *options), (case.name, options)


def test_bytes_that_are_no_text_are_recorded(box):
    """ACLs and capabilities, a link's target, a file's own name."""
    root = tree(box, ["etc/modprobe.d"])
    odd = os.fsencode(root / "etc/modprobe.d") + b"/\xff.conf"
    with open(odd, "wb") as file:
        file.write(b"options ib_ipoib recv_queue_size=256\n")
    os.symlink(b"/nowhere/\xfe", root / "etc/modprobe.d/link.conf")
    (root / "etc/modules-load.d/rdmastate.conf").write_bytes(b"ib_umad\n\xff\xfe\0\nib_iser\n")
    os.setxattr(root / "etc/modules-load.d/rdmastate.conf", "trusted.note", b"\0\xff")
    box.run("show", "--root", root, "--record", "record.json").expect(0)
    files = json.loads((box.dir / "record.json").read_text())["files"]
    assert files["hex:" + (b"/etc/modprobe.d/\xff.conf").hex()]["content"], files.keys()
    assert files["/etc/modprobe.d/link.conf"]["link_hex"] == b"/nowhere/\xfe".hex()
    assert files["/etc/modules-load.d/rdmastate.conf"]["xattrs_hex"] == {"trusted.note": "00ff"}
    box.write("spec.yaml", "version: 1\nmodules: {load: [ib_ipoib], options: {ib_ipoib: {recv_queue_size: 512}}}\n")
    there, recorded = (json.loads(box.run("plan", "spec.yaml", *words, "-o", "json").out) for words in (("--root", root), ("--host", "record.json")))
    assert [step["key"] for step in there["steps"]] and there["refusals"] == recorded["refusals"], (there, recorded)
    said = box.run("show", "--as-spec", "--root", root).expect(0).out
    assert "left out: /etc/modules-load.d/rdmastate.conf:2 does not read as rdmastate wrote it" in said and "[ib_umad, ib_iser]" in said, said
    box.write("said.yaml", said)
    box.run("check", "said.yaml").expect(0)


def test_every_other_spec_plans_so_too(box):
    """Later specs look at what the first one did not name."""
    specs = {name: golden.named(name).spec for name in ("guide-none", "memlock", "modules-options", "nfs-rhel-8", "partitions-of-others", "permissions", "soft-device")
             if name in golden.names()}
    assert len(specs) >= 5, specs.keys()
    for host in ("guide-networkmanager", "memlock", "nfs-foreign", "link-types-suse"):
        prepared(golden.named(host), box)
        record(box)
        for name, spec in specs.items():
            box.write("spec.yaml", spec)
            assert planned(box, "spec.yaml", "record.json") == planned(box, "spec.yaml", "host.json"), (host, name)


def test_what_is_not_in_it_is_unseen(box):
    host = golden.named("memlock").host()
    box.write("host.json", json.dumps(host))
    held = record(box)
    box.write("spec.yaml", golden.named("memlock").spec)
    for pattern in ("/etc/security/limits.d/95-rdmastate.conf", "/etc/group", "/etc/passwd"):
        less = dict(held, holds=[one for one in held["holds"] if one != pattern and not (pattern.startswith("/etc/security") and "limits.d" in one)])
        less["files"] = {path: file for path, file in held["files"].items() if path != pattern}
        box.write("less.json", json.dumps(less))
        plan = box.run("plan", "spec.yaml", "--host", "less.json", "-o", "json").json
        unseen = [item for item in plan["other"] if item.get("unseen")]
        assert any(pattern in json.dumps(item) for item in unseen), (pattern, plan["other"])
    box.write("less.json", json.dumps(dict(held, unseen=["/etc/security"], files={p: f for p, f in held["files"].items() if not p.startswith("/etc/security")})))
    plan = box.run("plan", "spec.yaml", "--host", "less.json", "-o", "json").json
    assert any("/etc/security" in json.dumps(item) for item in plan["other"] if item.get("unseen")), plan["other"]


def test_a_directory_service_that_does_not_tell_all_leaves_groups_unseen(box):
    host = golden.named("memlock").host()
    host["directory"] = {"complete": False}
    box.write("host.json", json.dumps(host))
    box.write("spec.yaml", golden.named("memlock").spec)
    done = box.run("plan", "spec.yaml", "--host", "host.json", "-o", "json")
    unseen = [item for item in done.json["other"] if item.get("unseen")]
    assert any(item["kind"] == "group" for item in unseen), done.json["other"]


def test_secrets_stay_behind(box):
    """Of a profile about an InfiniBand port all but its secrets; of one about anything else a line."""
    host = golden.named("guide-networkmanager").host()
    profiles = "/etc/NetworkManager/system-connections/"
    host["files"].update({
        profiles + "ib.nmconnection": {"mode": "0600", "content": "[connection]\ntype=infiniband\nzone=internal\n[802-1x]\npassword=hush1\n"},
        profiles + "office.nmconnection": {"mode": "0600", "content": "[connection]\ntype=wifi\ninterface-name=enp1s0\n[wifi]\nssid=office\n[wifi-security]\npsk=hush2\n"},
        "/etc/passwd": {"content": "root:hush3:0:0:Hush4 Name:/root:/bin/bash\n"},
        "/etc/gshadow": {"mode": "0640", "content": "root:$6$hush5::\n"},
        "/etc/fstab": {"content": "//server.example.com/share /mnt/share cifs password=hush6 0 0\n"},
        "/etc/systemd/system/mnt-share.mount": {"content": "[Mount]\nWhat=//server.example.com/share\nWhere=/mnt/share\nType=cifs\nOptions=password=hush7\n"},
        "/etc/environment": {"content": "TOKEN=hush8\nDEVICE=mlx4_0\n"},
    })
    box.write("host.json", json.dumps(host))
    held = record(box)
    text = json.dumps(held).lower()
    assert "hush" not in text, text[text.index("hush") - 200:][:300]
    files = held["files"]
    assert "zone=internal" in files[profiles + "ib.nmconnection"]["content"]
    assert "office" not in files[profiles + "office.nmconnection"]["content"]
    assert "/mnt/share" in files["/etc/fstab"]["content"]
    assert files["/etc/systemd/system/mnt-share.mount"]["content"] == "[Mount]\nWhere=/mnt/share\n"


def test_a_record_in_the_way_of_a_reader(box):
    for text, expected in (({"holds": "/etc"}, "holds"), ({"holds": [1]}, "holds[0]"), ({"unseen": {}}, "unseen"), ({"modules": {"described": "x"}}, "modules.described")):
        host = golden.named("guide-none").host()
        host.update(text)
        box.write("wrong.json", json.dumps(host))
        done = box.run("show", "--host", "wrong.json").expect(1)
        assert f"{expected}: expected" in done.err, done.err
