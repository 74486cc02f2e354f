"""The next boot is told truly, on a record and in a tree: why nobody reads boot.json, which foreign file wins over one of rdmastate, and what heals it."""
import json

from cases.specs import GUIDE
from cases.trees import tree
from support.harness import PACKAGE, install_package

BOOT = "etc/rdmastate/boot.json"
UNIT, EVENT = "usr/lib/systemd/system/rdmastate.service", "usr/lib/systemd/system/rdmastate-event@.service"
RULE, PROGRAM = "usr/lib/udev/rules.d/60-rdmastate.rules", "usr/bin/rdmastate"

# What is wrong: paths that go, links to /dev/null that come, and the sentence.
CAUSES = {
    "the binary alone": ((UNIT, EVENT, RULE), (), "rdmastate.service is not installed here, so the next boot does not make everything in this file: install"),
    "masked": ((), ("etc/systemd/system/rdmastate.service",), "rdmastate.service is masked by /etc/systemd/system/rdmastate.service"),
    "the units alone": ((PROGRAM,), (), "rdmastate.service starts /usr/bin/rdmastate, which is not there"),
    "no rule": ((), ("etc/udev/rules.d/60-rdmastate.rules",), "60-rdmastate.rules is masked by /etc/udev/rules.d/60-rdmastate.rules"),
}


def truly(box, where, after, says):
    """Everything is done, and one sentence says that it does not last. Returns where the host is now."""
    done = box.run("apply", "spec.yaml", *where, *after).expect(0)
    assert done.err.count(says) == 1 and "* file /etc/rdmastate/boot.json: pending: " in done.err, done.err
    now = ("--host", after[1]) if after else where
    plan = box.run("plan", "spec.yaml", *now, "--detailed-exitcode").expect(0)
    assert plan.out.count(says) == 1 and "0 steps, 1 pending" in plan.out, plan.out
    assert says in box.run("verify", "spec.yaml", *now).expect(2).out
    box.run("verify", "spec.yaml", *now, "--allow-pending").expect(0)
    return now


def test_in_a_tree(box):
    for at, (gone, masked, says) in enumerate(CAUSES.values()):
        (box.dir / str(at)).mkdir()
        inner = type(box)(box.dir / str(at))
        inner.write("spec.yaml", GUIDE)
        root = tree(inner)
        for path in gone:
            (root / path).unlink()
        for path in masked:
            (root / path).symlink_to("/dev/null")
        where = truly(inner, ("--root", root), (), says)
        assert (root / BOOT).exists()
        for path in masked:
            (root / path).unlink()
        install_package(root)
        assert "Nothing to do" in inner.run("plan", "spec.yaml", *where).expect(0).out
        inner.run("verify", "spec.yaml", *where).expect(0)


def test_on_a_recorded_host(box):
    box.write("spec.yaml", GUIDE)
    for gone, masked, says in CAUSES.values():
        def change(model):
            for path in gone:
                del model["files"]["/" + path]
            for path in masked:
                model["files"]["/" + path] = {"link": "/dev/null"}
        where = truly(box, ("--host", box.host(change)), ("--record", "after.json"), says)
        healed = json.loads((box.dir / "after.json").read_text())
        for path in masked:
            del healed["files"]["/" + path]
        healed["files"] |= {"/" + path: {"content": text} for path, text in PACKAGE.items()}
        box.write("after.json", json.dumps(healed))
        assert "Nothing to do" in box.run("plan", "spec.yaml", *where).expect(0).out


def test_the_column_says_so(box):
    """Without the unit the next boot has nothing of what boot.json says: absent, for each field."""
    box.write("spec.yaml", GUIDE)
    without_unit = lambda model: model["files"].pop("/" + UNIT)
    box.run("apply", "spec.yaml", "--host", box.host(without_unit), "--record", "after.json").expect(0)
    after = json.loads((box.dir / "after.json").read_text())
    link = next(one for one in after["links"] if one["name"] == "mlx4_ib0")
    link["mtu"] = 2044
    box.write("after.json", json.dumps(after))
    steps = box.run("plan", "spec.yaml", "--host", "after.json", "-o", "json").expect(0).json["steps"]
    assert {column["field"]: column["next_boot"] for step in steps for column in step["columns"]} == dict.fromkeys(("mode", "mtu", "up"), "absent"), steps


def test_what_no_boot_file_holds_needs_no_unit(box):
    box.write("spec.yaml", "version: 1\nmodules: {load: [ib_umad]}\n")
    without_unit = lambda model: model["files"].pop("/" + UNIT)
    box.run("apply", "spec.yaml", "--host", box.host(without_unit), "--record", "after.json").expect(0)
    box.run("verify", "spec.yaml", "--host", "after.json").expect(0)


# Per kind of file that a foreign one can win over: a spec, a file of others in a tree, what it says, and which file of ours loses.
WINNERS = {
    "modprobe.d": ("modules: {options: {ib_ipoib: {recv_queue_size: 512}}}", "usr/lib/modprobe.d/zz.conf", "options ib-ipoib recv_queue_size=128\n",
                   "/etc/modprobe.d/rdmastate-options.conf"),
    "modules-load.d": ("modules: {load: [ib_umad]}", "usr/lib/modprobe.d/aa.conf", "blacklist ib_umad\n", "/etc/modules-load.d/rdmastate.conf"),
    "limits.d": ("memlock: {group: rdma, soft: 1GiB, hard: 1GiB}", "etc/security/limits.d/99-site.conf", "@rdma - memlock 64\n",
                 "/etc/security/limits.d/95-rdmastate.conf"),
    "a unit's": ("memlock: {soft: 1GiB, hard: 1GiB, services: [slurmd.service]}", "usr/lib/systemd/system/slurmd.service.d/zz.conf",
                 "[Service]\nLimitMEMLOCK=8M\n", "/etc/systemd/system/slurmd.service.d/50-rdmastate-memlock.conf"),
    "nfs.conf.d": ("nfs: {server: {rdma_port: 20050}}", "etc/nfs.conf.d/site.conf", "[nfsd]\nrdma-port=20051\n", "/etc/nfs.conf.d/rdmastate.conf"),
    "rules.d": ("permissions: {umad: {group: root2}}", "usr/lib/udev/rules.d/90-ib.rules", 'KERNEL=="umad*", MODE="0666"\n',
                "/etc/udev/rules.d/70-rdmastate-umad.rules"),
}


def test_a_file_that_wins_is_named_in_trees(box):
    for at, (spec, path, text, ours) in enumerate(WINNERS.values()):
        (box.dir / str(at)).mkdir()
        inner = type(box)(box.dir / str(at))
        inner.write("spec.yaml", f"version: 1\nnetwork: {{backend: none}}\n{spec}\n")
        root = tree(inner)
        (root / "etc/group").write_text("root:x:0:\nroot2:x:7:\n")
        (root / "etc/gshadow").write_text("root:*::\nroot2:*::\n")
        where, says = ("--root", root), f"/{path} says "
        inner.run("apply", "spec.yaml", *where).expect(0)
        inner.run("verify", "spec.yaml", *where).expect(0)
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        plan = inner.run("plan", "spec.yaml", *where, "--detailed-exitcode").expect(2)
        assert plan.out.count(says) == 1 and ours in plan.out and "0 steps" in plan.out, plan.out
        other = inner.run("plan", "spec.yaml", *where, "-o", "json").expect(0).json["other"]
        assert [item["next_boot"] for item in other] == ["differs"], other
        assert says in inner.run("apply", "spec.yaml", *where).expect(0).err
        inner.run("verify", "spec.yaml", *where).expect(2)
        (root / path).unlink()
        if path.startswith("usr/"):
            (root / path).write_text(text)
            mask = root / path.replace("usr/lib", "etc")
            mask.parent.mkdir(parents=True, exist_ok=True)
            mask.symlink_to("/dev/null")
        inner.run("verify", "spec.yaml", *where).expect(0)
