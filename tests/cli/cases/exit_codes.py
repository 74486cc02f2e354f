"""Every exit code, provoked; and what stands on stdout and stderr then. Recorded hosts, so no rights are needed."""
import json
import time

from cases.specs import GUIDE, NO_MODULE, PORT_ONLY, file
from support.harness import HOSTS

LATE = "version: 1\nnetwork: {backend: none}\nipoib:\n  - name: store0\n    match: {device: hca9, port: 1}\n"
PROGRESS = "/var/lib/rdmastate/runs/000001/progress"


def applied(box, spec=GUIDE, **host):
    """A recorded host after one apply; its path."""
    box.write("spec.yaml", spec)
    before = box.host(**host)
    box.run("apply", "spec.yaml", "--host", before, "--record", "after.json").expect(0)
    return box.dir / "after.json"


def interrupted(box):
    """A host whose run never said how it ended, as a power cut leaves it."""
    path = applied(box)
    model = json.loads(path.read_text())
    progress = model["files"][PROGRESS]
    assert progress["content"].endswith("\nfinished\n"), progress
    progress["content"] = progress["content"].removesuffix("finished\n")
    path.write_text(json.dumps(model))
    return path


def claimed(model):
    model["files"]["/etc/network/interfaces.d/ib"] = file("auto mlx4_ib0\niface mlx4_ib0 inet manual\n")


def test_0_apply_then_nothing(box):
    after = applied(box)
    assert (after.stat().st_mode & 0o777) == 0o600
    plan = box.run("plan", "spec.yaml", "--host", after, "--detailed-exitcode").expect(0)
    assert "Nothing to do" in plan.out and plan.err == ""
    box.run("verify", "spec.yaml", "--host", after).expect(0)
    again = box.run("apply", "spec.yaml", "--host", after, "--record", "again.json").expect(0)
    assert "Nothing to do" in again.out
    assert (box.dir / "again.json").read_text() == after.read_text(), "the second run changed something"


def test_1_usage(box):
    for words in ([], ["frobnicate"], ["plan"], ["apply"], ["plan", "a.yaml", "b.yaml"], ["plan", "a.yaml", "--host", "h", "--root", "/"],
                  ["apply", "--boot", "a.yaml"], ["apply", "a.yaml", "--coalesce"], ["verify"], ["verify", "--boot", "a.yaml"],
                  ["verify", "a.yaml", "--wait", "60"], ["verify", "a.yaml", "--wait", "soon"], ["completion", "tcsh"], ["check", "a.yaml", "-o", "xml"]):
        done = box.run(*words).expect(1)
        assert done.out == "" and done.err, words


def test_1_mistyped_commands_and_options_are_named_with_the_nearest(box):
    for words, said in ((["aply", "a.yaml"], "there is no command aply: did you mean apply?"),
                        (["frobnicate"], "there is no command frobnicate: rdmastate --help lists them"),
                        (["apply", "a.yaml", "--adpot"], "apply has no option --adpot: did you mean --adopt?"),
                        (["plan", "a.yaml", "--max-disrupton=link"], "did you mean --max-disruption?"),
                        (["check", "a.yaml", "--frobnicate"], "rdmastate check --help lists them")):
        done = box.run(*words).expect(1)
        assert said in done.err and done.out == "" and len(done.err.splitlines()) == 1, done.err


def test_1_recorded_host_without_record(box):
    box.write("spec.yaml", GUIDE)
    done = box.run("apply", "spec.yaml", "--host", box.host()).expect(1)
    assert "--record" in done.err


def test_1_something_left_blocked(box):
    box.write("spec.yaml", NO_MODULE)
    done = box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json").expect(1)
    assert "blocked: " in done.err and "add ib_ipoib to modules.load" in done.err, done.err
    assert "Applied:" in done.out
    # The files were still written, and a second run knows that nothing more can be done.
    again = box.run("apply", "spec.yaml", "--host", "after.json", "--record", "again.json").expect(1)
    assert (box.dir / "again.json").read_text() == (box.dir / "after.json").read_text()
    assert "blocked: " in again.err


def test_1_nothing_to_roll_back(box):
    done = box.run("rollback", "--host", box.host(), "--record", "back.json").expect(1)
    assert "no run" in done.err


def test_1_no_such_host_and_damaged_host(box):
    box.write("spec.yaml", GUIDE)
    assert "nowhere.json" in box.run("plan", "spec.yaml", "--host", "nowhere.json").expect(1).err
    box.write("broken.json", '{"format_version": 1, "files": []}')
    assert "broken.json" in box.run("plan", "spec.yaml", "--host", "broken.json").expect(1).err


def test_1_damaged_ledger_is_named_and_left(box):
    path = applied(box)
    model = json.loads(path.read_text())
    model["files"]["/etc/rdmastate/ledger.json"]["content"] = "{"
    path.write_text(json.dumps(model))
    done = box.run("plan", "spec.yaml", "--host", path).expect(1)
    assert "/etc/rdmastate/ledger.json" in done.err and "internal" not in done.err, done.err


def test_2_differs(box):
    box.write("spec.yaml", GUIDE)
    host = box.host()
    box.run("plan", "spec.yaml", "--host", host).expect(0)
    box.run("plan", "spec.yaml", "--host", host, "--detailed-exitcode").expect(2)
    box.run("verify", "spec.yaml", "--host", host).expect(2)


def test_2_only_pending(box):
    def up(model):
        model["modules"]["loaded"] += ["ib_ipoib", "ib_cm"]
        model["links"].append({"name": "ib0", "index": 9, "type": 32, "mtu": 2044, "up": True, "carrier": True, "ipv6": "link-local",
                               "address": "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1",
                               "ipoib": {"pkey": "0xffff", "mode": "datagram", "umcast": False}})

    spec = PORT_ONLY.replace("    mode: connected\n    mtu: 65520\n", "")
    after = applied(box, spec, change=up)
    box.run("plan", "spec.yaml", "--host", after, "--detailed-exitcode").expect(0)
    done = box.run("verify", "spec.yaml", "--host", after).expect(2)
    assert "becomes mlx4_ib0 at the next boot" in done.out, done.out
    box.run("verify", "spec.yaml", "--host", after, "--allow-pending").expect(0)


def test_3_spec_that_does_not_fit_the_host(box):
    box.write("spec.yaml", GUIDE.replace("backend: none", "backend: ifupdown"))
    done = box.run("plan", "spec.yaml", "--host", box.host()).expect(3)
    assert "spec.yaml:2:20: error: network.backend: /etc/network/interfaces includes no file" in done.err, done.err


def test_3_spec_that_others_may_write(box):
    """Looking does no harm, and of what a group may write it warns; apply refuses."""
    for mode in (0o666, 0o664):
        box.write("spec.yaml", GUIDE, mode)
        warning = f"warning: spec.yaml may be written by others than its owner (mode {mode:04o}): apply refuses it before chmod go-w spec.yaml"
        assert warning in box.run("check", "spec.yaml").expect(0).err
        done = box.run("plan", "spec.yaml", "--host", box.host()).expect(3 if mode == 0o666 else 0)
        assert "may be written by others" in done.err and "chmod" in done.err and (warning in done.err) == (mode == 0o664), done.err
        saved = box.run("plan", "spec.yaml", "--host", box.host(), "--out", "saved.json").expect(3)
        assert "what it says is done with your rights" in saved.err and not (box.dir / "saved.json").exists(), saved.err
        done = box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json").expect(3)
        assert "what it says is done with your rights: chmod go-w spec.yaml" in done.err, done.err


def test_6_foreign_file(box):
    box.write("spec.yaml", GUIDE)
    host = box.host(claimed)
    done = box.run("apply", "spec.yaml", "--host", host, "--record", "after.json").expect(6)
    assert "/etc/network/interfaces.d/ib" in done.err and "nothing was changed" in done.err
    for words in ([], ["--detailed-exitcode"], ["-o", "json"]):
        box.run("plan", "spec.yaml", "--host", host, *words).expect(6)
    assert json.loads((box.dir / "after.json").read_text())["files"].keys() == json.loads(host.read_text())["files"].keys() | {"/etc/network", "/etc/network/interfaces.d"} \
        or "/var/lib/rdmastate" not in (box.dir / "after.json").read_text()


def test_6_another_spec_made_it(box):
    path = applied(box)
    box.write("other.yaml", PORT_ONLY.replace("version: 1\n", "version: 1\nid: storage\n"))
    done = box.run("apply", "other.yaml", "--host", path, "--record", "no.json").expect(6)
    assert "'host'" in done.err and "'storage'" in done.err and "--replace" in done.err
    box.run("apply", "other.yaml", "--replace", "--host", path, "--record", "yes.json").expect(0)
    box.run("plan", "other.yaml", "--host", "yes.json", "--detailed-exitcode").expect(0)


def test_7_unfinished_run_and_rollback(box):
    path = interrupted(box)
    done = box.run("apply", "spec.yaml", "--host", path, "--record", "no.json").expect(7)
    data = box.run("apply", "spec.yaml", "--host", path, "--record", "no.json", "-o", "json").expect(7).json
    assert data["busy"] == "interrupted" and data["run"] == "000001" and data["exit_code"] == 7, data
    assert "000001" in done.err and "rdmastate rollback" in done.err
    assert json.loads((box.dir / "no.json").read_text()) == json.loads(path.read_text()), "a busy apply changed something"
    box.run("rollback", "--host", path, "--record", "back.json").expect(0)
    box.run("apply", "spec.yaml", "--host", "back.json", "--record", "again.json").expect(0)
    box.run("verify", "spec.yaml", "--host", "again.json").expect(0)


def test_rollback_brings_the_host_back(box):
    path = applied(box)
    done = box.run("rollback", "--host", path, "--record", "back.json").expect(0)
    assert done.out == "Run 000001 is taken back: 14 steps.\n" or "taken back" in done.out
    before = json.loads((box.dir / "host.json").read_text())
    after = json.loads((box.dir / "back.json").read_text())
    left = {p: v for p, v in after["files"].items() if not p.startswith("/var/lib/rdmastate")}
    for path in before["files"].keys() | left.keys():
        if not (left.get(path) or before["files"].get(path)).get("directory"):  # a record names each directory, a hand-written host few
            assert left.get(path) == before["files"].get(path), path
    assert "/etc/rdmastate" not in left
    assert [l["name"] for l in after["links"]] == [l["name"] for l in before["links"]]
    assert after["addresses"] == before["addresses"] and after["routes"] == before["routes"]
    box.run("rollback", "--host", "back.json", "--record", "no.json").expect(1)


def test_rollback_leaves_what_others_changed(box):
    path = applied(box)
    model = json.loads(path.read_text())
    model["files"]["/etc/modules-load.d/rdmastate.conf"]["content"] += "ib_srp\n"
    path.write_text(json.dumps(model))
    done = box.run("rollback", "--host", path, "--record", "back.json").expect(5)
    assert "/etc/modules-load.d/rdmastate.conf was changed by another program since" in done.err and "--force" in done.err
    assert "ib_srp" in json.loads((box.dir / "back.json").read_text())["files"]["/etc/modules-load.d/rdmastate.conf"]["content"]
    box.run("rollback", "--force", "--host", "back.json", "--record", "forced.json").expect(0)
    assert "/etc/modules-load.d/rdmastate.conf" not in json.loads((box.dir / "forced.json").read_text())["files"]


def test_apply_as_json(box):
    box.write("spec.yaml", GUIDE)
    data = box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json", "-o", "json").expect(0).json
    assert data["changed"] is True and data["exit_code"] == 0 and data["run"] == "000001" and data["left"]["steps"] == []
    again = box.run("apply", "spec.yaml", "--host", "after.json", "--record", "again.json", "-o", "json").expect(0).json
    assert again["changed"] is False and again["moved"] == 0


def test_plan_and_show_as_json(box):
    path = applied(box)
    data = box.run("plan", "spec.yaml", "--host", box.host(), "-o", "json").expect(0).json
    assert data["backend"] == "none" and data["facts"]["distribution"] == "debian"
    shown = box.run("show", "--host", path, "-o", "json").expect(0).json
    assert {one["name"] for one in shown["ipoib"]} >= {"mlx4_ib0", "mlx4_ib0.8002"}


def test_a_shown_record_plans_as_the_host_does(box):
    path = applied(box)
    box.run("show", "--host", path, "--record", "shown.json").expect(0)
    assert ((box.dir / "shown.json").stat().st_mode & 0o777) == 0o600
    box.run("plan", "spec.yaml", "--host", "shown.json", "--detailed-exitcode").expect(0)


def test_colour(box):
    box.write("spec.yaml", GUIDE)
    words = ("plan", "spec.yaml", "--host", box.host())
    assert "\x1b" not in box.run(*words).out
    assert "\x1b" in box.run(*words, "--color", "always").out
    assert "\x1b" in box.run(*words, "--color", "always", env={"NO_COLOR": "1"}).out  # said by hand is said


def test_2_verify_boot_and_wait(box):
    after = applied(box)
    box.run("verify", "--boot", "--host", after).expect(0)
    box.run("verify", "--boot", "--wait", "2min", "--host", after).expect(0)
    model = json.loads(after.read_text())
    model["addresses"] = []
    after.write_text(json.dumps(model))
    done = box.run("verify", "--boot", "--wait", "60s", "--host", after).expect(2)
    assert done.out.startswith("  + address (") and ") is not there: 192.0.2.1/24 on mlx4_ib0, " in done.out, done.out
    del model["files"]["/etc/rdmastate/boot.json"]
    after.write_text(json.dumps(model))
    box.run("verify", "--boot", "--host", after).expect(0)


def without_adapter(model):
    model.update(rdma=[], links=[link for link in model["links"] if link["name"] == "lo"], addresses=[], routes=[])


def without_ipoib(model):
    model["modules"]["loadable"].remove("ib_ipoib")


ABSENT = GUIDE + "  - match: {port_guid: 0002:c903:0031:7801}\n    name: store0\n"
DEVICES = "version: 1\ndevices:\n  - {match: {%s}, %s}\n"
LATE_OR_NOT = [  # a spec, what it does to a host, the exit code, and what it waits for; empty: for nothing
    (LATE, None, 3, "ipoib[0].match: there is no hca9 port 1"),
    (ABSENT, None, 1, "there is no port 0002:c903:0031:7801 here"),
    (DEVICES % ('pci: "0000:99:00.0"', "name: hca9"), None, 1, "there is no RDMA device with pci 0000:99:00.0"),
    (NO_MODULE, None, 1, "ib_ipoib is not loaded"),  # rdma-core loads it when an adapter comes
    (GUIDE, None, 0, ""),
    (ABSENT, claimed, 6, ""),  # refused
    (DEVICES % ('pci: "0000:99:00.0"', "name: hca9, optional: true"), None, 0, ""),
    (DEVICES % ("driver: mlx4_core", "name: hca9"), None, 3, ""),  # fits several
    (DEVICES % ('node_guid: "f452:1403:007b:cba0"', "ports: {1: {qos: {pfc: [3]}}}"), None, 1, ""),  # never
    (LATE.replace("hca9, port: 1", "mlx4_1, port: 2"), None, 1, ""),  # Ethernet
    ("version: 1\nmodules: {load: [no_such_module]}\n", None, 1, ""),
    (NO_MODULE, without_ipoib, 1, ""),
]


def waits_of(done):
    return [line for line in done.err.splitlines() if line.startswith("waiting up to ")]


def test_apply_waits_for_hardware(box):
    """Scenario image-boot has an adapter that comes late."""
    for spec, change, code, said in LATE_OR_NOT:
        box.write("spec.yaml", spec)
        words = ("apply", "spec.yaml", "--host", box.host(change), "--record", "after.json")
        waits = waits_of(box.run(*words, "--wait", "60s").expect(code))
        assert len(waits) == (said != ""), (spec, waits)
        assert not said or waits[0].startswith("waiting up to 60 s for what may come late: ") and said in waits[0], waits
        assert not waits_of(box.run(*words).expect(code))


def test_apply_waits_beside_no_open_run(box):
    path = interrupted(box)
    box.write("late.yaml", ABSENT)
    assert not waits_of(box.run("apply", "late.yaml", "--host", path, "--record", "no.json", "--wait", "60s").expect(7))


def test_apply_waits_for_hardware_that_its_own_module_does_not_bring(box):
    """The Debian wiki's spec: ib_ipoib is loaded at once, and has made no interface."""
    box.write("spec.yaml", (HOSTS.parent / "debian-wiki.yaml").read_text())
    words = ("apply", "spec.yaml", "--host", box.host(without_adapter), "--record", "after.json", "--wait", "60s")
    done = box.run(*words).expect(1)
    lines = done.err.splitlines()
    waits = waits_of(done)
    assert len(waits) == 1 and "ib_ipoib is loaded and has made none" in waits[0], done.err
    loaded = next(number for number, line in enumerate(lines) if line.startswith("  done  load module") and "ib_ipoib" in line)
    assert lines.index(waits[0]) > loaded, lines
    assert "run 000001.\nNothing more was done" in done.out, done.out
    data = box.run(*words, "-o", "json").expect(1).json
    assert (data["changed"], data["run"], len(data["rounds"]) > 0) == (True, "000001", True), data
    assert data["moved"] == sum(map(len, data["rounds"])), data
    assert "000002" not in box.run("history", "--host", "after.json").expect(0).out


def test_verify_waits_for_hardware(box):
    """This machine stays as it is: the time has to pass before the mistake is told."""
    box.write("spec.yaml", LATE)
    begun = time.monotonic()
    box.run("verify", "spec.yaml", "--wait", "2s").expect(3)
    assert time.monotonic() - begun > 1.9
