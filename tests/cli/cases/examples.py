"""Every example: it is good, it settles on the host that it is written for, and in a tree of every layout that it fits."""
import json
import pathlib

import yaml

from support.harness import HOSTS, TOP, install_package

EXAMPLES = TOP / "examples"
WITH_OWNERS = {"rhel-guide", "storage", "compute", "vm", "omnipath"}  # where a daemon has the interfaces
# Each spec that is written for one host, and that host.
WHOLE_HOSTS = {name: name for name in ("minimal", "rhel-guide", "storage", "compute", "ci", "vm", "omnipath", "head")} | {"debian-wiki": "minimal"}
CHAPTERS = sorted((EXAMPLES / "chapters").glob("*.yaml"))
# What --strict would refuse: said of a value that is right on the one kind of hardware it is for.
WARNED = {"omnipath.yaml": "is taken by Omni-Path only"}

# Who configures interfaces in the tree: the link that enables it, or its own file.
ENABLED = {"networkmanager": "NetworkManager.service", "networkd": "systemd-networkd.service", "wicked": "wicked.service"}
LAYOUTS = {
    "debian-11": ("debian", "11", None), "debian-12": ("debian", "12", None), "debian-13": ("debian", "13", "networkd"),
    "ubuntu-24.04": ("ubuntu", "24.04", "networkd"), "rhel-8": ("rhel", "8.10", "networkmanager"), "rhel-9": ("rhel", "9.4", "networkmanager"),
    "rhel-10": ("rhel", "10.0", "networkmanager"), "sles-15": ("sles", "15.6", "networkmanager"), "sles-16": ("sles", "16.0", "networkmanager"),
    "sles-15-wicked": ("sles", "15.6", "wicked"),
}
OLDER_SYSTEMD = {"debian-11", "rhel-8", "sles-15", "sles-15-wicked"}  # before 250: networkd has no children there
# What names a port by its device is told apart by the hardware that the tree is for.
WITH_FACTS = {"every-field.yaml"}

def examples():
    found = sorted(EXAMPLES.rglob("*.yaml"))
    assert len(found) >= 15, found
    return found


def name_of(path):
    return str(path.relative_to(EXAMPLES))


def copied(box, path, name="spec.yaml"):
    """The example and what it includes."""
    for included in yaml.safe_load(path.read_text()).get("include", []):
        copied(box, path.parent / included, included)
    return box.write(name, path.read_text())


def settled(box, *where):
    plan = box.run("plan", "spec.yaml", *where, "-o", "json").expect(0).json
    assert plan["steps"] == [], plan["steps"]
    assert plan["summary"]["blocked"] == 0, plan["summary"]
    return plan


def test_each_is_good(box):
    for path in examples():
        strict = name_of(path) not in WARNED
        done = box.run("check", path, *(["--strict"] if strict else [])).expect(0)
        assert strict or WARNED[name_of(path)] in done.err, (path, done.err)


def test_whole_hosts_settle_and_come_back(box):
    for name, host in WHOLE_HOSTS.items():
        before = json.loads((HOSTS / f"{host}.json").read_text())
        box.write("host.json", json.dumps(before))
        copied(box, EXAMPLES / f"{name}.yaml")
        done = box.run("apply", "spec.yaml", "--host", "host.json", "--record", "after.json").expect(0)
        settled(box, "--host", "after.json")
        verdict = box.run("verify", "spec.yaml", "--host", "after.json").expect(0).out
        assert verdict == "recorded host after.json is as the spec says, now and for the next boot.\n", (name, verdict)
        assert ("was not asked: what it would do is taken as done" in done.err) == (name in WITH_OWNERS), (name, done.err)
        box.run("apply", "spec.yaml", "--host", "after.json", "--record", "again.json").expect(0)
        assert (box.dir / "again.json").read_bytes() == (box.dir / "after.json").read_bytes(), f"{name}: the second apply moved something"
        box.run("rollback", "--host", "after.json", "--record", "back.json").expect(0)
        back = json.loads((box.dir / "back.json").read_text())
        daemons_own = ("/var/lib/rdmastate", "/run/systemd/netif/links")
        same = {path: file for path, file in back["files"].items() if not path.startswith(daemons_own)}
        before["files"].pop("/var/lib")  # it holds runs now, so a record does not name it
        assert same == before["files"], (name, set(same) ^ set(before["files"]))
        for what in ("addresses", "links"):
            names = [sorted(one.get("address", "") + one.get("name", "") for one in model.get(what, [])) for model in (back, before)]
            assert names[0] == names[1], (name, what, names)


def ledger_names(text):
    return {(one["kind"], one["key"]) for one in json.loads(text)["entries"]}


def add_to_each_other(box, apply, *where):
    """Each chapter is applied on what the one before it made: it removes nothing of that, and the host is as it says."""
    before = set()
    for path in CHAPTERS:
        copied(box, path)
        plan = box.run("plan", "spec.yaml", *where, "-o", "json").expect(0).json
        assert [(one["title"], one["cause"]) for one in plan["steps"] if one["to"] is None or one["cause"] != "wanted"] == [], path
        now = apply()
        assert before < now, (path, before - now)
        before = now
        box.run("verify", "spec.yaml", *where).expect(0)
    return before


def test_chapters_add_to_each_other_on_the_guides_host(box):
    def apply(host="host.json"):
        box.run("apply", "spec.yaml", "--host", host, "--record", "after.json").expect(0)
        model = json.loads((box.dir / "after.json").read_text())
        (box.dir / "after.json").replace(box.dir / host)
        return ledger_names(model["files"]["/etc/rdmastate/ledger.json"]["content"])

    box.host(base="rhel-guide.json")
    made = add_to_each_other(box, apply, "--host", "host.json")
    box.host(name="other.json", base="rhel-guide.json")
    assert apply("other.json") == made, "the last chapter alone says all of them"


def test_chapters_add_to_each_other_in_a_tree(box):
    def apply():
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        return ledger_names((root / "etc/rdmastate/ledger.json").read_text())

    root = tree(box, "rhel-9", *LAYOUTS["rhel-9"])
    add_to_each_other(box, apply, "--root", root)


def tree(box, name, distribution, version, manager):
    root = box.dir / f"tree-{name}"
    for folder in ("etc/modules-load.d", "etc/modprobe.d", "etc/udev/rules.d", "etc/systemd/system/multi-user.target.wants", "usr/lib/systemd/system", "var/lib"):
        (root / folder).mkdir(parents=True)
    like = {"ubuntu": "ID_LIKE=debian\n", "sles": 'ID_LIKE="suse"\n'}.get(distribution, "")
    (root / "etc/os-release").write_text(f'ID="{distribution}"\nVERSION_ID="{version}"\n{like}')
    (root / "etc/machine-id").write_text("5d0c1f7e2a634b7c9c61a2c8f0e4b7d3\n")
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n" + "".join(f"{user}:x:{uid}:{uid}::/home/{user}:/bin/bash\n" for uid, user in ((1000, "hpcuser"), (1001, "ci"))))
    (root / "etc/group").write_text("root:x:0:\nibdiag:x:998:\nhpcuser:x:1000:\nci:x:1001:\n")
    install_package(root)
    if manager:
        (root / "etc/systemd/system/multi-user.target.wants" / ENABLED[manager]).symlink_to(f"/usr/lib/systemd/system/{ENABLED[manager]}")
    return root


def contents(root):
    """Each path's bytes, inode and time, but for runs."""
    return {str(path.relative_to(root)): (path.lstat().st_ino, path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() and not path.is_symlink() else b"")
            for path in root.rglob("*") if "var/lib/rdmastate" not in str(path)}


def test_each_settles_in_a_tree_of_every_layout(box):
    box.write("facts.json", box.run("show", "--host", HOSTS / "minimal.json", "-o", "json").expect(0).out)
    for path in examples():
        for name, (distribution, version, manager) in LAYOUTS.items():
            copied(box, path)
            root = tree(box, f"{name}-{name_of(path).replace('/', '-')}", distribution, version, manager)
            where = ["--root", root, *(["--facts", "facts.json"] if name_of(path) in WITH_FACTS else [])]
            done = box.run("apply", "spec.yaml", *where)
            if name in OLDER_SYSTEMD and "systemd-networkd makes children since systemd 250" in done.err:
                done.expect(3)
                continue
            done.expect(0)
            settled(box, *where)
            first = contents(root)
            box.run("apply", "spec.yaml", *where).expect(0)
            assert contents(root) == first, (path, name, "the second apply touched something")


def fields_of(schema, path=""):
    """The path of every field that the schema knows; what a list or a map holds counts once."""
    for name, one in schema.get("properties", {}).items():
        yield f"{path}.{name}".lstrip(".")
        yield from fields_of(one, f"{path}.{name}".lstrip("."))
    for inner in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield from fields_of(inner, path)


def used_in(value, path=""):
    if isinstance(value, list):
        for one in value:
            yield from used_in(one, path)
    if isinstance(value, dict):
        for key, one in value.items():
            here = f"{path}.{key}".lstrip(".")
            yield here
            yield from used_in(one, here)
            yield from used_in(one, path)  # of a map, whose keys are no fields


def test_one_uses_every_field(box):
    schema = box.run("schema").expect(0)
    known = set(fields_of(json.loads(schema.out)))
    assert len(known) > 40, known
    pages = ("every-field.yaml", "networkmanager.yaml", "bonds.yaml")  # what NetworkManager alone takes, and back end none
    known -= {f"bonds.{block}.{field}" for block in ("ipv4", "ipv6") for field in ("dns", "search")}  # back end none has no resolver
    used = {field for page in pages for field in used_in(yaml.safe_load((EXAMPLES / page).read_text()))}
    assert not known - used, f"{pages} lack {sorted(known - used)}"


def test_hosts_are_all_used(box):
    assert {path.stem for path in pathlib.Path(HOSTS).glob("*.json")} == {*WHOLE_HOSTS.values()}
